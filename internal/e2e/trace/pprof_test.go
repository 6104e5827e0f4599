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

// pprof returns what go tool pprof says of what write writes.
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

// A row is what -top says of a zone.
type row struct{ flat, cum float64 }

// top reads the table of -top.
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

// number is seconds if s has a unit.
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
			continue // pprof prints it over the terminal as it is
		}
		r, ok := rows[name]
		if !ok {
			t.Errorf("no row for %s in %v", name, rows)
			continue
		}
		// Each span's times are rounded to ns for themselves.
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

func TestPprofShowsTheSnapshotFlat(t *testing.T) {
	_, snapshot := run()
	write := func(w io.Writer) error { return trace.WriteProfile(w, snapshot) }
	for i, kind := range []string{"wall", "self"} {
		rows := top(t, pprof(t, write, "-top", "-unit=ns", "-nodefraction=0", "-sample_index="+kind))
		for _, z := range snapshot.Totals() {
			want := []time.Duration{z.Total, z.Self}[i].Seconds()
			if name := snapshot.Zones[z.Zone].Name; name != awkward {
				near(t, kind+" of "+name, rows[name].flat, want, 2e-9)
				near(t, kind+" of "+name+", cum", rows[name].cum, want, 2e-9)
			}
		}
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
