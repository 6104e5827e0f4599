// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/race"
)

// A simulation is a lane on which time passes only when it is told to, apart from what calls take: next to nothing.
type simulation struct {
	*testing.T
	lane *Lane
	own  map[*Zone]uint64 // ticks that passed in calls of the zone itself
	made map[*Zone]uint64 // calls that have ended
	in   []*Zone

	random *rand.Rand
	reader *Reader
	read   map[int]time.Duration // by zone: the sum of the self times in readings
}

func newSimulation(t *testing.T) *simulation {
	return &simulation{T: t, lane: newNamedLane(t.Name()), own: map[*Zone]uint64{}, made: map[*Zone]uint64{}, random: rand.New(rand.NewPCG(1, 2)),
		reader: NewReader(), read: map[int]time.Duration{}}
}

// A unit is a time beside which the time that the test itself takes is little, even on a busy machine.
const unitTicks = 1 << 28

// work makes so many units pass, on average.
func (s *simulation) work(units float64) {
	d := uint64(units * unitTicks * (0.5 + s.random.Float64()))
	s.own[s.in[len(s.in)-1]] += d
	n := nodeAt(s.lane.at.Get())
	if n == &foldedHere {
		f := s.lane.folding
		for i := range f.spans {
			f.spans[i].start -= d
		}
		f.last -= d
		n = f.under
	}
	for ; n.parent != nil; n = n.parent {
		n.start.Set(n.start.Get() - d)
		n.total.Set(n.total.Get() + d)
	}
}

// call calls a function of a zone.
func (s *simulation) call(z *Zone, f func()) {
	s.in = append(s.in, z)
	x := s.lane.Enter(z)
	folded := nodeAt(s.lane.at.Get()) == &foldedHere
	f()
	switch { // Exit would not find the span, which now begins earlier
	case x.lane == nil:
	case folded:
		s.lane.unfold(ticks())
	default:
		s.lane.end(x.node, ticks())
	}
	s.in = s.in[:len(s.in)-1]
	s.made[z]++
}

// main calls f n times, a hundred times in each call of a function of which all calls are timed.
func (s *simulation) main(n int, f func(i int)) {
	z := s.zone("main", 1)
	for i := 0; i < n; {
		if i%max(n/10, 100) == 0 {
			s.reading()
		}
		s.call(z, func() {
			for range 100 {
				f(i)
				i++
			}
		})
	}
}

func (s *simulation) zone(name string, every int) *Zone {
	z := NewZone(name)
	z.SetSampling(every)
	return z
}

// reading adds the self times of a reading.
func (s *simulation) reading() {
	for _, l := range s.reader.Read().Lanes {
		if l.ID == s.lane.id {
			for _, z := range l.Zones {
				s.read[z.Zone] += z.Self
			}
		}
	}
}

// check compares the self times with those that there were, within an error that is a part of all of them.
func (s *simulation) check(most float64) {
	s.Helper()
	x := laneIn(s.T, TakeSnapshot(), s.lane)
	all := 0.0
	for _, d := range s.own {
		all += float64(d) * nsPerTick()
	}
	for z, d := range s.own {
		want, got := float64(d)*nsPerTick(), float64(of(x, z).Self)
		if off := max(got-want, want-got); off > most*all {
			s.Errorf("%s: self time %v, want %v, of %v in all", z.name, time.Duration(got), time.Duration(want), time.Duration(all))
		} else {
			s.Logf("%s: self time %.4f of the truth, which is %.4f of all", z.name, got/want, want/all)
		}
	}
	paths := map[int]uint64{}
	for _, n := range x.Nodes {
		paths[n.Zone] += n.Calls + n.Untimed
	}
	for z, n := range s.made {
		if c := of(x, z); c.Calls != n || paths[int(z.id)] != n || c.Histogram.N() != c.Timed {
			s.Errorf("%s: %d calls, %d on paths, want %d; %d timed, %d in the distribution", z.name, c.Calls, paths[int(z.id)], n, c.Timed, c.Histogram.N())
		}
	}
	s.reading()
	for z, d := range s.own {
		want, got := float64(d)*nsPerTick(), float64(s.read[int(z.id)])
		if off := max(got-want, want-got); off > 1.5*most*all {
			s.Errorf("%s: the self times of readings are %v, want %v, of %v in all", z.name, time.Duration(got), time.Duration(want), time.Duration(all))
		}
	}
	passed := time.Duration(0)
	for _, n := range x.Nodes {
		passed += n.Self
	}
	if off := float64(passed) - all; max(off, -off) > 0.005*all {
		s.Errorf("self times add up to %v, and %v passed", passed, time.Duration(all))
	}
}

// Each program has the most by which a self time may be off, as a part of all self times.
var sampledPrograms = map[string]struct {
	most float64
	run  func(s *simulation)
}{
	"nothing is sampled": {0.001, func(s *simulation) {
		a := s.zone("a", 1)
		s.main(1000, func(int) {
			s.work(1)
			s.call(a, func() { s.work(1) })
		})
	}},
	"a wait in a loop": {0.08, func(s *simulation) {
		a := s.zone("a", 64)
		s.main(50_000, func(int) {
			s.work(0.02)
			s.call(a, func() { s.work(1) })
		})
	}},
	"a function that takes little and calls much": {0.08, func(s *simulation) {
		a, b := s.zone("a", 64), s.zone("b", 256)
		s.main(20_000, func(int) {
			s.work(0.1)
			s.call(a, func() {
				s.work(0.2)
				for range 5 {
					s.call(b, func() { s.work(1) })
				}
			})
		})
	}},
	"sampled calls in sampled calls": {0.02, func(s *simulation) {
		a, b, c := s.zone("a", 32), s.zone("b", 64), s.zone("c", 16)
		s.main(100_000, func(int) {
			s.work(0.3)
			s.call(a, func() {
				s.work(0.5)
				s.call(b, func() {
					s.work(0.2)
					s.call(c, func() { s.work(1) })
				})
			})
		})
	}},
	"all calls in sampled calls are timed": {0.02, func(s *simulation) { // they seem to be calls of main
		a, b := s.zone("a", 64), s.zone("b", 1)
		s.main(50_000, func(int) {
			s.work(0.5)
			s.call(a, func() {
				s.work(0.25)
				s.call(b, func() { s.work(1) })
			})
		})
	}},
	"a function that takes longer for one caller": {0.12, func(s *simulation) {
		a, b, c := s.zone("a", 8), s.zone("b", 1), s.zone("c", 64)
		s.main(10_000, func(int) {
			s.call(a, func() {
				s.work(0.1)
				for range 4 {
					s.call(c, func() { s.work(3) })
				}
			})
			s.call(b, func() {
				s.work(0.1)
				for range 12 {
					s.call(c, func() { s.work(0.5) })
				}
			})
		})
	}},
	"the same calls in a sampled call, and not": {0.03, func(s *simulation) {
		a, b, c := s.zone("a", 32), s.zone("b", 1), s.zone("c", 16)
		s.main(50_000, func(int) {
			s.call(b, func() { s.work(1) })
			s.call(c, func() { s.work(1) })
			s.call(a, func() {
				s.work(1)
				s.call(b, func() { s.work(1) })
				s.call(c, func() { s.work(1) })
			})
		})
	}},
	"sampled later": {0.08, func(s *simulation) {
		a, b, c := s.zone("a", 1), s.zone("b", 1), s.zone("c", 1)
		s.main(40_000, func(i int) {
			switch i {
			case 10_000:
				c.SetSampling(32)
			case 20_000:
				a.SetSampling(64)
			}
			s.work(0.05)
			s.call(a, func() {
				s.work(0.5 + float64(i)/20_000)
				s.call(b, func() {
					s.work(0.2)
					s.call(c, func() { s.work(1) })
				})
				s.call(c, func() { s.work(0.5) })
			})
		})
	}},
	"sampled for a while": {0.02, func(s *simulation) { // and before and after, calls take longer
		a, b := s.zone("a", 1), s.zone("b", 1)
		s.main(40_000, func(i int) {
			took := 1.0
			switch {
			case i == 10_000:
				a.SetSampling(32)
				b.SetSampling(16)
			case i == 30_000:
				a.SetSampling(1)
				b.SetSampling(1)
			case i < 10_000 || i > 30_000:
				took = 4
			}
			s.call(a, func() {
				s.work(took)
				s.call(b, func() { s.work(1) })
			})
		})
	}},
	"sampled less later": {0.06, func(s *simulation) { // when calls take longer
		a, b := s.zone("a", 2), s.zone("b", 64)
		s.main(40_000, func(i int) {
			took := 0.2
			switch {
			case i == 20_000:
				a.SetSampling(64)
			case i > 20_000:
				took = 3
			}
			s.work(0.2)
			s.call(a, func() {
				s.work(took)
				s.call(b, func() { s.work(0.5) })
			})
		})
	}},
	"recursion": {0.02, func(s *simulation) {
		a := s.zone("a", 16)
		var down func(n int)
		down = func(n int) {
			s.call(a, func() {
				s.work(0.1)
				if n > 0 {
					down(n - 1)
				}
			})
		}
		s.main(20_000, func(int) {
			s.work(1)
			down(5)
		})
	}},
	"an interpreter": {0.1, func(s *simulation) { // how long a call takes depends on how much is inside it
		eval, apply, push, grow := s.zone("eval", 128), s.zone("apply", 64), s.zone("push", 512), s.zone("grow", 1)
		leaf := func() {
			s.call(push, func() {
				s.work(0.05)
				if s.random.IntN(1000) == 0 {
					s.call(grow, func() { s.work(20) })
				}
			})
		}
		var evaluate func(depth int)
		evaluate = func(depth int) {
			s.call(eval, func() {
				s.work(0.3)
				leaf()
				if depth > 0 {
					for range s.random.IntN(4) {
						s.call(apply, func() {
							s.work(0.1)
							leaf()
							evaluate(depth - 1)
						})
					}
				}
				leaf()
			})
		}
		s.main(10_000, func(int) {
			s.work(1)
			evaluate(9)
		})
	}},
	"a few calls of an interpreter": {0.25, func(s *simulation) { // each of which is nearly all of the program
		a, b, c, d := s.zone("a", 64), s.zone("b", 64), s.zone("c", 256), s.zone("d", 32)
		var evaluate, clean func(n int)
		clean = func(n int) {
			s.call(c, func() {
				s.work(0.05)
				s.call(d, func() { s.work(0.09) })
				evaluate(n)
			})
		}
		evaluate = func(n int) {
			s.call(a, func() {
				s.work(0.04)
				s.call(b, func() {
					s.work(0.15)
					if n > 0 {
						clean(n - 1)
					}
					if n > 1 {
						clean(n - 2)
					}
				})
			})
		}
		s.main(100, func(i int) {
			if i%20 == 0 {
				evaluate(18)
			}
		})
	}},
	"an interpreter on paths without room": {0.1, func(s *simulation) { // and a function that is not sampled, inside and around
		var all []*Zone
		for i := range 12 {
			all = append(all, s.zone("z", []int{4, 16, 64}[i%3]))
		}
		join, leaf := s.zone("join", 1), s.zone("leaf", 64)
		var evaluate func(depth int)
		evaluate = func(depth int) {
			i := s.random.IntN(len(all))
			s.call(all[i], func() {
				s.work(0.02 * float64(i))
				s.call(leaf, func() { s.work(0.1) })
				if depth == 0 {
					return
				}
				if s.random.IntN(20) == 0 {
					s.call(join, func() {
						s.work(1)
						for range 4 {
							s.call(leaf, func() { s.work(0.1) })
						}
						evaluate(depth - 1)
					})
				}
				evaluate(depth - 1)
			})
		}
		s.main(3000, func(int) { evaluate(20) })
		if n := len(laneIn(s.T, TakeSnapshot(), s.lane).Nodes); n < 2000 {
			s.Errorf("%d nodes", n)
		}
	}},
	"a call of a sampled function that is open": {0.15, func(s *simulation) {
		a, b := s.zone("a", 1), s.zone("b", 1)
		s.call(s.zone("main", 1), func() {
			s.call(a, func() {
				for i := range 20_000 {
					if i == 1000 {
						a.SetSampling(16)
						b.SetSampling(64)
					}
					s.work(0.01)
					s.call(b, func() {
						s.work(0.1)
						if i%10 == 0 {
							s.call(a, func() { s.work(0.1) })
						}
					})
				}
				s.check(0.15)
			})
		})
	}},
	"paths without room": {0.1, func(s *simulation) { // of many functions in each other, any may be missing on a path
		var all []*Zone
		for range 14 {
			all = append(all, s.zone("z", 2))
		}
		var down func(n int)
		down = func(n int) {
			s.work(0.1)
			if n < len(all) {
				s.call(all[n], func() { down(n + 1) })
			}
		}
		s.main(4000, func(int) { down(0) })
		if n := len(laneIn(s.T, TakeSnapshot(), s.lane).Nodes); n < 2000 {
			s.Errorf("%d nodes", n)
		}
	}},
}

func TestSelfTimesOfProgramsOfWhichSomeCallsAreTimed(t *testing.T) {
	race.Sequential(t)
	for name, p := range sampledPrograms {
		t.Run(name, func(t *testing.T) {
			s := newSimulation(t)
			p.run(s)
			s.check(p.most)
		})
	}
}

// What dissecting takes is many times what such calls take.
func TestDissectingIsNoPartOfSelfTimes(t *testing.T) {
	race.Sequential(t)
	calibrate()
	var parts []float64
	for range 9 {
		outer, inner := NewZone("outer"), NewZone("inner")
		outer.SetSampling(16)
		inner.SetSampling(1 << 20)
		l := newNamedLane("dissecting")
		for range 20_000 {
			s := l.Enter(outer)
			for range 10 {
				l.Enter(inner).Exit()
			}
			s.Exit()
		}
		own, took := mean{}, mean{}
		for i := range min(len(*l.beyond.Load()), int(l.tree.count.Get())) {
			b := (*l.beyond.Load())[i].read()
			if n := l.tree.node(uint64(i)); n.zone == outer {
				own = mean{float64(b.own), float64(b.ownOf)}
			} else if n.zone == inner && n.parent.zone == outer {
				took = mean{float64(n.total.Get()), float64(b.beside)}
			}
		}
		if own.calls == 0 || took.calls == 0 {
			t.Fatalf("%v calls were dissected, and %v timed for them", own.calls, took.calls)
		}
		parts = append(parts, own.ticks/own.calls/(10*took.ticks/took.calls))
	}
	if part := slices.Min(parts); part > 0.25 {
		t.Errorf("a call that does nothing has %.2f of what its calls inside take with it: %.2f", part, parts)
	}
}

// A call that is dissected for long does not make all calls inside it slow, and its goroutine may end.
func TestDissectedCallsThatLastLetOthersBeSkippedFast(t *testing.T) {
	race.Sequential(t)
	for name, inside := range map[string]int{"in a call that is timed for it": 1 << 20, "in a call that is timed anyway": 1} {
		outer, middle, inner := NewZone("outer"), NewZone("middle"), NewZone("inner")
		outer.SetSampling(2)
		middle.SetSampling(inside)
		inner.SetSampling(1 << 20)
		l := newNamedLane("lasting")
		l.Enter(middle).Exit()
		l.Enter(inner).Exit()
		for range 20 { // until a call is dissected
			s := l.Enter(outer)
			if !l.dissecting() {
				s.Exit()
				continue
			}
			m := l.Enter(middle)
			calls := uint64(0)
			for ; l.sampled(inner).left.Load().left.Get() == 0; calls++ {
				if calls > mostSlowest+mostSlow {
					t.Fatalf("%s: no call was skipped fast after %d", name, calls)
				}
				l.Enter(inner).Exit()
			}
			m.Exit()
			if dissected := l.dissecting(); dissected != (inside > 1) {
				t.Errorf("%s: dissected still: %v", name, dissected)
			}
			before := l.sampled(inner).read().calls
			l.Enter(inner).Exit()
			if skipped := l.sampled(inner).read().calls > before; skipped != (inside == 1) {
				t.Errorf("%s: after %d calls, one directly inside is timed: %v", name, calls, !skipped)
			}
			l.abandon()
			if l.dissecting() || len(l.timing.open) > 0 || l.sampled(inner).left.Load().left.Get() == 0 {
				t.Errorf("%s: after its goroutine ended, the call is dissected still", name)
			}
			break
		}
	}
}
