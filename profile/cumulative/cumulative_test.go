// SPDX-License-Identifier: BSD-3-Clause

package cumulative

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// A process simulates what a program's Reader delivers.
type process struct {
	nsPerTick float64
	zones     []profile.ZoneInfo
	stats     []profile.ZoneStats
}

func newProcess(nsPerTick float64, zones ...string) *process {
	p := &process{nsPerTick: nsPerTick}
	for _, z := range zones {
		p.zones = append(p.zones, profile.ZoneInfo{Name: z, Every: 1})
	}
	return p
}

func (p *process) calls(zone int, durations ...time.Duration) {
	z := profile.ZoneStats{Zone: zone}
	counts := make([]uint64, cellCount)
	for i, d := range durations {
		z.Calls++
		z.Timed++
		z.Sum += d
		z.Total += d
		z.Self += d
		if i == 0 {
			z.Min, z.Max = d, d
		}
		z.Min, z.Max = min(z.Min, d), max(z.Max, d)
		counts[octaves.Index(uint64(float64(d)/p.nsPerTick))]++
	}
	first, end := 0, len(counts)
	for counts[first] == 0 {
		first++
	}
	for counts[end-1] == 0 {
		end--
	}
	z.Histogram = profile.Histogram{First: first, Counts: counts[first:end], NsPerTick: p.nsPerTick}
	p.stats = append(p.stats, z)
}

// read returns what has happened since the last call: one lane for each zone.
func (p *process) read() profile.Snapshot {
	s := profile.Snapshot{Elapsed: time.Second, Zones: p.zones}
	for i, z := range p.stats {
		s.Lanes = append(s.Lanes, profile.LaneStats{LaneInfo: profile.LaneInfo{ID: i}, Zones: []profile.ZoneStats{z}})
	}
	p.stats = nil
	return s
}

var began = time.Unix(1_700_000_000, 0)

func lognormal(r *rand.Rand, n int, median time.Duration, sigma float64) []time.Duration {
	all := make([]time.Duration, n)
	for i := range all {
		all[i] = time.Duration(float64(median) * math.Exp(sigma*r.NormFloat64()))
	}
	return all
}

func find(t *testing.T, s *State, zone string) Series {
	t.Helper()
	for _, x := range s.Series() {
		if x.Name == zone {
			return x
		}
	}
	t.Fatalf("no series %q", zone)
	return Series{}
}

// quantile computes a quantile as Prometheus does, with exponential interpolation within a bucket.
func quantile(q float64, all ...Series) float64 {
	scale := finest
	for _, s := range all {
		scale = min(scale, s.Buckets.Scale)
	}
	merged := map[int]uint64{}
	n := uint64(0)
	var keys []int
	for _, s := range all {
		n += s.N
		for i, c := range s.Buckets.Counts {
			k := (s.Buckets.Offset + i) >> (s.Buckets.Scale - scale)
			if merged[k] == 0 && c > 0 {
				keys = append(keys, k)
			}
			merged[k] += c
		}
	}
	slices.Sort(keys)
	rank := q * float64(n)
	for _, k := range keys {
		if c := float64(merged[k]); rank <= c {
			return math.Exp2((float64(k) + rank/c) / math.Exp2(float64(scale)))
		} else {
			rank -= c
		}
	}
	return math.NaN()
}

func exact(q float64, all []time.Duration) float64 {
	slices.Sort(all)
	return all[int(q*float64(len(all)))].Seconds()
}

// If the logarithms of durations vary by a tenth or more, quantiles are within 0.2 %: a cell is at most 0.06 wide.
func TestMergedQuantilesOfThreeProcesses(t *testing.T) {
	for _, sigma := range []float64{0.1, 0.3, 1} {
		r := rand.New(rand.NewPCG(1, uint64(sigma*100)))
		var all []time.Duration
		var series []Series
		for i, median := range []time.Duration{9 * time.Millisecond, 10 * time.Millisecond, 12 * time.Millisecond} {
			p, s := newProcess([]float64{0.3125, 1, 0.4761}[i], "tick"), New(Limits{Buckets: 160})
			for range 20 {
				d := lognormal(r, 20_000, median, sigma)
				all = append(all, d...)
				p.calls(0, d...)
				s.Add(p.read(), began)
			}
			series = append(series, find(t, s, "tick"))
		}
		for _, q := range []float64{0.5, 0.99, 0.999} {
			got, want := quantile(q, series...), exact(q, all)
			e := got/want - 1
			t.Logf("sigma %.2f p%g: %.3f ms, %+.3f %%, scale %d", sigma, q*100, got*1e3, e*100, series[0].Buckets.Scale)
			if math.Abs(e) > 0.002 {
				t.Errorf("sigma %.2f: p%g is %v, want %v: off by %.2f %%", sigma, q*100, got, want, e*100)
			}
		}
	}
}

// Where in its cell a duration lies is unknown, so a quantile may be off by the width of a cell.
func TestQuantilesOfNarrowDistributions(t *testing.T) {
	for _, sigma := range []float64{0, 0.001, 0.01, 0.03} {
		r := rand.New(rand.NewPCG(2, 2))
		p, s := newProcess(0.3125, "tick"), New(Limits{Buckets: 160})
		d := lognormal(r, 200_000, 10*time.Millisecond, sigma)
		for range 100 { // otherwise the shortest and the longest call would show where in the cell all calls lie
			d = append(d, time.Millisecond, 100*time.Millisecond)
		}
		p.calls(0, d...)
		s.Add(p.read(), began)
		x := find(t, s, "tick")
		for _, q := range []float64{0.01, 0.5, 0.99} {
			got, want := quantile(q, x), exact(q, d)
			t.Logf("sigma %g p%g: %+.3f %%", sigma, q*100, (got/want-1)*100)
			if e := math.Abs(got/want - 1); e > 0.0625+0.011 {
				t.Errorf("sigma %v: p%g is off by %.2f %%", sigma, q*100, e*100)
			}
		}
	}
}

func TestCountsAndSumsAreThoseOfTheCalls(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, perReading := range []int{1, 3, 100, 10_000} {
		p, s := newProcess(0.3125, "a", "b"), New(Limits{Buckets: 160, Bounds: map[string][]float64{"b": {0.001, 0.01, 0.1}}})
		want := map[string]time.Duration{}
		n := uint64(0)
		for range 50 {
			for z, name := range []string{"a", "b"} {
				d := lognormal(r, perReading, time.Millisecond, 2)
				for _, x := range d {
					want[name] += x
				}
				p.calls(z, d...)
			}
			n += uint64(perReading)
			s.Add(p.read(), began)
		}
		for _, x := range s.Series() {
			if x.Calls != n || x.N != n || x.Buckets.N() != n || x.Sum != want[x.Name] || x.Total != want[x.Name] {
				t.Errorf("%s: %d calls, %d in %d, %v, %v; want %d, %v", x.Name, x.Calls, x.Buckets.N(), x.N, x.Sum, x.Total, n, want[x.Name])
			}
		}
	}
}

func TestASelfTimeThatWasUnknownOnceStaysUnknown(t *testing.T) {
	s := New(Limits{Buckets: 160})
	for i, unknown := range []bool{false, true, false} {
		s.Add(profile.Snapshot{Zones: []profile.ZoneInfo{{Name: "z"}}, Lanes: []profile.LaneStats{{Zones: []profile.ZoneStats{{Calls: 1, Timed: 1, Total: 5, Sum: 5, SelfUnknown: unknown}}}}}, began)
		if got := s.Series()[0].SelfUnknown; got != (i > 0) {
			t.Errorf("after %d readings: unknown %v", i+1, got)
		}
	}
}

// With one call per reading, calls go to the buckets of their cell in turn.
func TestSingleCallsAreDividedLikeMany(t *testing.T) {
	many, single := newProcess(0.3125, "a"), newProcess(0.3125, "a")
	sm, ss := New(Limits{Buckets: 160}), New(Limits{Buckets: 160})
	d := lognormal(rand.New(rand.NewPCG(4, 4)), 20_000, time.Millisecond, 0.3)
	many.calls(0, d...)
	sm.Add(many.read(), began)
	for _, x := range d {
		single.calls(0, x)
		ss.Add(single.read(), began)
	}
	for _, q := range []float64{0.1, 0.5, 0.9, 0.99} {
		a, b := quantile(q, find(t, sm, "a")), quantile(q, find(t, ss, "a"))
		if math.Abs(a/b-1) > 0.005 {
			t.Errorf("q %v: %v in one reading, %v one by one", q, a, b)
		}
	}
}

func TestClassicBucketsAgreeWithTheTruth(t *testing.T) {
	bounds := []float64{0.0005, 0.001, 0.0015, 0.002, 0.01}
	p, s := newProcess(0.3125, "a"), New(Limits{Buckets: 160, Bounds: map[string][]float64{"a": bounds}})
	d := lognormal(rand.New(rand.NewPCG(5, 5)), 200_000, time.Millisecond, 0.5)
	p.calls(0, d...)
	s.Add(p.read(), began)
	x := find(t, s, "a")
	for i, b := range bounds {
		want := 0
		for _, y := range d {
			if y.Seconds() <= b {
				want++
			}
		}
		if e := math.Abs(float64(x.AtMost[i]) - float64(want)); e > 0.001*float64(len(d)) {
			t.Errorf("%d calls up to %v s, want %d", x.AtMost[i], b, want)
		}
	}
}

func TestSampledCallsStandForThoseAfterThem(t *testing.T) {
	p, s := newProcess(1, "a"), New(Limits{Buckets: 160})
	p.calls(0, 100*time.Microsecond, 200*time.Microsecond)
	p.stats[0].Calls, p.stats[0].Sum = 201, 30*time.Millisecond
	s.Add(p.read(), began)
	if x := find(t, s, "a"); x.N != 201 || x.Buckets.N() != 201 || x.Sum != 30*time.Millisecond {
		t.Errorf("%+v", x)
	}
}

func TestCallsOfUnknownDurationWait(t *testing.T) {
	p, s := newProcess(1, "a"), New(Limits{Buckets: 160})
	p.stats = []profile.ZoneStats{{Zone: 0, Calls: 10, Sum: time.Second, Total: time.Second}}
	s.Add(p.read(), began)
	if x := find(t, s, "a"); x.Calls != 10 || x.N != 0 || x.Sum != 0 || x.Buckets.N() != 0 {
		t.Errorf("%+v", x)
	}
	p.calls(0, time.Millisecond)
	s.Add(p.read(), began)
	if x := find(t, s, "a"); x.Calls != 11 || x.N != 11 || x.Sum != time.Second+time.Millisecond || x.Buckets.N() != 11 {
		t.Errorf("%+v", x)
	}
}

// Timed calls whose cells are not known yet may be the slow ones.
func TestTimedCallsWithoutACellAreNotFiledWithOthers(t *testing.T) {
	p, s := newProcess(1, "a"), New(Limits{Buckets: 160, Bounds: map[string][]float64{"a": {0.1}}})
	fast := make([]time.Duration, 100)
	for i := range fast {
		fast[i] = time.Millisecond
	}
	p.calls(0, fast...)
	p.stats[0].Calls, p.stats[0].Timed = 105, 105
	s.Add(p.read(), began)
	if x := find(t, s, "a"); x.Calls != 105 || x.N != 100 || x.Buckets.N() != 100 || x.AtMost[0] != 100 {
		t.Errorf("%+v", x)
	}
	slow := make([]time.Duration, 5)
	for i := range slow {
		slow[i] = 2 * time.Second
	}
	p.calls(0, slow...)
	p.stats[0].Calls, p.stats[0].Timed = 0, 0
	s.Add(p.read(), began)
	if x := find(t, s, "a"); x.N != 105 || x.Buckets.N() != 105 || x.AtMost[0] != 100 {
		t.Errorf("%+v", x)
	}
	p.stats = []profile.ZoneStats{{Zone: 0, Calls: 7, Timed: 7}} // the budget does not allow their distribution
	s.Add(p.read(), began)
	if x := find(t, s, "a"); x.Calls != 112 || x.N != 105 || x.Buckets.N() != 105 {
		t.Errorf("%+v", x)
	}
}

func TestCellsAheadOfTheCallsWait(t *testing.T) {
	p, s := newProcess(1, "a"), New(Limits{Buckets: 160})
	p.calls(0, time.Millisecond, 2*time.Millisecond, 4*time.Millisecond)
	p.stats[0].Calls = 2
	s.Add(p.read(), began)
	if x := find(t, s, "a"); x.N != 2 || x.Buckets.N() != 2 {
		t.Errorf("%+v", x)
	}
	p.stats = []profile.ZoneStats{{Zone: 0, Calls: 1}}
	s.Add(p.read(), began)
	if x := find(t, s, "a"); x.N != 3 || x.Buckets.N() != 3 {
		t.Errorf("%+v", x)
	}
}

// Nothing may decrease while zones come and go, their order changes and resolution is lost.
func TestNothingEverDecreases(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprintf("z%d", i%17)) // some zones have the same name
	}
	p := newProcess(0.3125, names...)
	s := New(Limits{Zones: 5, Buckets: 20, Bounds: map[string][]float64{"z3": {0.001, 1}}})
	before := map[string]Series{}
	changes := 0
	for range 200 {
		p.nsPerTick *= 1 + 1e-6*r.NormFloat64()
		for z := range names {
			if r.IntN(3) == 0 {
				p.calls(z, lognormal(r, 1+r.IntN(20), time.Duration(math.Exp(r.NormFloat64())*1e6), 1)...)
			}
		}
		s.Add(p.read(), began)
		series := s.Series()
		if len(series) != 6 {
			t.Fatalf("%d series, want 5 and the rest", len(series))
		}
		for _, x := range series {
			b, ok := before[x.Name]
			if !ok {
				changes++
			}
			if x.Calls < b.Calls || x.Total < b.Total || x.Self < b.Self || x.N < b.N || x.Sum < b.Sum {
				t.Fatalf("%+v after %+v", x, b)
			}
			if ok && x.Buckets.Scale > b.Buckets.Scale {
				t.Fatalf("scale %d after %d", x.Buckets.Scale, b.Buckets.Scale)
			}
			for i, n := range b.AtMost {
				if x.AtMost[i] < n {
					t.Fatalf("%v after %v", x.AtMost, b.AtMost)
				}
			}
			old := map[int]uint64{}
			for i, n := range b.Buckets.Counts {
				old[(b.Buckets.Offset+i)>>(b.Buckets.Scale-x.Buckets.Scale)] += n
			}
			for i, n := range x.Buckets.Counts {
				if k := x.Buckets.Offset + i; n < old[k] {
					t.Fatalf("%s: bucket %d has %d after %d", x.Name, k, n, old[k])
				}
				delete(old, x.Buckets.Offset+i)
			}
			for k, n := range old {
				if n > 0 {
					t.Fatalf("%s: bucket %d of %d calls is gone", x.Name, k, n)
				}
			}
			before[x.Name] = x
		}
	}
	if changes <= 6 {
		t.Error("no zone took the series of another: the test shows nothing")
	}
}

func TestTheZonesWithTheMostTimeHaveSeries(t *testing.T) {
	p, s := newProcess(1, "a", "b", "c", "d"), New(Limits{Zones: 2, Buckets: 160})
	for z, ms := range []int{1, 20, 3, 40} {
		p.calls(z, time.Duration(ms)*time.Millisecond)
	}
	s.Add(p.read(), began)
	if b, d, rest := find(t, s, "b"), find(t, s, "d"), find(t, s, Other); b.Calls != 1 || d.Calls != 1 || rest.Calls != 2 || rest.Total != 4*time.Millisecond || rest.N != 2 {
		t.Errorf("%+v", s.Series())
	}
	p.calls(0, time.Second)
	s.Add(p.read(), began.Add(time.Minute))
	a := find(t, s, "a")
	if a.Calls != 0 || !a.Since.Equal(began.Add(time.Minute)) {
		t.Errorf("the series of a zone that counted elsewhere begins with %+v", a)
	}
	if rest := find(t, s, Other); rest.Calls != 3 {
		t.Errorf("%+v", rest)
	}
	p.calls(0, time.Second)
	s.Add(p.read(), began)
	if a := find(t, s, "a"); a.Calls != 1 || a.Total != time.Second {
		t.Errorf("%+v", a)
	}
}

func TestInconsistentReadingsDoNotPanic(t *testing.T) {
	s := New(Limits{Zones: 1})
	s.Add(profile.Snapshot{}, began)
	s.Add(profile.Snapshot{Zones: []profile.ZoneInfo{{Name: "\xff"}, {Name: Other}}, Pooled: []profile.ZoneStats{
		{Zone: 0, Calls: 5, Histogram: profile.Histogram{First: -3, Counts: []uint64{1}}},
		{Zone: 1, Calls: 5, Histogram: profile.Histogram{First: cellCount - 1, Counts: []uint64{1}, NsPerTick: math.NaN()}},
		{Zone: 9, Calls: 5},
	}}, began)
	s.Add(profile.Snapshot{Zones: []profile.ZoneInfo{{Name: "x"}}}, began)
	for _, x := range s.Series() {
		if x.Buckets.N() != x.N {
			t.Errorf("%+v", x)
		}
	}
}

func TestFrameTimesOfLoopsAddUp(t *testing.T) {
	s := New(Limits{Buckets: 160})
	var main []time.Duration
	now := time.Unix(1000, 0)
	of := func(name string, all []time.Duration) profile.FrameStats {
		f := profile.FrameStats{Name: name, Turns: uint64(len(all)), Min: slices.Min(all), Max: slices.Max(all)}
		h := profile.Histogram{First: 0, Counts: make([]uint64, octaves.Index(uint64(f.Max))+1), NsPerTick: 1}
		for _, d := range all {
			f.Sum += d
			h.Counts[octaves.Index(uint64(d))]++
		}
		f.Histogram = h
		return f
	}
	rng := rand.New(rand.NewPCG(5, 5))
	for range 3 {
		var later []time.Duration
		for range 1000 {
			later = append(later, time.Duration(16e6*math.Exp(0.2*rng.NormFloat64())))
		}
		main = append(main, later...)
		s.Add(profile.Snapshot{Elapsed: time.Second, Frames: []profile.FrameStats{of("main", later), of("bad\xff", []time.Duration{5e6})}}, now)
		s.Add(profile.Snapshot{Frames: []profile.FrameStats{{Name: "main"}, {Name: "bad\xff"}}}, now) // nothing new
	}
	s.Add(profile.Snapshot{Frames: []profile.FrameStats{{Name: "main", Turns: 1}}}, now) // the first turn of all has no frame time
	all := s.Loops()
	if len(all) != 2 || all[0].Name != "bad\uFFFD" || all[1].Name != "main" {
		t.Fatalf("%+v", all)
	}
	l := all[1]
	if l.Calls != 3001 || l.N != 3000 || l.Buckets.N() != 3000 || l.Sum != of("", main).Sum || !l.Since.Equal(now.Add(-time.Second)) {
		t.Errorf("%d calls, %d durations, %d in buckets, sum %v, since %v", l.Calls, l.N, l.Buckets.N(), l.Sum, l.Since)
	}
	slices.Sort(main)
	rank := uint64(0)
	for i, n := range l.Buckets.Counts {
		if rank += n; rank >= 1500 {
			if lo, hi := l.Buckets.Bounds(i); hi < main[1500].Seconds()*0.99 || lo > main[1500].Seconds()*1.01 {
				t.Errorf("the median is in %v to %v s, want %v", lo, hi, main[1500])
			}
			break
		}
	}
}

func TestSeriesDoNotChangeAfterwards(t *testing.T) {
	s := New(Limits{Buckets: 160, Bounds: map[string][]float64{"a": {1e-3}}})
	p := newProcess(1, "a", "b")
	add := func(zone int) {
		p.calls(zone, time.Microsecond, time.Millisecond)
		s.Add(p.read(), began)
	}
	add(0)
	add(1)
	all := s.Series()
	before, revisions := fmt.Sprint(all), [2]uint64{all[0].Revision, all[1].Revision}
	add(0)
	if after := fmt.Sprint(all); after != before {
		t.Error("the series have changed")
	}
	now := s.Series()
	if now[0].Revision == revisions[0] || now[1].Revision != revisions[1] {
		t.Errorf("revisions %d and %d after %v: only the first zone had calls", now[0].Revision, now[1].Revision, revisions)
	}
}

func TestLimitsThatAreZeroAreTheDefaults(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	p, zero, written := newProcess(1, "a"), New(Limits{}), New(Limits{Buckets: 160})
	p.calls(0, lognormal(r, 3000, time.Millisecond, 3)...)
	reading := p.read()
	zero.Add(reading, began)
	written.Add(reading, began)
	got, want := find(t, zero, "a").Buckets, find(t, written, "a").Buckets
	if got.Scale != want.Scale || !slices.Equal(got.Counts, want.Counts) {
		t.Errorf("scale %d and %d buckets, want %d and %d", got.Scale, len(got.Counts), want.Scale, len(want.Counts))
	}
}
