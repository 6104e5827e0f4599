// SPDX-License-Identifier: BSD-3-Clause

package unit

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// unitAt returns a unit that ended at an instant.
func unitAt(end clock.Instant, took time.Duration) *profile.Unit {
	return &profile.Unit{Start: end - clock.Instant(took), Took: took, Tree: profile.Tree{{Parent: -1, Calls: 1, Total: took, Self: took}},
		Spans: make([]profile.UnitSpan, 10), Notes: []profile.Note{{Key: "route", Value: "/"}}}
}

// counted checks that the memory of what is kept is counted, and that the sample is kept.
func counted(t *testing.T, r *Root) {
	t.Helper()
	bytes, sampled := int64(0), 0
	for _, x := range r.all {
		bytes += sizeOf(&x.Unit)
		if x.Sampled {
			sampled++
		}
	}
	for _, b := range r.sample {
		sampled -= len(b.units)
	}
	if bytes != r.bytes || sampled != 0 {
		t.Fatalf("%d bytes are counted of %d, and %d units are sampled and not in a sample", r.bytes, bytes, sampled)
	}
}

func TestTextsCountAsMemory(t *testing.T) {
	u := unitAt(1, 1)
	before := sizeOf(u)
	u.Notes, u.Missing = append(u.Notes, profile.Note{Key: "0123456789", Value: "0123456789"}), append(u.Missing, "0123456789")
	if by := sizeOf(u) - before; by < 30+32+16 {
		t.Errorf("two texts count %d bytes", by)
	}
}

// What a viewer knows, who follows what is kept and what is gone, is what is kept.
func TestAViewerWhoFollowsKnowsWhatIsKept(t *testing.T) {
	k, r := NewKeeper(1<<20), rand.New(rand.NewPCG(3, 4))
	known, cursor, place := map[uint64]bool{}, uint64(0), uint64(0)
	for i := range 40_000 {
		k.Add(unitAt(clock.Instant(i)*20_000_000+clock.Instant(r.IntN(1e9)), time.Duration(r.IntN(1_000_000)+1)))
		if i%97 > 0 {
			continue
		}
		root := k.Root(0)
		gone, next, ok := root.Gone(place)
		if !ok {
			t.Fatal("more is gone than is remembered")
		}
		for _, x := range root.After(cursor) {
			known[x.Number], cursor = x.Sampled, max(cursor, x.Number)
		}
		for _, g := range gone {
			if g.Kept {
				known[g.Number] = false
			} else {
				delete(known, g.Number)
			}
		}
		place = next
		counted(t, root)
		all := root.After(0)
		if len(all) != len(known) {
			t.Fatalf("%d units are kept, the viewer knows %d", len(all), len(known))
		}
		for _, x := range all {
			if sampled, found := known[x.Number]; !found || sampled != x.Sampled {
				t.Fatalf("unit %d is kept, sampled %v: the viewer knows %v, %v", x.Number, x.Sampled, found, sampled)
			}
		}
	}
	_, place, _ = k.Root(0).Gone(place)
	if _, _, ok := k.Root(0).Gone(place + 1); ok {
		t.Error("a place that is not there yet is one")
	}
	k.Forget()
	if _, _, ok := k.Root(0).Gone(place); ok || len(k.Root(0).After(0)) > 0 {
		t.Error("after everything was forgotten, a viewer is not told to look anew")
	}
}

func TestTheSlowestUnitsAreKept(t *testing.T) {
	k, r := NewKeeper(1<<24), rand.New(rand.NewPCG(5, 6))
	var took []time.Duration
	by := map[int64][]time.Duration{}
	for i := range 60_000 {
		end := clock.Instant(i) * 70_000_000 // 70 minutes
		d := time.Duration(r.IntN(1_000_000_000) + 1)
		took = append(took, d)
		by[int64(end)/int64(time.Minute)] = append(by[int64(end)/int64(time.Minute)], d)
		k.Add(unitAt(end, d))
	}
	root := k.Root(0)
	slices.Sort(took)
	for i, x := range root.Longest() {
		if want := took[len(took)-Slowest+i]; x.Unit.Took != want || len(x.Unit.Spans) != 10 || root.Unit(x.Number) != x {
			t.Errorf("slowest %d took %v, want %v; it has %d spans", i, x.Unit.Took, want, len(x.Unit.Spans))
		}
	}
	kept := map[time.Duration]bool{}
	for _, x := range root.After(0) {
		if kept[x.Unit.Took] = true; !x.Slow() && (!x.Sampled || x.Unit.Spans != nil || x.Unit.Left != 10) {
			t.Errorf("%+v is neither slow nor sampled, or has spans", x)
		}
	}
	for minute, all := range by {
		if minute < 10 {
			continue
		}
		slices.Sort(all)
		for _, d := range all[len(all)-ofMinute:] {
			if !kept[d] {
				t.Errorf("%v of minute %d is not kept", d, minute)
			}
		}
	}
	if n := len(root.minutes); n != minutes {
		t.Errorf("the slowest of %d minutes are kept", n)
	}
	if n := len(root.After(0)); n > Slowest+minutes*ofMinute+2*ofFresh+periods*ofPeriod {
		t.Errorf("%d units are kept", n)
	}
}

// A unit that was chosen is kept, once, and a viewer who follows gets it.
func TestAChosenUnitIsKept(t *testing.T) {
	k := NewKeeper(1 << 24)
	for i := range 1000 {
		k.Add(unitAt(clock.Instant(i)*1_000_000, 5_000_000+time.Duration(i)*1000))
	}
	root := k.Root(0)
	cursor := root.N
	known := root.Longest()[0]
	again := known.Unit
	again.Start += 100
	k.Keep(&again)
	if root.N != cursor || len(root.After(cursor)) > 0 {
		t.Error("a unit that was kept already is kept twice")
	}
	fresh := unitAt(77_000, 77)
	k.Keep(fresh)
	k.Keep(fresh)
	counted(t, root)
	if got := root.After(cursor); len(got) != 1 || !got[0].Slow() || got[0].Unit.Took != 77 || len(got[0].Unit.Spans) != 10 {
		t.Fatalf("%d units were added", len(got))
	}
	count := 0
	for _, c := range root.Fine.Changed(0) {
		for _, cell := range c.Cells {
			count += int(cell.N)
		}
	}
	if count != 1000 {
		t.Errorf("%d units are counted", count)
	}
	for i := range 2 * mostChosen {
		k.Keep(unitAt(clock.Instant(i)*1_000_000, 10+time.Duration(i)))
	}
	if root.Unit(cursor+1) != nil || root.Unit(known.Number) == nil || len(root.chosen) != mostChosen {
		t.Error("chosen units are not dropped, or slow ones with them")
	}
}

// Each unit of ten seconds is in the sample with the same probability.
func TestTheSampleIsUniform(t *testing.T) {
	const n, rounds = 320, 400
	hits := make([]int, 4) // by quarter of the period
	for round := range rounds {
		k := NewKeeper(1 << 24)
		k.rand = rand.New(rand.NewPCG(uint64(round), 9))
		for i := range n {
			k.Add(unitAt(clock.Instant(i)*clock.Instant(period/n), time.Duration(1000-i)))
		}
		for _, x := range k.Root(0).After(0) {
			if x.Sampled {
				hits[4*(x.Number-1)/n]++
			}
		}
	}
	for q, h := range hits { // mean 3200, standard deviation below 50
		if h < 2900 || h > 3500 {
			t.Errorf("quarter %d has %d of %d", q, h, rounds*ofPeriod)
		}
	}
}

func TestOldSamplesAreForgotten(t *testing.T) {
	k := NewKeeper(1 << 24)
	for i := range 100 {
		k.Add(unitAt(clock.Instant(i), time.Duration(1+i)))
	}
	k.Add(unitAt(clock.Instant(periods*period), 1))
	for _, x := range k.Root(0).After(0) {
		if x.Sampled != (x.Number == 101) {
			t.Errorf("unit %d is sampled: %v", x.Number, x.Sampled)
		}
	}
	k.Add(unitAt(5, 1)) // too old
	if x := k.Root(0).Unit(102); x != nil && x.Sampled {
		t.Error("a unit of long ago is one of the sample")
	}
}

func TestKeptUnitsAreBounded(t *testing.T) {
	k := NewKeeper(200_000)
	for i := range 20_000 {
		u := unitAt(clock.Instant(i)*clock.Instant(100*time.Millisecond), time.Duration(i%7919+1)*time.Millisecond)
		u.Spans = make([]profile.UnitSpan, mostSpans)
		u.Zone = i % 2
		if k.Add(u); k.roots[0].bytes+k.roots[len(k.roots)-1].bytes > 200_000 && len(k.roots) == 2 {
			t.Fatalf("%d bytes", k.roots[0].bytes+k.roots[1].bytes)
		}
	}
	for _, r := range k.Roots() {
		counted(t, r)
		if len(r.Longest()) < 2 || r.N != 10_000 {
			t.Errorf("%d of %d units are kept", len(r.Longest()), r.N)
		}
	}
	for zone := range mostRoots + 2 {
		u := unitAt(1, 1)
		u.Zone = zone
		k.Add(u)
	}
	if len(k.Roots()) != mostRoots || !k.More || k.Root(mostRoots+1) != nil {
		t.Errorf("%d root zones", len(k.Roots()))
	}
}

func TestTheHeatMapCountsEveryUnitOnce(t *testing.T) {
	k, r := NewKeeper(1<<20), rand.New(rand.NewPCG(7, 8))
	const n = 30_000
	seen, cursor := map[clock.Instant]map[uint16]uint32{}, uint64(0)
	for i := range n {
		k.Add(unitAt(clock.Instant(i)*clock.Instant(10*time.Millisecond)+clock.Instant(r.Int64N(3e9)), time.Duration(r.ExpFloat64()*1e6)))
		if i%100 == 99 {
			for _, c := range k.Root(0).Fine.Changed(cursor) {
				seen[c.From] = map[uint16]uint32{}
				for _, cell := range c.Cells {
					seen[c.From][cell.Index] = cell.N
				}
			}
			cursor = k.Root(0).N
		}
	}
	sum := 0
	for _, cells := range seen {
		for _, n := range cells {
			sum += int(n)
		}
	}
	if sum != n {
		t.Errorf("a viewer sees %d of %d units", sum, n)
	}
	coarse := 0
	for _, c := range k.Root(0).Coarse.Changed(0) {
		if c.From%clock.Instant(k.Root(0).Coarse.Width) != 0 || !slices.IsSortedFunc(c.Cells, func(a, b Cell) int { return int(a.Index) - int(b.Index) }) {
			t.Errorf("%+v", c)
		}
		for _, cell := range c.Cells {
			coarse += int(cell.N)
		}
	}
	if coarse != n {
		t.Errorf("the coarse columns have %d of %d units", coarse, n)
	}
	for i := range 700 {
		k.Add(unitAt(clock.Instant(1000+i)*clock.Instant(time.Second), 1000))
	}
	root := k.Root(0)
	if fine := root.Fine.Changed(0); len(fine) != fineMost {
		t.Errorf("%d columns", len(fine))
	} else if past := root.Past(); len(past) == 0 || past[len(past)-1].From+clock.Instant(root.Coarse.Width) > fine[0].From {
		t.Errorf("the past ends with %+v, the fine columns begin at %v", past[len(past)-1], fine[0].From)
	}
}

func BenchmarkKeep(b *testing.B) {
	k, r := NewKeeper(8<<20), rand.New(rand.NewPCG(1, 1))
	units := make([]*profile.Unit, 1000)
	for i := range units {
		units[i] = unitAt(0, time.Duration(r.ExpFloat64()*1e6))
	}
	b.ReportAllocs()
	now := clock.Instant(0)
	for i := 0; b.Loop(); i++ {
		u := units[i%1000]
		now += 1_000_000
		u.Start = now
		k.Add(u)
	}
}
