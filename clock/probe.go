// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"
)

// A Source is a clock of this machine. Sources lists them.
type Source struct {
	Name string
	Read func() int64 // the raw reading; nil if Err is set
	Hz   float64      // units of Read per second; 0 if only Probe can tell
	Err  error        // why the clock cannot be read on this machine
	Slow bool         // the clock measures processor time or the like, so that its rate means nothing
	Call bool         // each reading is a system call, which is part of its cost; other programs may read the clock without one

	raw    bool         // readings are whole ticks: the greatest common divisor of their differences is exact
	fenced func() int64 // reads the same clock in program order, where Read does not; shows the true step
}

// Granularity is the result of Probe. Times are in ns. Two groups of figures may be missing: the error of the rate, unless Rated, and
// BackAcross if Across is 0. Every other 0 was measured, and with an error of Probe there is nothing but the name.
type Granularity struct {
	Name      string
	Hz        float64 // units per second as measured against the reference
	Overhead  float64 // cost of one reading, median
	PerSecond float64 // readings that fit into a second
	Step      float64 // smallest step: the common divisor of all differences, or the median change of a coarse clock; 0 if it never changed

	DeltaMin, DeltaP50, DeltaP99 float64 // differences of consecutive readings
	Same                         float64 // share of consecutive readings that were equal, 0 to 1

	Back       uint64 // readings that were earlier than the one before, on one processor
	BackAcross uint64 // readings that were earlier than one that another processor had already published
	Across     uint64 // how many readings BackAcross is out of; 0 if none could be compared: one processor, a Slow source, or a busy machine
	Pinned     bool   // the goroutines of Across were each bound to a processor

	Rated    bool    // whether PPM is known: the source measures time, in a known unit
	PPM      float64 // error of the rate against the reference, in parts per million; positive is fast
	PPMError float64 // uncertainty of PPM
}

// Probe examines a clock for some tenths of a second: what a reading costs, the size of its steps,
// whether it goes back, and how fast it runs compared with the operating system's clock. The error says why the source
// cannot be read, or that ctx ended first. Two probes at the same time disturb each other. Probe is for programs that report on the
// machine; strobe probe shows its results for all Sources.
func Probe(ctx context.Context, s Source) (Granularity, error) {
	g, err := probe(ctx, s)
	if err != nil {
		return Granularity{Name: s.Name}, err
	}
	return g, nil
}

// probe is Probe, but with an error some figures may have been measured.
func probe(ctx context.Context, s Source) (Granularity, error) {
	if s.Read == nil {
		return Granularity{}, cmp.Or(s.Err, errors.New("clock: source "+s.Name+" has no Read"))
	}
	for Now(); master.load().mode == warming; { // what runs in the first millisecond is the reference
		Now()
	}
	g := Granularity{Name: s.Name, Hz: s.Hz}
	start := s.anchor(master.hw.reference)
	g.Overhead = cost(master.hw.reference, func() { s.Read() })
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
	return g, g.measure(s, start, s.anchor(master.hw.reference), d)
}

// measure enters the rate between two anchors of s, and the deltas of its readings. The error says why there is no rate.
func (g *Granularity) measure(s Source, start, end anchor, d deltas) error {
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
		return errors.New("clock: source " + s.Name + " stands still or runs backwards")
	}
	unit := 1e9 / cmp.Or(s.Hz, g.Hz)
	g.Step, g.DeltaMin, g.DeltaP50, g.DeltaP99 = d.step*unit, d.min*unit, d.p50*unit, d.p99*unit
	g.Same, g.Back = d.same, d.back
	return nil
}

// anchor reads s between two readings of the reference: the tightest of 64 brackets. The width is in ns of the reference.
func (s Source) anchor(reference func() int64) anchor {
	best := anchor{width: math.MaxUint64}
	for range 64 {
		a := reference()
		t := s.Read()
		b := reference()
		if w := uint64(b - a); w < best.width {
			best = anchor{tick: uint64(t), ns: a + (b-a)/2, width: w}
		}
	}
	return best
}
