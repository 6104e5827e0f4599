// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"io"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
)

// BenchmarkIdle measures the cost of watching a process in which most goroutines do nothing.
func BenchmarkIdle(b *testing.B) { runRows(b, idleRows()) }

const (
	idleGoroutines = 14_000
	idleZones      = 20
)

// idleRows must run in this order: the first must have no lanes except its own.
func idleRows() []row {
	reader := sync.OnceValue(strobe.NewReader)
	crowd := sync.OnceFunc(idleCrowd)
	return []row{
		{"no-goroutines", cpuRow(20, func() { reader().Read() })},
		{"reporter-no-goroutines", reporterRow},
		{"first-read", func(b *testing.B) {
			crowd()
			cpuRow(1, func() { reader().Read() })(b)
		}},
		{"idle-read", func(b *testing.B) {
			crowd()
			for range 4 { // until all lanes are known to be idle
				reader().Read()
			}
			cpuRow(20, func() { reader().Read() })(b)
		}},
		{"one-awake", func(b *testing.B) {
			crowd()
			z := strobe.NewZone("awake")
			cpuRow(20, func() {
				z.Enter().Exit()
				reader().Read()
			})(b)
		}},
		{"reporter", func(b *testing.B) {
			crowd()
			reporterRow(b)
		}},
		{"TakeSnapshot", func(b *testing.B) {
			crowd()
			cpuRow(5, func() { keptSnapshot = strobe.TakeSnapshot() })(b)
		}},
	}
}

// reporterRow reports the processor time that a reporter takes in a second, in ms.
func reporterRow(b *testing.B) {
	reporter := strobe.StartReporter(io.Discard, time.Second)
	defer reporter.Stop()
	time.Sleep(time.Second) // until all lanes are known to be idle
	cpuRow(1, func() { time.Sleep(time.Second) })(b)
}

// cpuRow reports the processor time of one call of f, in ms.
func cpuRow(times int, f func()) func(b *testing.B) {
	return func(b *testing.B) {
		if _, ok := cpuTime(); !ok {
			b.Skip("the processor time of a process is not known here")
		}
		once(b, func() map[string]float64 {
			before, _ := cpuTime()
			for range times {
				f()
			}
			after, _ := cpuTime()
			return map[string]float64{"cpu-ms": float64(after-before) / 1e6 / float64(times)}
		})
	}
}

// idleCrowd starts goroutines that enter all zones once and then wait until the process ends.
func idleCrowd() {
	var zones []*strobe.Zone
	for i := range idleZones {
		zones = append(zones, strobe.NewZone("idle "+strconv.Itoa(i)))
	}
	var entered sync.WaitGroup
	for range idleGoroutines {
		entered.Add(1)
		go func() {
			for _, z := range zones {
				s := z.Enter()
				s.Exit()
			}
			entered.Done()
			select {}
		}()
	}
	entered.Wait()
}

// BenchmarkGone measures spans before 100 000 goroutines existed at once, each in a zone, and after they have ended.
func BenchmarkGone(b *testing.B) { runRows(b, goneRows()) }

const goneGoroutines = 100_000

// goneRows are measured together, before and after; a process can do that only once.
func goneRows() []row {
	counts := []int{1, 200, 1000}
	measured := sync.OnceValue(func() map[int]map[string]float64 {
		before, after := map[int]float64{}, map[int]float64{}
		for _, n := range counts {
			before[n] = addedBy(n)
		}
		lived, shared := crowdGone()
		figures := map[int]map[string]float64{}
		for _, n := range counts {
			after[n] = addedBy(n)
			figures[n] = map[string]float64{"before": before[n], "after": after[n], "after/before": after[n] / before[n],
				"shared-%": shared, "alive-us": lived}
		}
		return figures
	})
	var all []row
	for _, n := range counts {
		all = append(all, row{strconv.Itoa(n) + "-goroutines", func(b *testing.B) {
			if _, ok := cpuTime(); !ok {
				b.Skip("the processor time of a process is not known here")
			}
			once(b, func() map[string]float64 { return measured()[n] })
		}})
	}
	return all
}

// addedBy returns what a span adds on n goroutines, in units of two counters.
func addedBy(n int) float64 {
	c := newCrew(n, manyZones10())
	c.start(takeTurns)
	defer c.stop()
	added, _, counters := c.added(31)
	return added / counters
}

// crowdGone runs 100 000 goroutines at once, each in a zone. It returns the mean processor time of a goroutine's first span in
// µs, and the percentage of goroutines without a lane of their own.
func crowdGone() (us, shared float64) {
	zone := strobe.NewZone("crowd gone")
	var entered, left sync.WaitGroup
	leave := make(chan bool)
	entered.Add(goneGoroutines)
	before, _ := cpuTime()
	for range goneGoroutines {
		left.Go(func() {
			s := zone.Enter()
			entered.Done()
			<-leave
			s.Exit()
		})
	}
	entered.Wait()
	after, _ := cpuTime()
	close(leave)
	left.Wait()
	time.Sleep(10 * time.Millisecond) // until the last of them have ended
	s := strobe.TakeSnapshot()
	id, _ := s.Zone("crowd gone")
	var all, onShared float64
	for _, l := range s.Lanes {
		for _, z := range l.Zones {
			if z.Zone == id {
				all += float64(z.Calls)
				if l.Shared {
					onShared += float64(z.Calls)
				}
			}
		}
	}
	return float64(after-before) / 1e3 / goneGoroutines, 100 * onShared / max(1, all)
}
