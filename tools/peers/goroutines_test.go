// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/strobe-go/strobe"
)

// BenchmarkGoroutines measures what a span adds where many goroutines take turns, each with ten zones.
func BenchmarkGoroutines(b *testing.B) { runRows(b, goroutineRows()) }

const zonesEach = 10

var manyZones10 = sync.OnceValue(func() []*strobe.Zone {
	var all []*strobe.Zone
	for i := range zonesEach {
		all = append(all, strobe.NewZone("many "+strconv.Itoa(i)))
	}
	return all
})

func goroutineRows() []row {
	var all []row
	for _, n := range []int{1, 200, 1000, 10_000} {
		all = append(all, crewRow("", n, takeTurns, manyZones10))
	}
	for _, n := range []int{200, 1000, 10_000} {
		all = append(all, crewRow("channel/", n, passOn, manyZones10))
	}
	for _, n := range []int{200, 1000} {
		all = append(all, crewRow("recorded/", n, takeTurns, func() []*strobe.Zone { strobe.Record(16 << 20); return manyZones10() }))
	}
	for _, n := range []int{1, 1000} {
		all = append(all, crewRow("sampled/", n, takeTurns, sampledZones))
		all = append(all, crewRow("sampled/long-turns/", n, takeTurns, sampledZones))
		all = append(all, crewRow("sampled/one-zone/long-turns/", n, takeTurns, func() []*strobe.Zone { return sampledZones()[:1] }))
	}
	return all
}

var sampledZones = sync.OnceValue(func() []*strobe.Zone {
	var all []*strobe.Zone
	for i := range zonesEach {
		z := strobe.NewZone("many sampled " + strconv.Itoa(i))
		z.SetSampling(64)
		all = append(all, z)
	}
	return all
})

// crewRow measures the processor time that a span adds on n goroutines: the difference between turns with spans and turns
// without.
func crewRow(prefix string, n int, pattern func(c *crew), zones func() []*strobe.Zone) row {
	return row{prefix + strconv.Itoa(n), func(b *testing.B) {
		if _, ok := cpuTime(); !ok {
			b.Skip("the processor time of a process is not known here")
		}
		once(b, func() map[string]float64 {
			c := newCrew(n, zones())
			if strings.HasPrefix(prefix, "sampled") {
				c.batches, c.body = 10*c.batches, 0
			}
			if strings.HasSuffix(prefix, "long-turns/") {
				c.repeat, c.batches = 100, max(1, c.batches/100)
			}
			defer strobe.Record(0)
			c.start(pattern)
			defer c.stop()
			added, bare, counters := c.added(21)
			return map[string]float64{"added-ns": added, "of-two-counters": added / counters, "bare-ns": bare}
		})
	}}
}

// A crew is a number of goroutines that exist while turns with and without spans alternate.
type crew struct {
	members int
	zones   []*strobe.Zone
	body    int
	batches int // batches of each member in a turn; a batch is a span of the first zone around one span of each other zone
	repeat  int // batches in a row before a member gives up the processor; 0 means 1
	spans   bool
	begin   []chan bool // closed at the end of the crew
	done    sync.WaitGroup
	gone    sync.WaitGroup
}

func newCrew(members int, zones []*strobe.Zone) *crew {
	const spans = 200_000 // number of spans in a turn
	return &crew{members: members, zones: zones, body: bodySize / 2, batches: max(2, spans/zonesEach/members)}
}

// added returns the processor time that a span adds, that of a body without a span, and that of reading two counters, in ns.
func (c *crew) added(turns int) (added, bare, counters float64) {
	c.turn(true)
	c.turn(false)
	per := float64(c.members * c.batches * max(1, c.repeat) * zonesEach)
	var with, without, two []float64
	for i := range turns {
		var x, y float64
		if i%2 == 0 {
			x, y = c.turn(true), c.turn(false)
		} else {
			y, x = c.turn(false), c.turn(true)
		}
		with, without, two = append(with, (x-y)/per), append(without, y/per), append(two, twoCounters())
	}
	return median(with), median(without), median(two)
}

// twoCounters returns the time of reading two counters in ns, the shortest of a few short runs: turns here are so long that the
// scheduler interrupts most of them.
func twoCounters() float64 {
	best := math.Inf(1)
	for range 10 {
		best = min(best, timed(countersLoop, perTurn/8)/(perTurn/8))
	}
	return best
}

func (c *crew) start(pattern func(c *crew)) {
	c.begin = make([]chan bool, c.members)
	for i := range c.begin {
		c.begin[i] = make(chan bool)
	}
	pattern(c)
}

func (c *crew) stop() {
	for _, begin := range c.begin {
		close(begin)
	}
	c.gone.Wait()
}

// turn makes all members run their batches and returns the processor time in ns.
func (c *crew) turn(spans bool) float64 {
	c.spans = spans
	c.done.Add(c.members)
	before, _ := cpuTime()
	for _, begin := range c.begin {
		begin <- true
	}
	c.done.Wait()
	after, _ := cpuTime()
	return float64(after - before)
}

// takeTurns starts members that give up the processor after each batch.
func takeTurns(c *crew) {
	for _, begin := range c.begin {
		c.gone.Go(func() {
			for range begin {
				for range c.batches {
					for range max(1, c.repeat) {
						c.batch()
					}
					runtime.Gosched()
				}
				c.done.Done()
			}
		})
	}
}

// passOn starts members that wait for a message from the previous member before each batch, and pass it on afterwards.
func passOn(c *crew) {
	const messages = 16 // number of messages in circulation
	links := make([]chan bool, c.members)
	for i := range links {
		links[i] = make(chan bool, messages)
	}
	for i := range messages {
		links[i*c.members/messages] <- true
	}
	for i, begin := range c.begin {
		from, to := links[i], links[(i+1)%c.members]
		c.gone.Go(func() {
			for range begin {
				for range c.batches {
					<-from
					c.batch()
					to <- true
				}
				c.done.Done()
			}
		})
	}
}

func (c *crew) batch() {
	if !c.spans {
		x := work(1, c.body)
		for range zonesEach - 1 {
			x = work(x, c.body)
		}
		dropped(x)
		return
	}
	if len(c.zones) == 1 {
		c.oneZone(c.zones[0])
		return
	}
	s := c.zones[0].Enter()
	x := work(1, c.body)
	for _, z := range c.zones[1:] {
		s := z.Enter()
		x = work(x, c.body)
		s.Exit()
	}
	s.Exit()
	dropped(x)
}

func (c *crew) oneZone(z *strobe.Zone) {
	x := uint64(1)
	for range zonesEach {
		s := z.Enter()
		x = work(x, c.body)
		s.Exit()
	}
	dropped(x)
}

// dropped keeps the compiler from removing the computation of its argument.
//
//go:noinline
func dropped(uint64) {}
