// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
)

// script returns a source of these readings, which repeat, each time larger by the last one.
func script(readings ...int64) func() int64 {
	i := 0
	return func() int64 {
		at := readings[i%len(readings)] + int64(i/len(readings))*readings[len(readings)-1]
		i++
		return at
	}
}

func TestDeltasDescribeConsecutiveReadings(t *testing.T) {
	// Three of eleven deltas are 0 and one is -30; the others are multiples of 10.
	d := Source{Read: script(0, 0, 50, 70, 40, 60, 60, 80, 100, 120, 140), raw: true}.deltas(1100)
	if d.back != 100 || d.same != 3./11 || d.step != 10 || d.min != 20 || d.p50 != 20 || d.p99 != 50 {
		t.Errorf("%+v", d)
	}
	// Unfenced readings differ by at least one; fenced readings show the true step.
	if d := (Source{Read: script(1, 2, 3, 4), fenced: script(0, 26, 78), raw: true}).deltas(1000); d.step != 26 || d.min != 1 {
		t.Errorf("%+v", d)
	}
	// Steps of 10.4 ns are rounded to 10 and 11, whose common divisor of 1 would be wrong.
	fine := 0.0
	if d := (Source{Read: func() int64 { fine += 10.4 * float64(1+int(fine)%3); return int64(fine) }}).deltas(1000); d.step != 10 {
		t.Errorf("%+v", d)
	}
}

func TestStepOfACoarseClockIsTheMedianOfItsChanges(t *testing.T) {
	reads := int64(0)
	tick := func() int64 { // changes at every thirtieth reading by 4000, sometimes by 8000
		reads++
		return 4000 * (reads/30 + reads/300)
	}
	if d := (Source{Read: tick}).deltas(1000); d.step != 4000 || d.same < 0.96 || d.back != 0 || d.p50 != 0 || d.p99 != 4000 {
		t.Errorf("%+v", d)
	}
	if d := (Source{Read: func() int64 { return 7 }}).deltas(1000); d.step != 0 || d.same != 1 {
		t.Errorf("a clock that does not advance has %+v", d)
	}
	back := int64(0)
	if steps := (Source{Read: func() int64 { back -= 5; return back }}).changes(100, 1*ms); len(steps) != 0 {
		t.Errorf("steps of a clock that runs backwards: %v", steps)
	}
	reads = 0
	if steps := (Source{Read: tick}).changes(5, 3600_000*ms); len(steps) != 4 { // the first step began before the first reading
		t.Errorf("steps %v", steps)
	}
}

func TestCostIsTheMedianOfTheRounds(t *testing.T) {
	now, round := int64(1e9), int64(0)
	read := func() int64 { round++; return now }
	if ns := cost(read, func() { // in a third of the rounds a call takes ten times as long
		if now += 40; round%3 == 0 {
			now += 360
		}
	}); ns != 40 {
		t.Errorf("a call takes %v ns, want 40", ns)
	}
}

func TestAnchorOfASourceIsTheTightestBracket(t *testing.T) {
	now, reads := int64(1e6), int64(0)
	s := Source{Read: func() int64 { reads++; return reads * 1000 }}
	got := s.anchor(func() int64 {
		if now += 50; reads == 20 || reads == 40 {
			now -= 40 - reads/20 // the brackets of the 20th and the 40th reading are tight, the first a little tighter
		}
		return now
	})
	if got.tick != 20_000 || got.width != 11 || got.ns >= now {
		t.Errorf("%+v", got)
	}
	if a := (Source{Read: func() int64 { return 5 }}).anchor(script(100, 110, 200)); a != (anchor{tick: 5, ns: 105, width: 10}) {
		t.Errorf("%+v", a)
	}
}

func TestRateOfASourceIsMeasuredBetweenTwoAnchors(t *testing.T) {
	start, end := anchor{tick: 5000, ns: 1000, width: 10}, anchor{tick: 5000 + 10_000_100, ns: 1000 + 100*ms, width: 30}
	d := deltas{step: 2, min: 1, p50: 3, p99: 4, same: 0.5, back: 6}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
	var g Granularity
	if err := g.measure(Source{Hz: 1e8}, start, end, d); err != nil || !g.Rated || !near(g.Hz, 100_001_000) || !near(g.PPM, 10) ||
		!near(g.PPMError, 0.6) || g.Step != 20 || g.DeltaMin != 10 || g.DeltaP50 != 30 || g.DeltaP99 != 40 || g.Same != 0.5 || g.Back != 6 {
		t.Errorf("%+v, %v", g, err) // the widths make 20 ns and two steps 40 ns uncertain, of 100 ms
	}
	g = Granularity{}
	if err := g.measure(Source{}, start, end, d); err != nil || g.Rated || g.PPMError != 0 || !near(g.Hz, 100_001_000) || !near(g.Step, 20/1.00001) {
		t.Errorf("of an unknown unit: %+v, %v", g, err)
	}
	g = Granularity{Hz: 1e8}
	if err := g.measure(Source{Hz: 1e8, Slow: true}, start, end, d); err != nil || g.Rated || g.Hz != 1e8 || g.Step != 20 {
		t.Errorf("of another kind of time: %+v, %v", g, err)
	}
	for _, tick := range []uint64{5000, 4000} {
		g = Granularity{}
		if err := g.measure(Source{Name: "x"}, start, anchor{tick: tick, ns: end.ns}, d); err == nil || err.Error() != "clock: source x stands still or runs backwards" {
			t.Errorf("from tick 5000 to %d: %+v, %v", tick, g, err)
		}
	}
}

func TestReadingsBehindAnotherProcessorsAreCounted(t *testing.T) {
	if runtime.NumCPU() < 2 || runtime.GOMAXPROCS(0) < 2 {
		t.Skip("one processor")
	}
	var n atomic.Int64
	forward, backward := Source{Read: func() int64 { return n.Add(1) }}, Source{Read: func() int64 { return -n.Add(1) }}
	total, back, held := across(forward, 100)
	for range 100 { // the time is limited, and the machine may be busy
		if total > 0 {
			break
		}
		total, back, held = across(forward, 100)
	}
	if total == 0 || total > 100 || back != 0 || held != (len(processors()) >= 2) {
		t.Errorf("a clock that advances: %d of %d lay behind; each on its processor: %v", back, total, held)
	}
	if total, back, _ := across(backward, 100); back+1 < total || back > total {
		t.Errorf("a clock that goes back: %d of %d lay behind", back, total)
	}
	if _, back, _ := across(Source{Read: func() int64 { return 7 }}, 100); back != 0 { // a coarse clock does not step back
		t.Errorf("%d of equal readings lay behind", back)
	}
	if total, _, _ := across(forward, math.MaxInt); total%64 != 0 {
		t.Errorf("ended after %d", total)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if total, back, held := across(backward, 100); total != 0 || back != 0 || held {
		t.Errorf("on one processor: %d of %d", back, total)
	}
}

func TestDescriptionOfAnEpoch(t *testing.T) {
	e := flat()
	e.rate, e.err, e.steps, e.strikes = 0.5, -300, 2, 1
	want := Info{Source: counterName, Reference: referenceName, Hz: 2e9, Error: 325, Anchored: 5 * ms, Baseline: 9000 * ms, Steps: 2, Strikes: 1}
	if got := e.info(10_005 * ms); got != want {
		t.Errorf("%+v", got)
	}
	e.mode, e.reason = fallback, "why"
	if got := e.info(10_005 * ms); got != (Info{Source: referenceName, Reference: referenceName, Reason: "why", Steps: 2, Strikes: 1}) {
		t.Errorf("%+v", got)
	}
}

func TestCommonStepFindsTheGranularity(t *testing.T) {
	rounded := func(step float64, n int) (d []int64) { // deltas of a clock that rounds down to ns
		for i := 1; i <= n; i++ {
			k := float64(2 + i%4)
			d = append(d, int64(step*(k+float64(i)))-int64(step*float64(i)))
		}
		return d
	}
	for _, c := range []struct {
		name  string
		steps []int64
		slack float64
		want  float64
	}{
		{"ticks of 26", []int64{52, 52, 78, 52, 104, 130}, 0, 26},
		{"10.015 ns floored to ns", rounded(10.015, 5000), 1.5, 10},
		{"100 ns exactly", []int64{200, 300, 200, 500}, 1.5, 100},
		{"every ns", []int64{31, 32, 33, 34, 35, 47}, 1.5, 1},
		{"none", nil, 0, 0},
	} {
		sorted := append([]int64(nil), c.steps...)
		slices.Sort(sorted)
		if got := commonStep(sorted, c.slack); got != c.want {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}
