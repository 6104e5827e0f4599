// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/strobe-go/strobe"
)

// BenchmarkSpans compares spans in several shapes of code with two bare readings of the counter in the same shape.
func BenchmarkSpans(b *testing.B) { runRows(b, spansRows()) }

const perTurn = 4000 // scopes: about 100 µs

func spansRows() []row {
	var all []row
	for _, d := range duels() {
		all = append(all, d.run())
	}
	for _, d := range duels() {
		switch d.name {
		case "recorded", "off", "two-goroutines":
			continue
		}
		all = append(all, row{"marking/" + d.name, func(b *testing.B) {
			m := startMarking()
			defer m.stop()
			d.before = func(bool) { m.look() }
			d.run().run(b)
			b.ReportMetric(m.share(), "marking-%")
		}})
	}
	return all
}

func duels() []duel {
	z := shapeZones()
	all := []duel{
		{name: "two-counters", base: countersLoop, loop: countersLoop, perTurn: perTurn},
		{name: "span", base: countersLoop, loop: emptySpans(z[0]), perTurn: perTurn},
		{name: "deferred", base: countersInFunction, loop: deferredSpans, perTurn: perTurn},
		{name: "lane-span", base: countersLoop, loop: laneSpans(z[0]), perTurn: perTurn},
		{name: "5-nested", base: countersNested, loop: nestedSpans(z), perTurn: perTurn / 5, spans: 5},
	}
	for _, n := range []int{2, 5, 20} {
		all = append(all, duel{name: strconv.Itoa(n) + "-alternating", base: countersOver(z[:n]), loop: spansOver(z[:n]), perTurn: perTurn / n, spans: n})
	}
	for _, n := range []int{10, 31, 60, 200} {
		all = append(all, duel{name: strconv.Itoa(n) + "-recursive", perTurn: max(1, perTurn/n), spans: n,
			base: func(turns int) {
				for range turns {
					keptWork.Store(countersRecursive(n))
				}
			},
			loop: func(turns int) {
				for range turns {
					spansRecursive(z[0], n)
				}
			}})
	}
	all = append(all,
		pathsDuel(10, 50), pathsDuel(60, 60),
		duel{name: "around-30ns", base: bodiesBetweenCounters, loop: bodiesInSpans(z[0]), perTurn: perTurn / 2},
		duel{name: "around-stores", base: storesBetweenCounters, loop: storesInSpans(z[0]), perTurn: perTurn / 2},
		duel{name: "sampled-1in64", base: countersLoop, loop: emptySpans(sampledZone), perTurn: 4 * perTurn, prepare: sampling64},
		duel{name: "lane-sampled-1in64", base: countersLoop, loop: laneSpans(sampledZone), perTurn: 4 * perTurn, prepare: sampling64},
		duel{name: "Lap.Next", base: countersLoop, loop: lapsOver(z[0], z[0]), perTurn: perTurn},
		duel{name: "Lap.Next-two-zones", base: countersLoop, loop: lapsOver(z[0], z[1]), perTurn: perTurn},
		twoGoroutines(z[0]),
		recordedDuel(z[0]),
		offDuel(z[0]),
	)
	return all
}

func sampling64(*testing.B) { sampledZone.SetSampling(64) }

// shapeZones are made once, however often the rows are listed.
var shapeZones = sync.OnceValue(func() []*strobe.Zone {
	var all []*strobe.Zone
	for i := range 20 {
		all = append(all, strobe.NewZone("shape "+strconv.Itoa(i)))
	}
	return all
})

//go:noinline
func countersLoop(n int) {
	sum := uint64(0)
	for range n {
		t := counter()
		sum += counter() - t
	}
	keptWork.Store(sum)
}

//go:noinline
func emptySpans(z *strobe.Zone) func(n int) {
	return func(n int) {
		for range n {
			s := z.Enter()
			s.Exit()
		}
	}
}

//go:noinline
func countersOnce() uint64 { t := counter(); return counter() - t }

func countersInFunction(n int) {
	sum := uint64(0)
	for range n {
		sum += countersOnce()
	}
	keptWork.Store(sum)
}

//go:noinline
func deferredOnce() { defer deferZone.Enter().Exit() }

func deferredSpans(n int) {
	for range n {
		deferredOnce()
	}
}

//go:noinline
func laneSpans(z *strobe.Zone) func(n int) {
	lane := sync.OnceValue(func() *strobe.Lane { return strobe.NewLane("peers") })
	return func(n int) {
		lane := lane()
		for range n {
			s := lane.Enter(z)
			s.Exit()
		}
	}
}

//go:noinline
func countersNested(n int) {
	sum := uint64(0)
	for range n {
		a := counter()
		b := counter()
		c := counter()
		d := counter()
		e := counter()
		sum += counter() - e
		sum += counter() - d
		sum += counter() - c
		sum += counter() - b
		sum += counter() - a
	}
	keptWork.Store(sum)
}

//go:noinline
func nestedSpans(z []*strobe.Zone) func(n int) {
	return func(n int) {
		for range n {
			a := z[0].Enter()
			b := z[1].Enter()
			c := z[2].Enter()
			d := z[3].Enter()
			e := z[4].Enter()
			e.Exit()
			d.Exit()
			c.Exit()
			b.Exit()
			a.Exit()
		}
	}
}

//go:noinline
func countersOver(z []*strobe.Zone) func(n int) {
	return func(n int) {
		sum := uint64(0)
		for range n {
			for range z {
				t := counter()
				sum += counter() - t
			}
		}
		keptWork.Store(sum)
	}
}

//go:noinline
func spansOver(z []*strobe.Zone) func(n int) {
	return func(n int) {
		for range n {
			for _, z := range z {
				s := z.Enter()
				s.Exit()
			}
		}
	}
}

//go:noinline
func countersRecursive(n int) uint64 {
	t, below := counter(), uint64(0)
	if n > 1 {
		below = countersRecursive(n - 1)
	}
	return counter() - t + below
}

//go:noinline
func spansRecursive(z *strobe.Zone, n int) {
	s := z.Enter()
	if n > 1 {
		spansRecursive(z, n-1)
	}
	s.Exit()
}

// pathsDuel enters each of several zones within each of several parents.
func pathsDuel(parents, zones int) duel {
	// The paths of a smaller duel are among those of a larger one, so that all fit into the tree of a lane.
	above := func() []*strobe.Zone { return pathZones()[:parents] }
	below := func() []*strobe.Zone { return pathZones()[mostParents : mostParents+zones] }
	return duel{name: "paths-" + strconv.Itoa(parents) + "x" + strconv.Itoa(zones), perTurn: max(1, perTurn/(parents*zones)), spans: parents * (zones + 1),
		base: func(n int) {
			sum := uint64(0)
			for range n {
				for range above() {
					t := counter()
					for range below() {
						t := counter()
						sum += counter() - t
					}
					sum += counter() - t
				}
			}
			keptWork.Store(sum)
		},
		loop: func(n int) {
			for range n {
				for _, z := range above() {
					s := z.Enter()
					for _, z := range below() {
						s := z.Enter()
						s.Exit()
					}
					s.Exit()
				}
			}
		}}
}

const mostParents = 60

var pathZones = sync.OnceValue(func() []*strobe.Zone {
	var all []*strobe.Zone
	for i := range 2 * mostParents {
		all = append(all, strobe.NewZone("path "+strconv.Itoa(i)))
	}
	return all
})

//go:noinline
func bodiesBetweenCounters(n int) {
	x, sum := uint64(1), uint64(0)
	for range n {
		t := counter()
		x = work(x, bodySize)
		sum += counter() - t
	}
	keptWork.Store(x + sum)
}

//go:noinline
func bodiesInSpans(z *strobe.Zone) func(n int) {
	return func(n int) {
		x := uint64(1)
		for range n {
			s := z.Enter()
			x = work(x, bodySize)
			s.Exit()
		}
		keptWork.Store(x)
	}
}

// stored is filled by stores, a body whose stores compete with those of a span.
var stored [64]uint64

//go:noinline
func stores(x uint64) {
	for i := range stored {
		stored[i] = x
	}
}

//go:noinline
func storesBetweenCounters(n int) {
	sum := uint64(0)
	for i := range n {
		t := counter()
		stores(uint64(i))
		sum += counter() - t
	}
	keptWork.Store(sum)
}

//go:noinline
func storesInSpans(z *strobe.Zone) func(n int) {
	return func(n int) {
		for i := range n {
			s := z.Enter()
			stores(uint64(i))
			s.Exit()
		}
	}
}

//go:noinline
func lapsOver(y, z *strobe.Zone) func(n int) {
	return func(n int) {
		p := strobe.StartLap(y)
		for range n / 2 {
			p.Next(z)
			p.Next(y)
		}
		p.End()
	}
}

// recordedDuel compares spans that are recorded, in a full recording, with spans that are not.
func recordedDuel(z *strobe.Zone) duel {
	const bytes = 4 << 20
	spans := emptySpans(z)
	return duel{name: "recorded", perTurn: 5 * perTurn, turns: 41, base: spans, loop: spans,
		before: func(loop bool) {
			if !loop {
				strobe.Record(0)
				spans(perTurn)
				return
			}
			strobe.Record(bytes)
			spans(bytes / 16 * 3 / 2)
		},
		prepare: func(b *testing.B) { b.Cleanup(func() { strobe.Record(0) }) }}
}

func offDuel(z *strobe.Zone) duel {
	return duel{name: "off", base: countersLoop, loop: emptySpans(offZone), perTurn: 8 * perTurn,
		prepare: func(*testing.B) { offZone.SetSampling(-1) }}
}

// twoGoroutines runs base and loop on two goroutines at once.
func twoGoroutines(z *strobe.Zone) duel {
	return duel{name: "two-goroutines", base: onTwo(countersLoop), loop: onTwo(emptySpans(z)), perTurn: 5 * perTurn,
		prepare: func(b *testing.B) {
			if runtime.GOMAXPROCS(0) < 2 {
				b.Skip("one processor")
			}
		}}
}

// onTwo returns a loop that runs f(n) here and on another goroutine, always the same one.
func onTwo(f func(n int)) func(n int) {
	start, done := make(chan int), make(chan bool)
	run := sync.OnceFunc(func() {
		go func() {
			for n := range start {
				f(n)
				done <- true
			}
		}()
	})
	return func(n int) {
		run()
		start <- n
		f(n)
		<-done
	}
}
