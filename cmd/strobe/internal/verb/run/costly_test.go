// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument"
	"github.com/strobe-go/strobe/internal/tether"
	"github.com/strobe-go/strobe/profile"
)

// costing is a reading of a program that used a second and that zones slowed: measured with the costs of zones, as shares of the rest. A
// further function, of which nobody asked, has half of the self time.
func costing(shares ...float64) (tether.Reading, *instrument.Plan) {
	r, p := measured(len(shares), 1), new(instrument.Plan)
	self := time.Duration(0)
	for _, z := range r.Snapshot.Lanes[0].Zones {
		self += z.Self
	}
	r.Processor = time.Second
	sum := 0.0
	for _, s := range shares {
		sum += s
	}
	own := float64(time.Second) / (1 + sum)
	for i, s := range shares {
		r.Costs = append(r.Costs, s*own)
		z := &r.Snapshot.Zones[i]
		z.Where = "/a/f.go:7"
		p.Zones = append(p.Zones, instrument.Zone{Name: z.Name, Package: "a", Position: "f.go:7"})
	}
	r.Snapshot.Zones, r.Costs = append(r.Snapshot.Zones, profile.ZoneInfo{Name: "other", Every: 1}), append(r.Costs, 0)
	r.Snapshot.Lanes[0].Zones = append(r.Snapshot.Lanes[0].Zones, profile.ZoneStats{Zone: len(shares), Calls: 1, Timed: 1, Total: self, Self: self})
	return costs(r, time.Duration(sum*own)), p
}

// names returns those of zones.
func names(all []instrument.Costly) string {
	var text []string
	for _, c := range all {
		text = append(text, c.Name)
	}
	return strings.Join(text, " ")
}

func TestTheNextBuildLeavesOutWhatSlowsTheProgram(t *testing.T) {
	for _, x := range []struct {
		shares []float64
		want   string
	}{
		{nil, ""}, {[]float64{0.039}, ""}, {[]float64{0.041}, "f0"},
		{[]float64{0.009, 0.2, 0.009, 0.5}, "f3 f1"}, {[]float64{0.01, 0.015, 0.019}, "f0 f1"},
		{[]float64{0.0005, 0.03, 0.05}, "f2 f1"}, {[]float64{0.03, 0.015, 0.0001}, "f0"},
	} {
		r, p := costing(x.shares...)
		all := newReport(".", ending{}, r, time.Now(), true).costly(p)
		if got := names(all); got != x.want {
			t.Errorf("%v: %q, want %q", x.shares, got, x.want)
		}
		for _, c := range all {
			i := slices.IndexFunc(p.Zones, func(z instrument.Zone) bool { return z.Name == c.Name })
			if math.Abs(c.Share-x.shares[i]) > 1e-6 || c.Self <= 0 {
				t.Errorf("%v: %+v", x.shares, c)
			}
		}
	}
}

// On a busy machine, calls are measured to cost more than the program used. It is slow all the same, and by what.
func TestTheNextBuildLeavesOutWhatSeemsToTakeMoreThanThereIs(t *testing.T) {
	r, p := costing(1.5, 0.5, 0.001)
	r.Processor -= r.Spans - r.Spans/3 // a third of what calls seem to have cost, and the program's own
	x := newReport(".", ending{}, r, time.Now(), true)
	if x.slow.known {
		t.Fatalf("%+v", x.slow)
	}
	all, sum := x.costly(p), 0.0
	for _, c := range all {
		sum += c.Share
	}
	if names(all) != "f0 f1" || sum < 3 || sum > 4 {
		t.Errorf("%s by %v, want f0 and f1 by 4, which is what 0.8 of the time is of 0.2", names(all), sum)
	}
	r.Steady = []float64{0.1 * (r.Costs[0] + r.Costs[1]) / 4, 0, 0, 0} // of what zones cost, of which the program's own time is a fourth: the same part
	r.Snapshot.Lanes[0].Zones[0].Self = 10 * time.Second
	if all := newReport(".", ending{}, r, time.Now(), true).costly(p); all == nil {
		t.Error("nothing is left out, though measuring a sampled zone takes a tenth of the time")
	}
	r.Steady[0] *= 0.7
	if all := newReport(".", ending{}, r, time.Now(), true).costly(p); all != nil {
		t.Errorf("%s are left out, though measuring takes 7 %%", names(all))
	}
}

// Without its zone, the time of a wait would be that of the function that waits.
func TestAWaitThatTakesMuchOfTheTimeIsNotLeftOut(t *testing.T) {
	for _, x := range []struct {
		costs [2]float64 // of the wait, and of a function
		total time.Duration
		want  string
	}{
		{[2]float64{0.03, 0.03}, time.Hour, "f1"},
		{[2]float64{0.03, 0.03}, 1, "f0 f1"},
		{[2]float64{0.2, 0.03}, time.Hour, "f1 f0"},
	} {
		r, p := costing(x.costs[:]...)
		r.Snapshot.Zones[0].Wait = true
		r.Snapshot.Lanes[0].Zones[0].Total = x.total
		report := newReport(".", ending{}, r, time.Now(), true)
		if got := names(report.costly(p)); got != x.want {
			t.Errorf("%+v: %q, want %q", x, got, x.want)
		}
	}
}

// Without its zone, the time of a function would be that of its callers. What such zones cost is no reason to leave out more of the others.
func TestAFunctionThatTakesMuchOfTheTimeIsNotLeftOut(t *testing.T) {
	for _, x := range []struct {
		self time.Duration // of the first function, of which measuring takes 3 % of a second
		want string
	}{
		{20 * time.Second, "f1 f3"}, // 0.15 % of it
		{time.Second, "f1 f3"},      // 3 % of it, but without it nothing would be known of most of the time
		{5 * time.Millisecond, "f1 f3 f0"},
	} {
		r, p := costing(0.03, 0.03, 0.0002, 0.04)
		r.Snapshot.Lanes[0].Zones[0].Self = x.self
		for i := range 40 { // others, of which each takes little
			z := profile.ZoneInfo{Name: fmt.Sprint("g", i), Where: "/a/f.go:7"}
			r.Snapshot.Zones, r.Costs = append(r.Snapshot.Zones, z), append(r.Costs, 2e-5*float64(time.Second))
			p.Zones = append(p.Zones, instrument.Zone{Name: z.Name, Package: "a", Position: "f.go:7"})
			r.Snapshot.Lanes[0].Zones = append(r.Snapshot.Lanes[0].Zones, profile.ZoneStats{Zone: len(r.Snapshot.Zones) - 1, Calls: 1, Timed: 1, Total: 1, Self: 1})
		}
		if got := names(newReport(".", ending{}, r, time.Now(), true).costly(p)); got != x.want {
			t.Errorf("%v of self time: %q, want %q", x.self, got, x.want)
		}
	}
}

func TestOnlyZonesThatThePlanMayLeaveOutAre(t *testing.T) {
	for name, adjust := range map[string]func(r *tether.Reading, p *instrument.Plan){
		"of the program itself": func(r *tether.Reading, p *instrument.Plan) { p.Zones = nil },
		"a unit":                func(r *tether.Reading, p *instrument.Plan) { p.Zones[0].Stays = true },
		"elsewhere":             func(r *tether.Reading, p *instrument.Plan) { p.Zones[0].Position = "f.go:8" },
		"two of that name":      func(r *tether.Reading, p *instrument.Plan) { p.Zones = append(p.Zones, p.Zones[0]) },
		"of a short run": func(r *tether.Reading, p *instrument.Plan) {
			r.Processor = leastProcessor / 2
			*r = costs(*r, r.Spans/20)
		},
		"of an older library": func(r *tether.Reading, p *instrument.Plan) { r.Costs = nil },
	} {
		r, p := costing(0.5)
		adjust(&r, p)
		if all := newReport(".", ending{}, r, time.Now(), true).costly(p); all != nil {
			t.Errorf("%s: %v", name, all)
		}
	}
}

// A report in which one function has nearly all of the time, since the zones of those that it calls are left out, helps nobody.
func TestANextBuildShowsWhereTheTimeOfAnInterpreterGoes(t *testing.T) {
	// Of the self time, which is 10 s, f0 to f9 have a tenth each. Measuring each costs a tenth of the program's own time, or steady of it once
	// it is sampled.
	interpreter := func(steady float64) (tether.Reading, *instrument.Plan) {
		r, p := costing(0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1)
		for i := range p.Zones {
			r.Snapshot.Lanes[0].Zones[i].Self = time.Second
			r.Steady = append(r.Steady, 10*steady*r.Costs[i])
		}
		return r, p
	}
	for name, x := range map[string]struct {
		steady float64
		adjust func(r *tether.Reading, p *instrument.Plan)
		left   int // zones that the next build leaves out
	}{
		"sampled":                     {0.021, nil, 8},
		"sampled, which costs less":   {0.0079, nil, 0},
		"sampled, which costs more":   {0.0081, nil, 4},
		"not sampled":                 {0.1, nil, 10},
		"of which one is sampled":     {0.1, func(r *tether.Reading, _ *instrument.Plan) { r.Steady[3] = r.Costs[3] / 5 }, 9},
		"measured by another library": {0, func(r *tether.Reading, _ *instrument.Plan) { r.Steady = nil }, 10},
		"with one function that has most of the time": {0, func(r *tether.Reading, _ *instrument.Plan) {
			r.Snapshot.Lanes[0].Zones[9].Self = 100 * time.Second
		}, 9},
		"of which most was left out before": {0.021, func(r *tether.Reading, p *instrument.Plan) {
			r.Snapshot.Lanes[0].Zones[9].Self = 100 * time.Second
			p.Costly = []instrument.Costly{{Name: "x", Self: 0.3}, {Name: "y", Self: 0.15}}
		}, 7},
	} {
		r, p := interpreter(x.steady)
		if x.adjust != nil {
			x.adjust(&r, p)
		}
		if all := newReport(".", ending{}, r, time.Now(), true).costly(p); len(all) != x.left {
			t.Errorf("%s: %d zones are left out, want %d: %s", name, len(all), x.left, names(all))
		}
	}
}
