// SPDX-License-Identifier: BSD-3-Clause

package profdiff

import (
	"strings"
	"testing"
)

func TestAStackBelongsToTheInnermostFunctionOfAModule(t *testing.T) {
	p := program{modules: []string{"m", "example.com/dep/v2"}}
	for _, c := range []struct{ stack, frames, own string }{
		{harness + "m/p.BenchmarkX m/p.F", "m/p.BenchmarkX m/p.F", "m/p.F"},
		{harness + "m/p.BenchmarkX m/p.F fmt.Sprintf runtime.mallocgc", "m/p.BenchmarkX m/p.F fmt.Sprintf runtime.mallocgc", "m/p.F"},
		{harness + "m/p.BenchmarkX m/p.F slices.SortFunc[...] m/p.F.func1", "m/p.BenchmarkX m/p.F slices.SortFunc[...] m/p.F.func1", "m/p.F.func1"},
		{harness + "m/p.BenchmarkX m/p.F runtime.mallocgc runtime.gcAssistAlloc", "m/p.BenchmarkX m/p.F runtime.mallocgc runtime.gcAssistAlloc", Collector},
		{harness + "m_test.BenchmarkX example.com/dep/v2/q.(*T[go.shape.struct{net/http.A}]).G", "m_test.BenchmarkX example.com/dep/v2/q.(*T[go.shape.struct{net/http.A}]).G", "example.com/dep/v2/q.(*T[go.shape.struct{net/http.A}]).G"},
		{harness + "mother.F", "mother.F", "mother.F"}, // another module's name begins with it, so it is of the standard library: a goroutine of its own
		{"runtime.gcBgMarkWorker runtime.systemstack runtime.scanobject", "runtime.gcBgMarkWorker runtime.systemstack runtime.scanobject", Collector},
		{"runtime.mcall runtime.park_m runtime.schedule", "runtime.mcall runtime.park_m runtime.schedule", Scheduler},
		{"runtime.memmove", "runtime.memmove", "runtime"},
		{"m/p.start.func1 m/p.F", "m/p.start.func1 m/p.F", "m/p.F"},
		{"net/http.(*conn).serve bufio.Read", "net/http.(*conn).serve bufio.Read", "net/http.(*conn).serve"},
		{"testing.(*B).RunParallel.func1 m/p.BenchmarkX.func1", "m/p.BenchmarkX.func1", "m/p.BenchmarkX.func1"},
		{harness + "m/p.BenchmarkX testing.(*B).ResetTimer runtime.ReadMemStats", "", ""},
		{harness + "runtime.GC", "", ""},
		{harness, "", ""},
		{"runtime.main main.main testing.(*M).Run", "", ""},
		{"main.main testing.(*M).Run", "", ""},
		{"runtime/pprof.profileWriter", "", ""},
		{"", "", ""},
	} {
		frames, _, ok := p.place(strings.Fields(c.stack))
		own := ""
		if ok {
			own = p.owner(frames)
		}
		if got := strings.Join(frames, " "); got != c.frames || own != c.own || ok != (c.own != "") {
			t.Errorf("%s: %q of %q, %v", c.stack, got, own, ok)
		}
	}
}

func TestNamesAreShortened(t *testing.T) {
	for name, want := range map[string]string{
		"example.com/m/p.(*T).F.func1": "p.(*T).F.func1", "fmt.Sprintf": "fmt.Sprintf", Collector: Collector,
		"slices.SortFunc[go.shape.[]example.com/m.reading,go.shape.int]": "slices.SortFunc[...]", "a.b/q.(*T[go.shape.struct { n/h.A }]).G": "q.(*T[...]).G",
	} {
		if got := Short(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestWithoutModulesTheStandardLibraryIsGuessed(t *testing.T) {
	var p program
	for name, want := range map[string]bool{"fmt.Sprintf": true, "encoding/json.(*T).F": true, "example.com/m.F": false, "gopkg.in/yaml%2ev3.F": false} {
		if p.standard(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
