// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"runtime"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/units"
)

// Noise describes what disturbed a function while it was measured. It explains the numbers but does not correct them.
type Noise struct {
	Elapsed     time.Duration
	Collections uint32        // garbage collections
	Paused      time.Duration // total time for which they stopped the world

	Voluntary   uint64 // how often the thread gave up the processor to wait for something
	Involuntary uint64 // how often the processor was taken from it
	SwitchesOK  bool   // whether the system reports the two

	Steal   float64 // share of the machine's time that its host gave to others
	StealOK bool    // whether the system reports it
}

// String lists what is known, in one line.
func (n Noise) String() string {
	text := fmt.Sprintf("%d garbage collections, %s paused", n.Collections, units.Duration(float64(n.Paused)))
	if n.SwitchesOK {
		text += fmt.Sprintf("; preempted %d times, waited %d times", n.Involuntary, n.Voluntary)
	}
	if n.StealOK {
		text += fmt.Sprintf("; %.2g %% stolen by the host", 100*n.Steal)
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

// ticks are the time of the machine's processors so far, in all and stolen, in a unit of the system.
type ticks struct {
	stolen, all uint64
	ok          bool
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
	if w.switches.ok && now.switches.ok {
		n.Voluntary = now.switches.voluntary - w.switches.voluntary
		n.Involuntary = now.switches.involuntary - w.switches.involuntary
		n.SwitchesOK = true
	}
	if all := now.stolen.all - w.stolen.all; w.stolen.ok && now.stolen.ok && now.stolen.all > w.stolen.all && now.stolen.stolen >= w.stolen.stolen {
		n.Steal, n.StealOK = float64(now.stolen.stolen-w.stolen.stolen)/float64(all), true
	}
	return n
}
