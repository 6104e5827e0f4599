// SPDX-License-Identifier: BSD-3-Clause

package soak

import (
	"context"
	"maps"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv(Variable) != "" {
		Program()
		return
	}
	os.Exit(m.Run())
}

// lines writes each line to the log of a test.
type lines struct{ t *testing.T }

func (l lines) Write(b []byte) (int, error) {
	l.t.Log(strings.TrimSpace(string(b)))
	return len(b), nil
}

// The long form is the table Soak, which ./check bench -table Soak measures. What needs long, such as whether memory grows, is only shown here.
func TestEverythingAtOnceCountsExactly(t *testing.T) { everything(t, 0, false) }

func TestEverythingAtOnceCountsExactlyBeyondTheBudget(t *testing.T) { everything(t, 1<<20, true) }

// everything runs a soak with a budget; shared says whether goroutines have to share a lane.
func everything(t *testing.T, budget int64, shared bool) {
	o := Short(t.TempDir())
	o.Budget = budget
	r, err := Run(context.Background(), o, func() *exec.Cmd { return exec.Command(os.Args[0]) }, lines{t})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Missing["misuse"] != ""; got != shared {
		t.Errorf("goroutines share a lane: %v, want %v", got, shared)
	}
	for name, c := range r.Checks {
		t.Logf("%s: %d looks", name, c.Number)
		if c.Wrong > 0 {
			t.Errorf("%s: %d of %d are wrong: %s", name, c.Wrong, c.Number, c.First)
		}
	}
	for _, name := range []string{"counts/snapshot", "counts/readings", "counts/page", "counts/scrapes", "counts/snapshot.json", "counts/captures", "waits"} {
		if r.Checks[name].Number == 0 {
			t.Errorf("%s: nothing was looked at", name)
		}
	}
	for name, figures := range r.Figures {
		t.Log(name, figures)
	}
	for name, reason := range r.Missing {
		t.Logf("%s is not known: %s", name, reason)
	}
	for _, name := range []string{"run/calls", "run/goroutines"} {
		if r.Figures[name]["number"] == 0 {
			t.Errorf("%s: nothing was done", name)
		}
	}
	if runtime.GOOS != "linux" {
		return
	}
	for _, name := range []string{"RSS-MB", "descriptors"} {
		if r.Figures[name] == nil && !strings.Contains(r.Missing[name], "too few") { // on a busy machine
			t.Errorf("%s is absent: %q; there are %q", name, r.Missing[name], slices.Sorted(maps.Keys(r.Figures)))
		}
	}
}

func TestASourceThatMiscountsIsFound(t *testing.T) {
	ended, begun := make(counts, zones), make(counts, zones)
	ended[parse], begun[parse] = 10, 12
	for _, tt := range []struct {
		said  []uint64 // calls of parse, by successive looks
		wrong uint64
	}{{[]uint64{10, 12}, 0}, {[]uint64{9}, 1}, {[]uint64{13}, 1}, {[]uint64{12, 11}, 1}} {
		var c checks
		s := source{name: "said"}
		for _, n := range tt.said {
			said := make(counts, zones)
			said[parse] = n
			s.compare(&c, said, ended, begun)
		}
		if got := c.list()["said"]; got.Wrong != tt.wrong || got.Number != uint64(len(tt.said)*zones) || (got.First == "") != (tt.wrong == 0) {
			t.Errorf("%v: %+v", tt.said, got)
		}
	}
}

func TestGrowthIsThatOfTheMedianBetweenTheEnds(t *testing.T) {
	var samples []float64
	for i := range 100 {
		samples = append(samples, 100+float64(i))
	}
	samples[50], samples[3] = 1000, 0
	got, ok := flat(samples)
	if want := map[string]float64{"settled": 109.5, "at-end": 189.5, "most": 1000}; !ok || got["settled"] != want["settled"] || got["at-end"] != want["at-end"] ||
		got["most"] != want["most"] || math.Abs(got["grew-%"]-73.06) > 0.01 {
		t.Errorf("%v %v, want %v", got, ok, want)
	}
	if got, ok := flat(samples[:least-1]); ok {
		t.Errorf("%v of too few samples", got)
	}
}
