// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/trace"
)

// pprof returns the output of go tool pprof for the profile that write writes.
func pprof(t *testing.T, write func(io.Writer) error, args ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "zones.pb.gz")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", append(append([]string{"tool", "pprof"}, args...), name)...).CombinedOutput()
	if err != nil {
		t.Fatalf("go tool pprof %s: %v\n%s\nremedy: a Go installation that is whole, in PATH", args, err, out)
	}
	return string(out)
}

// A row is a zone in the output of -top.
type row struct{ flat, cum float64 }

// top parses the table of -top.
func top(t *testing.T, out string) map[string]row {
	t.Helper()
	_, table, ok := strings.Cut(out, "cum%\n")
	if !ok {
		t.Fatalf("no table in %s", out)
	}
	rows := map[string]row{}
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) < 6 {
			t.Fatalf("not a row: %q", line)
		}
		flat, err := number(f[0])
		cum, err2 := number(f[3])
		if err != nil || err2 != nil {
			t.Fatalf("not a row: %q", line)
		}
		rows[strings.Join(f[5:], " ")] = row{flat, cum}
	}
	return rows
}

// number parses a number; with a unit the result is in seconds.
func number(s string) (float64, error) {
	if d, err := time.ParseDuration(s); err == nil {
		return d.Seconds(), nil
	}
	return strconv.ParseFloat(s, 64)
}

func TestPprofShowsStacksWithSelfAsFlatAndTotalAsCum(t *testing.T) {
	timeline, snapshot := run()
	write := func(w io.Writer) error { return trace.WriteStacks(w, timeline) }
	rows := top(t, pprof(t, write, "-top", "-unit=ns", "-nodefraction=0", "-sample_index=self"))
	for _, z := range snapshot.Totals() {
		name := snapshot.Zones[z.Zone].Name
		if name == awkward {
			continue // pprof prints control characters unchanged
		}
		r, ok := rows[name]
		if !ok {
			t.Errorf("no row for %s in %v", name, rows)
			continue
		}
		// The times of each span are rounded to ns separately.
		near(t, name+" flat", r.flat, z.Self.Seconds(), 1e-9*float64(4*z.Calls))
		near(t, name+" cum", r.cum, z.Total.Seconds(), 1e-9*float64(4*z.Calls))
	}
	rows = top(t, pprof(t, write, "-top", "-nodefraction=0", "-sample_index=calls"))
	for name, n := range calls {
		if name != shown && rows[name].flat != float64(n) {
			t.Errorf("%s: %v calls, want %d", name, rows[name].flat, n)
		}
	}
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if got < want-within || got > want+within {
		t.Errorf("%s: %.9f s, want %.9f s within %.0e", what, got, want, within)
	}
}

// The program counts independently what pprof must show.
func TestPprofShowsTheWholeRunWithSelfAsFlatAndTotalAsCum(t *testing.T) {
	p := newKnown(7)
	write := func(w io.Writer) error { return trace.WriteProfile(w, p.snapshot) }
	rows := top(t, pprof(t, write, "-top", "-unit=ns", "-nodefraction=0", "-sample_index=self"))
	byCalls := top(t, pprof(t, write, "-top", "-nodefraction=0", "-sample_index=calls"))
	for zone, name := range p.names() {
		if got, want := rows[name], (row{p.self[zone].Seconds(), p.total[zone].Seconds()}); !close(got.flat, want.flat) || !close(got.cum, want.cum) {
			t.Errorf("%s: %+v s, want %+v", name, got, want)
		}
		if got := byCalls[name].flat; got != float64(p.calls[zone]) {
			t.Errorf("%s: %v calls, want %d", name, got, p.calls[zone])
		}
	}
	if len(rows) != len(p.names()) {
		t.Errorf("rows %v", rows)
	}
}

// close compares to the nanosecond, which is the precision of pprof with -unit=ns.
func close(a, b float64) bool { return a-b < 0.6e-9 && b-a < 0.6e-9 }

// -peek prints the callers of a zone, the zone, and its callees, with their times.
func TestPprofPeekShowsCallersAndCallees(t *testing.T) {
	p := newKnown(8)
	write := func(w io.Writer) error { return trace.WriteProfile(w, p.snapshot) }
	for zone, name := range p.names() {
		out := pprof(t, write, "-peek=^"+name+"$", "-unit=ns", "-nodefraction=0", "-edgefraction=0", "-sample_index=self")
		_, table, _ := strings.Cut(out, "context")
		callers, callees, here := map[string]float64{}, map[string]float64{}, false
		for line := range strings.Lines(table) {
			bar := strings.Index(line, "|")
			if bar < 0 {
				continue
			}
			left, right := strings.Fields(line[:bar]), strings.TrimSpace(line[bar+1:])
			switch {
			case len(left) > 2: // the zone itself
				here = true
			case len(left) < 1:
			default:
				v, err := number(left[0])
				if err != nil {
					t.Fatalf("line %q of\n%s", line, out)
				}
				if into := callers; here {
					into = callees
					into[right] = v
				} else {
					into[right] = v
				}
			}
		}
		for other, otherName := range p.names() {
			for what, x := range map[string]struct {
				got  float64
				want time.Duration
			}{"from": {callers[otherName], p.edges[[2]int{other, zone}]}, "to": {callees[otherName], p.edges[[2]int{zone, other}]}} {
				if other == zone {
					continue // pprof leaves out recursive calls
				}
				if !close(x.got, x.want.Seconds()) {
					t.Errorf("%s: %s %s %v s, want %v in\n%s", name, what, otherName, x.got, x.want, out)
				}
			}
		}
	}
}

// -traces prints every stack: the stacks are the paths of the program, with their self times.
func TestPprofTracesAreThePathsOfTheProgram(t *testing.T) {
	p := newKnown(9)
	out := pprof(t, func(w io.Writer) error { return trace.WriteProfile(w, p.snapshot) }, "-traces", "-unit=ns", "-sample_index=self")
	got := map[string]float64{}
	for _, block := range strings.Split(out, "-----------+")[1:] {
		var path []string
		self := 0.0
		for line := range strings.Lines(block) {
			f := strings.Fields(line)
			if len(f) == 2 && len(path) == 0 {
				v, err := number(f[0])
				if err != nil {
					continue // a label
				}
				self, path = v, []string{f[1]}
			} else if len(f) == 1 && len(path) > 0 {
				path = append([]string{f[0]}, path...)
			}
		}
		if len(path) > 0 {
			got[strings.Join(path, ";")] += self
		}
	}
	for path, self := range p.paths {
		if !close(got[path], self.Seconds()) {
			t.Errorf("%s: %v s, want %v", path, got[path], self)
		}
	}
	if len(got) != len(p.paths) {
		t.Errorf("%d paths, want %d in\n%s", len(got), len(p.paths), out)
	}
}

func TestPprofKnowsLanesKindsAndPlaces(t *testing.T) {
	timeline, snapshot := run()
	for name, write := range map[string]func(io.Writer) error{
		"stacks":   func(w io.Writer) error { return trace.WriteStacks(w, timeline) },
		"snapshot": func(w io.Writer) error { return trace.WriteProfile(w, snapshot) },
	} {
		raw := pprof(t, write, "-raw")
		for _, want := range []string{"calls/count", "self/nanoseconds[dflt]", "lane:[main]", "kind:[wait]", "program_test.go"} {
			if !strings.Contains(raw, want) {
				t.Errorf("%s: %q is not in -raw:\n%s", name, want, raw)
			}
		}
		rows := top(t, pprof(t, write, "-top", "-nodefraction=0", "-tagfocus=kind:wait", "-sample_index=calls"))
		if len(rows) != 1 || rows["wait"].flat != turns {
			t.Errorf("%s: waits are %v", name, rows)
		}
	}
}
