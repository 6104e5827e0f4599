// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/internal/tether"
	"github.com/strobe-go/strobe/profile"
)

// measured is a reading of n functions on each of m goroutines; function i has i+1 calls of a millisecond.
func measured(n, m int) tether.Reading {
	var r tether.Reading
	for i := range n {
		r.Snapshot.Zones = append(r.Snapshot.Zones, profile.ZoneInfo{Name: fmt.Sprintf("f%d", i), Every: 1})
	}
	for j := range m {
		l := profile.LaneStats{LaneInfo: profile.LaneInfo{ID: j, Name: fmt.Sprintf("g%d", j)}}
		for i := range n {
			d := time.Duration(i+1) * time.Millisecond
			l.Zones = append(l.Zones, profile.ZoneStats{Zone: i, Calls: uint64(i + 1), Timed: uint64(i + 1), Total: d, Self: d, Sum: d})
		}
		r.Snapshot.Lanes = append(r.Snapshot.Lanes, l)
	}
	r.Last = true
	return r
}

func textOf(x *report, rows int) string {
	p := new(layout.Printer)
	x.text(p, rows)
	return p.String()
}

// A goroutine for each request, as in many servers: a lane has the figures of all that had it.
func TestALaneIsNotSaidToBeOneGoroutineIfManyHadIt(t *testing.T) {
	r := measured(1, 2)
	r.Snapshot.Lanes[1].Earlier, r.Snapshot.Lanes[1].Name = 1137, "g1 +1137"
	x := newReport(".", ending{}, r, time.Now(), true)
	text := strings.Join(strings.Fields(textOf(x, 10)), " ")
	for _, want := range []string{"g1 +1137 f0", "2 of 2 lanes, which 1139 goroutines had one after the other (+N stands for the N before the one named), with 100.0 % of the self time."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing: %s", want, text)
		}
	}
	if o := x.object(&instrument.Plan{}, 10); o.Lanes[0].Earlier+o.Lanes[1].Earlier != 1137 {
		t.Errorf("%+v", o.Lanes)
	}
	r.Snapshot.Lanes[0].ID = -1 // lanes that are added up
	for earlier, want := range map[uint64]string{0: "at least 2 goroutines", 7: "at least 2 lanes, which at least 9 goroutines had one after the other"} {
		r.Snapshot.Lanes[1].Earlier = earlier
		if got := newReport(".", ending{}, r, time.Now(), true).goroutines(); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAReportIsBoundedAndSaysWhatItCovers(t *testing.T) {
	x := newReport(".", ending{}, measured(100, 100), time.Now(), true)
	text := textOf(x, 10)
	if n := strings.Count(text, "\n"); n > 40 {
		t.Errorf("%d lines", n)
	}
	for _, want := range []string{"10 of 100 functions that were called, with 18.9 % of their self time; --rows -1 shows all", "3 of 100 goroutines with 3.0 % of the self time"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	if all := textOf(x, -1); strings.Count(all, "\n") < 10_100 || strings.Contains(all, "--rows") {
		t.Errorf("%d lines of all", strings.Count(all, "\n"))
	}
	if i := slices.IndexFunc(x.functions, func(f function) bool { return f.zone.Name == "f99" }); i != 0 {
		t.Errorf("the function with the most self time is number %d", i+1)
	}
}

func TestWaitsHaveATableOfTheirOwn(t *testing.T) {
	r := measured(3, 1)
	r.Snapshot.Zones[2].Wait = true
	x := newReport(".", ending{}, r, time.Now(), true)
	if len(x.waits) != 1 || len(x.functions) != 2 || x.functions[0].share != 2.0/3 {
		t.Errorf("%+v, %+v", x.waits, x.functions)
	}
	if text := textOf(x, 24); !strings.Contains(text, "waiting") {
		t.Error(text)
	}
}

func TestTheTimesOfASampledFunctionAreEstimates(t *testing.T) {
	r := measured(1, 1)
	z := &r.Snapshot.Lanes[0].Zones[0]
	z.Calls, z.Timed, z.Total, z.Sum = 6400, 100, 6400*time.Millisecond, 6400*time.Millisecond
	z.Self = z.Total
	z.Histogram = profile.Histogram{First: 0, Counts: []uint64{50, 0, 50}, NsPerTick: 1e6}
	r.Sampled = []tether.Sampled{{Zone: 0, Every: 64, Share: 0.03, Of: "g0"}, {Zone: 7, Every: 2}}
	x := newReport(".", ending{}, r, time.Now(), true)
	f := x.functions[0]
	if f.err < 0.1 || f.err > 0.3 { // a standard deviation as large as the mean, of a hundred calls
		t.Errorf("± %v", f.err)
	}
	text := strings.Join(strings.Fields(textOf(x, 24)), " ")
	for _, want := range []string{"estimate from 100 calls, mean ±", "sampled for their cost: f0 1 in 64 (measuring took 3.0 % of g0)"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	z.Sum = 6400 * time.Microsecond
	if text := textOf(newReport(".", ending{}, r, time.Now(), true), 24); !strings.Contains(text, "mean ± 100 % or more") {
		t.Errorf("the intervals of a mean that is a thousandth of the scatter are given:\n%s", text)
	}
	z.Timed = z.Calls
	if f := newReport(".", ending{}, r, time.Now(), true).functions[0]; f.err != 0 {
		t.Errorf("± %v, though all calls were timed", f.err)
	}
}

func TestADeadlockIsNamed(t *testing.T) {
	r := measured(1, 1)
	r.Asleep = true
	at := time.Now()
	for code, want := range map[int]string{2: "ended because all of its goroutines waited", 0: "of 3 s before the end, since all goroutines waited for each other then"} {
		x := newReport(".", ending{code: code, at: at.Add(3 * time.Second)}, r, at, true)
		if said := strings.Join(x.sentences(), "\n"); !strings.Contains(said, want) || (x.missing == 0) != (code == 2) || x.object(&instrument.Plan{}, 24).Deadlock != (code == 2) {
			t.Errorf("exit code %d: missing %v: %s", code, x.missing, said)
		}
	}
}

// costs sets what spans took in a reading.
func costs(r tether.Reading, took time.Duration) tether.Reading {
	r.Least, r.Spans, r.Most = took*8/10, took, took*23/10
	return r
}

func TestTheReportSaysWhatTheNextRunLeavesOut(t *testing.T) {
	r, p := costing(0.3, 0.001, 0.1)
	x := newReport(".", ending{}, r, time.Now(), true)
	x.tooCostly = x.costly(p)
	want := "the next run leaves out 2 zones, which slowed this one: f0 by 30.0 % (it had 8.3 % of the self time), f2 by 10.0 % (it had 25.0 % of the self time); --all-functions keeps them"
	if text := strings.Join(x.sentences(), "\n"); !strings.Contains(text, want) {
		t.Error(text)
	}
	p.Costly = x.tooCostly
	if o := x.object(p, 24); len(o.TooCostly) != 2 || len(o.LeftOut) != 2 || o.LeftOut[0].Name != "f0" || o.LeftOut[0].Share == 0 || o.TooCostly[1].Self == 0 {
		t.Errorf("%+v", o)
	}
}

func TestTheSlowdownIsUnknownWhereItCannotBeTold(t *testing.T) {
	for _, x := range []struct {
		r    tether.Reading
		want string
	}{
		{tether.Reading{}, "this system does not tell its processor time"},
		{tether.Reading{Processor: time.Millisecond}, "it used only 1 ms"},
		{costs(tether.Reading{Processor: time.Second}, 2*time.Second), "not known: at what a call costs in a loop, its calls would have taken all of the 1 s"},
		{costs(tether.Reading{Processor: 1200 * time.Millisecond, Reading: 100 * time.Millisecond}, 100*time.Millisecond), "by 7.8 % to 26.4 %"},
		{costs(tether.Reading{Processor: 1200 * time.Millisecond}, 700*time.Millisecond), "by 87.5 % or more"},
		{costs(tether.Reading{Processor: 1200 * time.Millisecond}, 480*time.Millisecond), "by 47.1 % or more"}, // up to 1150 % says less
	} {
		if got := estimate(x.r, ending{}).String(); !strings.Contains(got, x.want) {
			t.Errorf("%q, want %q", got, x.want)
		}
	}
}

func TestNothingIsNotZero(t *testing.T) {
	x := newReport(".", ending{signal: "SIGKILL"}, tether.Reading{}, time.Time{}, false)
	if text := textOf(x, 24); !strings.Contains(text, "nothing is known") || !strings.Contains(text, "SIGKILL") {
		t.Error(text)
	}
	if o := x.object(&instrument.Plan{}, 24); o.Known || o.Slower != nil {
		t.Errorf("%+v", o)
	}
}
