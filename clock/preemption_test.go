// SPDX-License-Identifier: BSD-3-Clause

package clock

import "testing"

// A preempted world lets other readers run whenever a reader looks at a clock: before and after, and recursively while those
// others look. So any number of epochs may pass between two steps of a reader.
type preempted struct {
	*world
	d         *discipline
	t         *testing.T
	depth     int
	published int64
	readings  int
	epochs    map[*epoch]bool
}

func (p *preempted) counter() uint64 {
	p.preempt()
	c := p.world.counter()
	p.preempt()
	return c
}

func (p *preempted) reference() int64 {
	p.preempt()
	ns := p.world.reference()
	p.preempt()
	return ns
}

// preempt sometimes lets another reader run, after a pause of up to a few epochs.
func (p *preempted) preempt() {
	e := p.d.load()
	if p.depth == 3 || e.mode != running || p.noise.IntN(400) != 0 {
		return
	}
	p.depth++
	pauses := []float64{100, 50_000, ms, float64(e.end-e.base) / p.hz * 1e9, 2e9}
	for range 1 + p.noise.IntN(6) {
		p.sleep(p.noise.ExpFloat64() * pauses[p.noise.IntN(len(pauses))])
		p.read()
	}
	p.depth--
}

// read reads the clock, compares the result with what has been published, and publishes it.
func (p *preempted) read() {
	seen := p.published
	now := p.d.now()
	if now < seen {
		p.t.Errorf("at %.6f s: read %d ns before a published instant, at depth %d", p.ns/1e9, seen-now, p.depth)
	}
	p.published = max(p.published, now)
	p.readings++
	p.epochs[p.d.load()] = true
}

// aroundTheEnd reads often around the end of an epoch.
func (p *preempted) aroundTheEnd() {
	e := p.d.load()
	if left := int64(e.end - uint64(p.ticks)); e.mode == running && left > 0 {
		p.sleep(float64(left)/p.hz*1e9 - 20_000)
	}
	for range 60 {
		p.sleep(p.noise.ExpFloat64() * 1000)
		p.read()
	}
}

func TestReadersPreemptedAnywhereNeverReadBeforeAPublishedInstant(t *testing.T) {
	for seed := range seeds(60) {
		w := seeded(seed)
		p := &preempted{world: w, t: t, epochs: map[*epoch]bool{}}
		p.d = &discipline{cur: new(epoch), hw: p}
		for range 100 {
			for range 50 {
				w.sleep(w.noise.ExpFloat64() * 5e6)
				p.read()
			}
			p.aroundTheEnd()
			switch w.noise.IntN(20) { // the reference is slewed, or steps ahead as after a suspend, or the counter does
			case 0:
				drift := w.drift
				w.drift = (w.noise.Float64() - 0.5) * 200e-6
				w.lag += int64(w.ns*(1+w.drift)) - int64(w.ns*(1+drift))
			case 1:
				w.lag -= int64(w.noise.ExpFloat64() * 300_000)
			}
			if t.Failed() {
				t.Fatalf("seed %d, after %d readings in %d epochs", seed, p.readings, len(p.epochs))
			}
		}
		if e := p.d.load(); len(p.epochs) < 50 || e.mode != running {
			t.Errorf("seed %d: %d readings in only %d epochs, mode %d", seed, p.readings, len(p.epochs), e.mode)
		}
	}
}

// at is hardware whose clocks stand still.
type at struct {
	tick uint64
	ns   int64
}

func (at) start()                  {}
func (a at) counter() uint64       { return a.tick }
func (a at) processor() int        { return 0 }
func (a at) reference() int64      { return a.ns }
func (at) trusted() (bool, string) { return true, "" }

// A reader may find an epoch that begins only later, after the end of the previous line. If that line runs ahead, the reader must
// not get a later instant than the readers after it.
func TestReaderBeforeAnEpochIsNotAheadOfIt(t *testing.T) {
	e := flat()
	n := e.next(anchor{tick: 12_000 * ms, ns: 12_000*ms - 400_000, width: 100})
	n.before = e.line
	for _, c := range []struct{ tick, want int64 }{
		{11_000 * ms, 11_000 * ms}, {12_000*ms - 400_001, 12_000*ms - 400_001}, {12_000*ms - 300_000, n.off}, {12_000*ms - 1, n.off}, {12_000 * ms, n.off},
	} {
		d := &discipline{cur: n, hw: at{uint64(c.tick), c.tick}}
		if now := d.now(); now != c.want {
			t.Errorf("%d ticks before the epoch: %d, want %d", int64(n.base)-c.tick, now, c.want)
		}
	}
}
