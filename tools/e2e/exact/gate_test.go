// SPDX-License-Identifier: BSD-3-Clause

// Package exact tests strobe exact, strobe gate --exact and strobe bisect --exact with the emulated machine, and pauses it.
package exact

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	before = "package p\n\nconst Every = 8\n\nfunc Sum(n int) (s int) {\n\tfor i := range n {\n\t\ts ^= i * i\n\t}\n\treturn s\n}\n"
	tests  = `package p

import (
	"strings"
	"testing"
)

var sink any

func BenchmarkSum(b *testing.B) {
	for b.Loop() {
		Sum(2000)
	}
}

// One call in eight allocates.
func BenchmarkSome(b *testing.B) {
	for i := range b.N {
		if i%Every == 0 {
			sink = new(int)
		}
	}
}

// It allocates, and fills maps.
func BenchmarkFill(b *testing.B) {
	for range b.N {
		m := map[string][]byte{}
		for i := range 50 {
			m[strings.Repeat("x", i)] = make([]byte, 10*i)
		}
		sink = m
	}
}
`
)

// module creates a git repository with the base, and with changes in its working tree.
func module(t *testing.T, after string) (strobe, dir string) {
	t.Helper()
	strobe = os.Getenv("STROBE")
	if strobe == "" {
		t.Skip("a part of another step: ./check emulated builds the command that STROBE names and runs this")
	}
	dir = t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/p\n\ngo 1.24\n")
	write("p.go", before)
	write("p_test.go", tests)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "base"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	write("p.go", after)
	return strobe, dir
}

type report struct {
	By         string
	Benchmarks []struct {
		Name, Outcome, Sentence string
		Ratio                   struct{ Center float64 }
		Rounds                  int
		Metrics                 []metric
	}
}

type metric struct {
	Name, Outcome string
	Base, New     float64
}

func gate(t *testing.T, after string, flags ...string) (r report, code int) {
	t.Helper()
	strobe, dir := module(t, after)
	cmd := exec.Command(strobe, append([]string{"gate", "HEAD", "--exact", "--json"}, flags...)...)
	cmd.Dir = dir
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	t.Logf("%s%s", out, complaints.String())
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	return r, cmd.ProcessState.ExitCode()
}

func TestHalfAPercentMoreInstructionsIsFound(t *testing.T) {
	after := strings.NewReplacer("range n", "range n + n/200", "Every = 8", "Every = 4").Replace(before)
	r, code := gate(t, after, "--gate=0.3%", "--limit=allocs=0")
	if code != 1 || r.By != "instructions (emulated)" || len(r.Benchmarks) != 3 {
		t.Fatalf("exit %d, %+v", code, r)
	}
	for _, b := range r.Benchmarks {
		switch b.Name {
		case "Sum":
			if b.Outcome != "failed" || b.Ratio.Center < 1.0045 || b.Ratio.Center > 1.0055 {
				t.Errorf("%+v", b)
			}
		case "Some": // allocations are not cut to integers
			if i := slices.IndexFunc(b.Metrics, func(m metric) bool { return m.Name == "allocs" }); i < 0 || b.Metrics[i].Outcome != "failed" ||
				math.Abs(b.Metrics[i].Base-0.125) > 0.01 || math.Abs(b.Metrics[i].New-0.25) > 0.01 {
				t.Errorf("%+v", b)
			}
		case "Fill": // the code that it runs is the same
			if b.Outcome != "passed" || !alike(b.Ratio.Center) {
				t.Errorf("%+v", b)
			}
		}
	}
}

func TestWhatIsNotRunCostsNothing(t *testing.T) {
	r, code := gate(t, before+"\nvar Used = Unused\n\nfunc Unused(s string) string {\n\tif s == \"\" {\n\t\tpanic(s)\n\t}\n\treturn s + s\n}\n", "--gate=0.1%")
	if code != 0 || len(r.Benchmarks) != 3 {
		t.Fatalf("exit %d, %+v", code, r)
	}
	for _, b := range r.Benchmarks {
		if b.Name == "Sum" && (b.Ratio.Center != 1 || b.Rounds != 1) || !alike(b.Ratio.Center) {
			t.Errorf("%+v", b)
		}
	}
}

// alike reports whether a ratio is possible for the same code in two builds. The work of the heap depends on the program's
// addresses.
func alike(ratio float64) bool { return ratio > 0.9995 && ratio < 1.0005 }

// Without -benchtime, or with a duration, builds that differ little make the same number of calls.
func TestTheNumberOfCallsIsTheSameInBuildsThatDifferLittle(t *testing.T) {
	result := regexp.MustCompile(`BenchmarkSum\S*\s+(\d+)\s+(\d+) instructions/op`)
	after := strings.Replace(before, "range n", "range n + n/200", 1)
	for _, c := range []struct{ flags, codes []string }{{nil, []string{before, before, after}}, {[]string{"-benchtime=1s"}, []string{before, after}}} {
		var calls, counts []string
		for _, code := range c.codes {
			strobe, dir := module(t, code)
			cmd := exec.Command(strobe, append([]string{"exact", "test", ".", "-trimpath", "-run=^$", "-bench=Sum"}, c.flags...)...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			found := result.FindSubmatch(out)
			if err != nil || found == nil {
				t.Fatalf("%v: %s", err, out)
			}
			calls, counts = append(calls, string(found[1])), append(counts, string(found[2]))
		}
		last := len(counts) - 1
		if calls[0] != calls[1] || calls[0] != calls[last] || strings.Trim(calls[0], "0") != calls[0][:1] || counts[0] != counts[last-1] || counts[0] == counts[last] {
			t.Errorf("%q: %q calls, %q instructions", c.flags, calls, counts)
		}
		t.Logf("%q: %q calls, %q instructions", c.flags, calls, counts)
	}
}
