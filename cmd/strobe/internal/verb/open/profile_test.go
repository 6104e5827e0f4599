// SPDX-License-Identifier: BSD-3-Clause

package open

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"net/http"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"

	format "github.com/google/pprof/profile"

	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
)

// profiled returns a profile as it is in a file, not compressed.
func profiled(t testing.TB, p *format.Profile) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func packed(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sampled is a profile with two values: main calls itself, and then a function with a hostile name, which is inlined.
func sampled() *format.Profile {
	p := &format.Profile{SampleType: []*format.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}, DurationNanos: 30e9}
	place := func(functions ...string) *format.Location {
		l := &format.Location{ID: uint64(len(p.Location) + 1), Address: uint64(16 * (len(p.Location) + 1))}
		for _, name := range functions {
			f := &format.Function{ID: uint64(len(p.Function) + 1), Name: name}
			p.Function = append(p.Function, f)
			l.Line = append(l.Line, format.Line{Function: f})
		}
		p.Location = append(p.Location, l)
		return l
	}
	outer, again, inner, bare := place("main.main"), place("main.main"), place(hostile, "main.work"), place()
	p.Sample = []*format.Sample{
		{Location: []*format.Location{inner, again, outer}, Value: []int64{3, 30e6}},
		{Location: []*format.Location{again, outer}, Value: []int64{1, 10e6}},
		{Location: []*format.Location{bare}, Value: []int64{2, 20e6}},
	}
	return p
}

func difference() *format.Profile {
	p := sampled()
	p.Sample[1].Value[1] = -1
	return p
}

// lacking refers to a place that it does not have.
func lacking() *format.Profile {
	p := sampled()
	p.Location = p.Location[:1]
	return p
}

func TestFunctionsOfAProfileAddUp(t *testing.T) {
	g, err := newGraph(sampled(), 1)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range g.calls {
		got = append(got, fmt.Sprintf("%s in %d: %d, %d", g.functions[c.function].name, c.parent, c.total/1e6, c.own/1e6))
	}
	want := []string{"main.main in -1: 40, 0", "main.main in 0: 40, 10", "main.work in 1: 30, 0", hostile + " in 2: 30, 30", "0x40 in -1: 20, 20"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") || g.total != 60e6 {
		t.Errorf("%d ns:\n%s", g.total, strings.Join(got, "\n"))
	}
	table := g.table("nanoseconds")
	if row := strings.Join(table.Rows[2], ", "); len(table.Rows) != 4 || row != "main.main, 10 ms, 16.7 %, 40 ms, 66.7 %" {
		t.Errorf("%q", table.Rows)
	}
	large := sampled()
	large.Sample[0].Value[1] = math.MaxInt64
	if _, err := newGraph(large, 1); err == nil {
		t.Error("a sum that is too large")
	}
}

// Of many call paths, the largest are drawn with all that is around them.
func TestTheLargestCallsAreDrawn(t *testing.T) {
	var all []call
	for i := range 100 {
		all = append(all, call{parent: -1, total: int64(10 * i)}, call{parent: 3 * i, total: int64(10 * i)}, call{parent: 3*i + 1, total: 1})
	}
	kept, left := largest(all, 20)
	if len(kept) != 20 || left != 280 {
		t.Fatalf("%d drawn, %d left", len(kept), left)
	}
	for i, c := range kept {
		if c.total < 900 || c.parent >= i || c.parent >= 0 && kept[c.parent].total < c.total {
			t.Errorf("call %d is %+v", i, c)
		}
	}
}

// A profile that the runtime writes has several values, each with a page of its own.
func TestEachValueOfARealProfileHasAPage(t *testing.T) {
	kept := make([][]byte, 0, 100)
	for range 100 {
		kept = append(kept, make([]byte, 1<<20))
	}
	runtime.GC()
	var b bytes.Buffer
	if err := pprof.Lookup("heap").WriteTo(&b, 0); err != nil {
		t.Fatal(err)
	}
	runtime.KeepAlive(kept)
	opened(t, clitest.Write(t, "file", b.String()), func(url string) {
		for _, c := range []struct{ value, want string }{{"", "MiB of inuse_space"}, {"?value=inuse_space", "MiB of inuse_space"}, {"?value=alloc_objects", "of alloc_objects"}, {"?value=other", "MiB of inuse_space"}} {
			resp, page := get(t, url+c.value)
			if resp.StatusCode != http.StatusOK || !strings.Contains(page, c.want) || !strings.Contains(page, "open.TestEachValueOfARealProfileHasAPage") || !strings.Contains(page, `<a href="?value=alloc_space">`) {
				t.Errorf("%q: %s, %.3000s", c.value, resp.Status, page)
			}
		}
	}, "--no-browser")
}

// A trace of Perfetto has one field at its top, and frame times are no message.
func TestAProfileIsKnownByItsFields(t *testing.T) {
	for text, want := range map[string]bool{profiled(t, sampled()): true, "\x0a\x02\x08\x01": false, "\x0a\x00\x32\x00": true, "\x0a\x00\x32\x05": false, "16\n17\n": false, "\x0a": false,
		"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01": false, "": false} {
		if got := isProfile([]byte(text)); got != want {
			t.Errorf("%.40q: %v", text, got)
		}
	}
}
