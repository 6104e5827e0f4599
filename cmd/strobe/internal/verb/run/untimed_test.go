// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/tether"
	"github.com/strobe-go/strobe/profile"
)

// A lane is measured as the library does it, with a clock that only work advances, so that the true self times are known.
type simulated struct {
	every  []int // by zone; 1 if all calls are timed
	nodes  profile.Tree
	open   int // innermost timed call's node, -1 if there is none
	now    time.Duration
	stack  []int           // zones of the calls, timed or not
	true   []time.Duration // self times
	calls  []uint64
	timed  []uint64
	deep   []uint64        // calls of the zone around timed ones, and these
	left   []int           // calls to skip
	last   []time.Duration // duration of the latest timed call
	guess  []time.Duration // of the calls that were not timed, in no other call of the zone
	any    []time.Duration // duration of the latest timed call, whether in another or not
	sum    []time.Duration // of all durations
	random *rand.Rand
}

func simulate(every ...int) *simulated {
	n := len(every)
	return &simulated{every: every, open: -1, true: make([]time.Duration, n), calls: make([]uint64, n), timed: make([]uint64, n), deep: make([]uint64, n),
		left: make([]int, n), last: make([]time.Duration, n), guess: make([]time.Duration, n),
		any: make([]time.Duration, n), sum: make([]time.Duration, n), random: rand.New(rand.NewPCG(1, 2))}
}

// call calls a function with a zone.
func (s *simulated) call(zone int, body func()) {
	s.stack = append(s.stack, zone)
	defer func() { s.stack = s.stack[:len(s.stack)-1] }()
	s.calls[zone]++
	if s.left[zone] > 0 {
		s.left[zone]--
		s.guess[zone] += s.last[zone]
		s.sum[zone] += s.any[zone]
		body()
		return
	}
	for _, z := range s.stack {
		if z == zone {
			s.deep[zone]++
		}
	}
	s.left[zone] = s.random.IntN(2*s.every[zone] - 1)
	up, again := s.open, false
	for n := up; n >= 0; n = s.nodes[n].Parent {
		again = again || s.nodes[n].Zone == zone
	}
	s.open = -1
	for n := range s.nodes {
		if s.nodes[n].Parent == up && s.nodes[n].Zone == zone {
			s.open = n
		}
	}
	if s.open < 0 {
		s.open = len(s.nodes)
		s.nodes = append(s.nodes, profile.Node{Parent: up, Zone: zone})
	}
	at, began := s.open, s.now
	body()
	d := s.now - began
	s.open = up
	s.nodes[at].Calls++
	s.nodes[at].Total += d
	s.nodes[at].Self += d
	if up >= 0 {
		s.nodes[up].Self -= d
	}
	s.timed[zone]++
	s.any[zone] = d
	s.sum[zone] += d
	if s.last[zone] = d; again {
		s.last[zone] = 0
	}
}

func (s *simulated) work(d time.Duration) {
	d = time.Duration(float64(d) * s.random.ExpFloat64())
	s.now += d
	s.true[s.stack[len(s.stack)-1]] += d
}

// lane is what the library tells of it: see profile.ZoneStats.
func (s *simulated) lane() (l profile.LaneStats) {
	l.Nodes = s.nodes
	for zone := range s.every {
		z := profile.ZoneStats{Zone: zone, Calls: s.calls[zone], Timed: s.timed[zone], Sum: s.sum[zone]}
		for n, node := range s.nodes {
			if node.Zone != zone {
				continue
			}
			again := false
			for up := s.nodes[n].Parent; up >= 0; up = s.nodes[up].Parent {
				again = again || s.nodes[up].Zone == zone
			}
			if z.Self += node.Self; !again {
				z.Total += node.Total
			}
		}
		guess := float64(s.guess[zone]) * float64(s.timed[zone]) / float64(max(s.deep[zone], 1))
		if z.Total > 0 {
			z.Self += time.Duration(float64(min(z.Self, z.Total)) / float64(z.Total) * guess)
		}
		z.Total += time.Duration(guess)
		l.Zones = append(l.Zones, z)
	}
	return l
}

func TestTheTimeOfUntimedCallsIsNotThatOfTheirCallers(t *testing.T) {
	const us = time.Microsecond
	for name, program := range map[string]func() *simulated{
		"a wait in a loop": func() *simulated {
			s := simulate(1, 64)
			s.call(0, func() {
				for range 50_000 {
					s.work(us)
					s.call(1, func() { s.work(50 * us) })
				}
			})
			return s
		},
		"sampled calls in sampled calls": func() *simulated {
			s := simulate(1, 32, 64, 16)
			s.call(0, func() {
				for range 100_000 {
					s.work(3 * us)
					s.call(1, func() {
						s.work(5 * us)
						s.call(2, func() {
							s.work(2 * us)
							s.call(3, func() { s.work(10 * us) })
						})
					})
				}
			})
			return s
		},
		"all calls in sampled calls are timed": func() *simulated { // they seem to be calls of those above
			s := simulate(1, 64, 1)
			s.call(0, func() {
				for range 50_000 {
					s.work(10 * us)
					s.call(1, func() {
						s.work(5 * us)
						s.call(2, func() { s.work(20 * us) })
					})
				}
			})
			return s
		},
		"two callers": func() *simulated {
			s := simulate(1, 1, 1, 64)
			s.call(0, func() {
				for range 30_000 {
					s.call(1, func() {
						s.work(5 * us)
						s.call(3, func() { s.work(10 * us) })
					})
					s.call(2, func() {
						s.work(20 * us)
						s.call(3, func() { s.work(10 * us) })
					})
				}
			})
			return s
		},
		"calls of the same function, some in sampled calls": func() *simulated {
			s := simulate(1, 32, 1, 16)
			s.call(0, func() {
				for range 50_000 {
					s.call(2, func() { s.work(10 * us) })
					s.call(3, func() { s.work(10 * us) })
					s.call(1, func() {
						s.work(10 * us)
						s.call(2, func() { s.work(10 * us) })
						s.call(3, func() { s.work(10 * us) })
					})
				}
			})
			return s
		},
		"sampled later": func() *simulated { // the first calls had all of their time in the wait
			s := simulate(1, 1, 1)
			s.call(0, func() {
				for i := range 100_000 {
					if i == 30_000 {
						s.every = []int{1, 64, 1}
					} else if i == 35_000 {
						s.every = []int{1, 64, 32}
					}
					s.work(us)
					s.call(1, func() {
						s.work(2 * us)
						s.call(2, func() { s.work(50 * us) })
					})
				}
			})
			return s
		},
		"recursion": func() *simulated {
			s := simulate(1, 16)
			var down func(n int)
			down = func(n int) {
				s.work(us)
				if n > 0 {
					s.call(1, func() { down(n - 1) })
				}
			}
			s.call(0, func() {
				for range 20_000 {
					s.work(10 * us)
					s.call(1, func() { down(5) })
				}
			})
			return s
		},
		"rare recursion by way of another": func() *simulated {
			s := simulate(1, 16, 16)
			var one func()
			one = func() {
				s.call(1, func() {
					s.work(5 * us)
					s.call(2, func() {
						s.work(2 * us)
						if s.random.IntN(50) == 0 {
							one()
						}
					})
				})
			}
			s.call(0, func() {
				for range 50_000 {
					s.work(us)
					one()
				}
			})
			return s
		},
		"nothing sampled": func() *simulated {
			s := simulate(1, 1)
			s.call(0, func() { s.work(us); s.call(1, func() { s.work(us) }) })
			return s
		},
	} {
		s := program()
		before := s.lane()
		first := before.Zones[0].Self
		after, m := settled(before)
		if len(m.zones) > 0 {
			t.Errorf("%s: the self times of %v are not known", name, m.zones)
		}
		for zone, z := range after {
			if off := math.Abs(float64(z.Self-s.true[zone])) / float64(s.now); off > 0.06 {
				t.Errorf("%s: zone %d has %v, %.3f of all, too much or too little: it took %v", name, zone, z.Self, off, s.true[zone])
			}
		}
		if before.Zones[0].Self != first {
			t.Errorf("%s: the measurements changed", name)
		}
		if name == "a wait in a loop" && first < s.now/2 {
			t.Errorf("%s: without what is tested the self time of the caller is %v of %v", name, first, s.now)
		}
	}
}

// The sum of all self times is no more than what passed.
func TestOfEstimatesThatAreTooHighTheLeastCertainGivesWay(t *testing.T) {
	for _, first := range []int{0, 1} {
		s := simulate(1, 8, 8)
		s.call(0, func() {
			for range 20_000 {
				for i := range 2 {
					s.call(1+(first+i)%2, func() { s.work(time.Microsecond) })
				}
			}
		})
		l := s.lane()
		for zone, apart := range map[int]int{1: 1, 2: 30} { // durations in ns, which scatter more in zone 2
			z := &l.Zones[zone]
			z.Sum, z.Histogram = z.Total, profile.Histogram{Counts: make([]uint64, apart+1), NsPerTick: 1}
			z.Histogram.Counts[0], z.Histogram.Counts[apart] = z.Timed/2, z.Timed/2
		}
		l.Zones[2].Self += 50 * time.Millisecond // too high
		l.Zones[2].Total += 50 * time.Millisecond
		after, _ := settled(l)
		sum := time.Duration(0)
		for zone, z := range after {
			sum += z.Self
			if off := math.Abs(float64(z.Self-s.true[zone])) / float64(s.now); off > 0.06 {
				t.Errorf("zone %d has %v, it took %v", zone, z.Self, s.true[zone])
			}
		}
		if math.Abs(float64(sum-s.now)) > 1e-3*float64(s.now) {
			t.Errorf("%v passed, and the self times are %v", s.now, sum)
		}
	}
}

func TestTheReportHasNoTimeTwice(t *testing.T) {
	s := simulate(1, 64)
	s.call(0, func() {
		for range 50_000 {
			s.work(time.Microsecond)
			s.call(1, func() { s.work(50 * time.Microsecond) })
		}
	})
	var r tether.Reading
	r.Snapshot.Zones = []profile.ZoneInfo{{Name: "loop", Every: 1}, {Name: "step", Every: 64}}
	r.Snapshot.Lanes, r.Last = []profile.LaneStats{s.lane()}, true
	x := newReport(".", ending{}, r, time.Now(), true)
	if f := x.functions[0]; f.zone.Name != "step" || f.share < 0.9 {
		t.Errorf("%s has %.2f of the self time, in which step took nearly all of it", f.zone.Name, f.share)
	}
	if f := x.lanes[0].functions[0]; f.zone.Name != "step" || float64(x.lanes[0].self) > 1.1*float64(s.now) {
		t.Errorf("of the goroutine, %s has most of %v; %v passed", f.zone.Name, x.lanes[0].self, s.now)
	}
}

// On a lane that stands for several, one of which goroutines share, some self times are not known.
func TestWhatIsNotKnownStaysSo(t *testing.T) {
	s := simulate(1, 8)
	s.call(0, func() {
		for range 1000 {
			s.call(1, func() { s.work(time.Microsecond) })
		}
	})
	l := s.lane()
	l.Zones[0].Self, l.Zones[0].SelfUnknown = 0, true
	if z, _ := settled(l); z[0].Self != 0 || !z[0].SelfUnknown || z[1].Self <= 0 {
		t.Errorf("%+v", z)
	}
}

// Of many sampled functions in each other, any may be missing on a path, so that a lane has thousands of paths.
func TestManySampledFunctionsInEachOtherHaveThousandsOfPaths(t *testing.T) {
	every := []int{1}
	for range 14 {
		every = append(every, 2)
	}
	s := simulate(every...)
	var down func(zone int)
	down = func(zone int) {
		s.work(time.Microsecond)
		if zone < len(every)-1 {
			s.call(zone+1, func() { down(zone + 1) })
		}
	}
	s.call(0, func() {
		for len(s.nodes) < 4000 && s.calls[1] < 20_000 {
			down(0)
		}
	})
	sum := time.Duration(0)
	zones, _ := settled(s.lane())
	for _, z := range zones {
		sum += z.Self
	}
	if len(s.nodes) < 1000 || math.Abs(float64(sum-s.now)) > 0.1*float64(s.now) {
		t.Errorf("%d nodes: %v passed, and the self times are %v", len(s.nodes), s.now, sum)
	}
}
