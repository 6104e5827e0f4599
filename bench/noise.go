// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"runtime"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/neighbour"
	"github.com/strobe-go/strobe/internal/procstat"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
)

// Noise describes what disturbed a function while it was measured. It explains the numbers but does not correct them.
type Noise struct {
	Elapsed     time.Duration
	Collections uint32        // garbage collections
	Paused      time.Duration // total time for which they stopped the world

	Voluntary   stat.Interval // how often the thread gave up the processor to wait for something
	Involuntary stat.Interval // how often the processor was taken from it

	Steal stat.Interval // share of the machine's time that its host gave to others; the system counts it in steps

	// Shared is the share of the time in which something else, such as another machine, used the same physical core, and SharedCost is
	// up to how many times as long work took then; 0 if that was not seen.
	Shared     stat.Interval
	SharedCost float64
	core       string // both, as a sentence
}

// look takes what was seen of the core.
func (n *Noise) look(r neighbour.Report) {
	n.Shared, n.SharedCost, n.core = r.Share, r.Factor, r.String()
}

// String lists what is known, in one line.
func (n Noise) String() string {
	text := fmt.Sprintf("%d garbage collections, %s paused", n.Collections, units.Duration(float64(n.Paused)))
	if n.Involuntary.Known() && n.Voluntary.Known() {
		text += fmt.Sprintf("; preempted %.0f times, waited %.0f times", n.Involuntary.Center, n.Voluntary.Center)
	}
	if n.Steal.Known() {
		text += fmt.Sprintf("; %.2g %% stolen by the host", 100*n.Steal.Center)
	}
	if n.core != "" {
		text += "; " + n.core
	}
	return text
}

// A noiseState holds the counters at the start.
type noiseState struct {
	start    clock.Instant
	memory   runtime.MemStats
	switches switches
	stolen   ticks
}

// switches are the context switches of a thread so far.
type switches struct {
	voluntary, involuntary uint64
	ok                     bool
}

// ticks are the time of the machine's processors so far, in all and stolen, in steps of the system's count.
type ticks struct {
	stolen, all uint64
	ok          bool
}

func stealOS() ticks {
	t, ok := procstat.Read()
	return ticks{uint64(t.Steal / procstat.Tick), uint64(t.All() / procstat.Tick), ok}
}

func watch() *noiseState {
	w := new(noiseState)
	runtime.ReadMemStats(&w.memory)
	w.switches, w.stolen = switchesOS(), stealOS()
	w.start = clock.Now()
	return w
}

// since returns the changes since the start.
func (w *noiseState) since() (n Noise) {
	n.Elapsed = clock.Since(w.start)
	now := new(noiseState)
	now.switches, now.stolen = switchesOS(), stealOS()
	runtime.ReadMemStats(&now.memory)
	n.Collections = now.memory.NumGC - w.memory.NumGC
	n.Paused = time.Duration(now.memory.PauseTotalNs - w.memory.PauseTotalNs)
	n.Voluntary = stat.Unknown("this system does not count the context switches of a thread")
	n.Involuntary = n.Voluntary
	if w.switches.ok && now.switches.ok {
		n.Voluntary = tally(now.switches.voluntary-w.switches.voluntary, 0, 1)
		n.Involuntary = tally(now.switches.involuntary-w.switches.involuntary, 0, 1)
	}
	n.Steal = stolen(w.stolen, now.stolen)
	return n
}

// stolen returns the share of the time between two readings that was stolen.
func stolen(from, to ticks) stat.Interval {
	switch {
	case !from.ok || !to.ok:
		return stat.Unknown("this system does not tell what its host takes")
	case to.all <= from.all:
		return stat.Unknown("shorter than a step of the system's count")
	case to.stolen < from.stolen:
		return stat.Unknown("the system's count went back")
	}
	return tally(to.stolen-from.stolen, 1, to.all-from.all)
}

// tally returns a count, right to within a step, as a share of all.
func tally(n, step, all uint64) stat.Interval {
	share := func(n uint64) float64 { return float64(n) / float64(all) }
	return stat.Interval{Center: share(n), Lo: share(n - min(n, step)), Hi: min(share(n+step), max(1, share(n))), Level: 1, Method: "count", N: all}
}
