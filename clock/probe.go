// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Source is one clock of this machine, as Sources lists them.
type Source struct {
	Name string
	Read func() int64 // the raw reading; nil if Err is set
	Hz   float64      // units of Read in a second; 0 if only Probe can tell
	Err  error        // why it cannot be read here
	Slow bool         // it measures processor time or such, not time: its rate means nothing

	raw    bool         // integer ticks: the greatest common divisor of deltas is exact
	fenced func() int64 // reads the same clock in order, where Read does not: shows the true step
}

// Granularity is what Probe found out about a Source. Times are in ns.
type Granularity struct {
	Name      string
	Hz        float64 // units per second as measured against the reference
	Overhead  float64 // cost of one reading, median
	PerSecond float64 // readings that fit in a second
	Step      float64 // smallest step: the divisor that all deltas share, or the median change of a coarse clock

	DeltaMin, DeltaP50, DeltaP99 float64 // of readings back to back
	Same                         float64 // share of neighbours that read the same, 0 to 1

	Back       uint64 // readings that lay before the one taken just before, on one processor
	BackAcross uint64 // readings that lay before one that another processor had already published
	Across     uint64 // how many readings BackAcross is out of; 0 if there is only one processor
	Pinned     bool   // the two processors of Across were held fast

	Rated    bool    // PPM is known: the source measures time and its unit is known or claimed
	PPM      float64 // rate against the reference, parts per million; above 0 is fast
	PPMError float64 // what PPM may be off by
}

// Probe examines one clock for about 100 ms (a coarse one up to 300 ms): what a reading costs, by which steps it goes,
// whether it steps back and how fast it runs against the operating system's clock. It fails if the source cannot be read
// or ctx ends first. Two probes at once disturb each other.
func Probe(ctx context.Context, s Source) (Granularity, error) {
	if s.Read == nil {
		return Granularity{}, cmp.Or(s.Err, errors.New("clock: source "+s.Name+" has no Read"))
	}
	for Now(); master.load().mode == warming; { // what runs in the first millisecond is the reference
		Now()
	}
	g := Granularity{Name: s.Name, Hz: s.Hz}
	start := s.anchor()
	g.Overhead = cost(func() { s.Read() })
	g.PerSecond = 1e9 / max(g.Overhead, 0.01)
	if err := ctx.Err(); err != nil {
		return g, err
	}

	d := pinned(s)
	if err := ctx.Err(); err != nil {
		return g, err
	}
	if !s.Slow {
		g.Across, g.BackAcross, g.Pinned = across(s, 100_000)
	}

	for master.hw.reference()-start.ns < 100*ms {
		if err := ctx.Err(); err != nil {
			return g, err
		}
		time.Sleep(time.Millisecond)
	}
	end := s.anchor()
	span := float64(end.ns - start.ns)
	if !s.Slow && end.tick != start.tick {
		g.Hz = float64(int64(end.tick-start.tick)) / span * 1e9
		if s.Hz != 0 {
			g.Rated = true
			g.PPM = (g.Hz/s.Hz - 1) * 1e6
			g.PPMError = (float64(start.width+end.width)/2 + 2*d.step*1e9/s.Hz) / span * 1e6
		}
	}
	if g.Hz <= 0 {
		return g, errors.New("clock: source " + s.Name + " stands still or runs backwards")
	}
	unit := 1e9 / cmp.Or(s.Hz, g.Hz)
	g.Step, g.DeltaMin, g.DeltaP50, g.DeltaP99 = d.step*unit, d.min*unit, d.p50*unit, d.p99*unit
	g.Same, g.Back = d.same, d.back
	return g, nil
}

// anchor sees s and the reference at once; width is in ns of the reference.
func (s Source) anchor() anchor {
	best := anchor{width: math.MaxUint64}
	for range 64 {
		a := master.hw.reference()
		t := s.Read()
		b := master.hw.reference()
		if w := uint64(b - a); w < best.width {
			best = anchor{tick: uint64(t), ns: a + (b-a)/2, width: w}
		}
	}
	return best
}

// deltas describes readings taken back to back, in the source's units.
type deltas struct {
	step, min, p50, p99, same float64
	back                      uint64
}

func (s Source) deltas(n int) deltas {
	d := make([]int64, n)
	last := s.Read()
	for i := range d {
		t := s.Read()
		d[i], last = t-last, t
	}
	var out deltas
	for _, v := range d {
		if v < 0 {
			out.back++
		} else if v == 0 {
			out.same++
		}
	}
	out.same /= float64(n)
	slices.Sort(d)
	first, _ := slices.BinarySearch(d, 1)
	out.p50, out.p99 = float64(d[n/2]), float64(d[n-1-n/100])
	if out.same > 0.9 { // it changes more rarely than we read: wait for the changes
		if steps := s.changes(100, 200*ms); len(steps) > 0 {
			slices.Sort(steps)
			out.step = float64(steps[len(steps)/2])
		}
		return out
	}
	steps := d[first:]
	if len(steps) > 0 {
		out.min = float64(steps[0])
	}
	if s.fenced != nil { // unfenced readings are forced apart by one tick
		out.step = Source{Read: s.fenced, raw: s.raw}.deltas(n).step
		return out
	}
	slack := 0.0
	if !s.raw {
		slack = 1.5 // a reading in ns rounds steps that are no whole number of ns
	}
	out.step = commonStep(steps, slack)
	return out
}

// changes polls until the reading has changed n times or ns have passed, and returns the changes.
func (s Source) changes(n int, ns int64) []int64 {
	var steps []int64
	deadline := master.hw.reference() + ns
	last := s.Read()
	for i := 0; len(steps) < n; i++ {
		if t := s.Read(); t != last {
			if t > last {
				steps = append(steps, t-last)
			}
			last = t
		}
		if i%64 == 0 && master.hw.reference() > deadline {
			break
		}
	}
	if len(steps) > 1 {
		return steps[1:] // the first began before we looked
	}
	return steps
}

// commonStep returns the largest number that divides all deltas which are no rarities, each to within slack; 1 if only
// the unit does, 0 if there are none. Euclid's algorithm on the distinct values of steps, which are sorted.
func commonStep(steps []int64, slack float64) float64 {
	if len(steps) == 0 {
		return 0
	}
	rare := len(steps) / 200
	var g float64
	for i := 0; i < len(steps); {
		j := i
		for j < len(steps) && steps[j] == steps[i] {
			j++
		}
		if j-i > rare {
			g = divisor(g, float64(steps[i]), slack)
		}
		i = j
	}
	if g <= 2*slack { // no telling apart
		return 1
	}
	return math.Round(g)
}

func divisor(a, b, slack float64) float64 {
	for a > slack {
		r := math.Mod(b, a)
		if a-r <= slack { // just short of a multiple
			r = 0
		}
		a, b = r, a
	}
	return b
}

// pinned takes the deltas on one processor where the system lets us choose it.
func pinned(s Source) deltas {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if cpus := processors(); len(cpus) > 0 {
		defer unpin(cpus)
		pin(cpus[0])
	}
	return s.deltas(20_000)
}

// across lets two processors hand a stamp back and forth n times and counts the readings that lay before the stamp just
// received. A reading that does not wait for the hand-over (see NowOrdered) shows here, as does a skew between cores.
func across(s Source, n int) (total, back uint64, held bool) {
	if runtime.GOMAXPROCS(0) < 2 || runtime.NumCPU() < 2 {
		return 0, 0, false
	}
	var (
		turn  atomic.Int64 // even: ours, odd: theirs
		stamp atomic.Int64
		wrong atomic.Uint64
		fast  atomic.Bool
		wg    sync.WaitGroup
	)
	cpus := processors()
	fast.Store(len(cpus) >= 2)
	deadline := master.hw.reference() + 30*ms
	player := func(parity int64) {
		defer wg.Done()
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if len(cpus) >= 2 {
			defer unpin(cpus)
			if pin(cpus[parity]) != nil {
				fast.Store(false)
			}
		}
		for i := parity; i < int64(n); i += 2 {
			for spins := 0; turn.Load() != i; spins++ {
				if turn.Load() < 0 {
					return
				}
				if spins%1024 == 1023 {
					runtime.Gosched()
				}
			}
			t := s.Read()
			if t < stamp.Load() {
				wrong.Add(1)
			}
			stamp.Store(t)
			if i%64 == 0 && master.hw.reference() > deadline {
				total = uint64(i)
				turn.Store(-1)
				return
			}
			turn.Store(i + 1)
		}
	}
	stamp.Store(math.MinInt64)
	wg.Add(2)
	go player(0)
	go player(1)
	wg.Wait()
	if turn.Load() >= 0 {
		total = uint64(n)
	}
	return total, wrong.Load(), fast.Load()
}
