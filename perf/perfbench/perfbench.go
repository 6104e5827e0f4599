// SPDX-License-Identifier: BSD-3-Clause

// Package perfbench puts what processors count beside ns/op: cycles, instructions, branches, misses.
//
//	func BenchmarkX(b *testing.B) {
//		perfbench.Start(b)
//		for b.Loop() {
//			x()
//		}
//	}
//
// Call Start last before the loop: what runs between Start and the end of the benchmark counts, on every thread of the
// process, so b.RunParallel and goroutines are right too, and the garbage collector is in it. Where the machine has no
// counters the benchmark runs as ever, with one note that says why.
//
// # Units
//
// Metrics are cycles/op, instructions/op, branches/op, branch-misses/op, NAME/op for other events, and ipc, instructions per
// cycle. Lines that benchstat reads tell which of them should be low. In user mode only, where the system allows no
// more, the name is user-cycles/op and so on. Counts of events that took turns are estimates; a note says so.
//
// # Concurrency
//
// The goroutine of the benchmark owns its Counters.
//
// # Accuracy
//
// The cost of reading the counters is measured and subtracted. In the emulated machine of the tests a body of 2000
// instructions is within 3 % of that by b.N, b.Loop and b.RunParallel.
package perfbench

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/strobe-go/strobe/perf"
)

// Counters count for one run of a benchmark. The methods of a nil Counters do nothing.
type Counters struct {
	b       *testing.B
	group   *perf.Group
	running bool
	at      perf.Measurement
	totals  totals
}

// Start counts the events, by default cycles, instructions, branches and branch misses, from now until the benchmark
// function returns, and then reports them per operation. It resets the timer, so that opening the counters is not in ns/op.
// The result is needed only for StopTimer and StartTimer.
func Start(b *testing.B, events ...perf.Event) *Counters {
	b.Helper()
	if len(events) == 0 {
		events = []perf.Event{perf.Cycles, perf.Instructions, perf.Branches, perf.BranchMisses}
	}
	if b.N == 1 && !said.Swap(true) { // in the first run no line of a benchmark is begun yet
		os.Stdout.WriteString(unitLines(events))
	}
	group, err := perf.Open(perf.Process, events...)
	if err != nil {
		note(b, err.Error())
		b.ResetTimer()
		return nil
	}
	c := &Counters{b: b, group: group}
	overhead := group.Overhead()
	c.totals = totals{events: events, overhead: overhead, sums: make([]sum, len(events))}
	b.Cleanup(c.report)
	b.ResetTimer()
	c.begin()
	return c
}

// said and noted are about this process: its output needs the lines once.
var said, noted atomic.Bool

// note tells once what is missing.
func note(b *testing.B, text string) {
	b.Helper()
	if !noted.Swap(true) {
		b.Log("perfbench: " + text)
	}
}

// unitLines tell benchstat which way is better.
func unitLines(events []perf.Event) string {
	var text strings.Builder
	for _, e := range events {
		name, inUser := metric(e, false), metric(e, true)
		fmt.Fprintf(&text, "Unit %s better=lower\n", name)
		if inUser != name {
			fmt.Fprintf(&text, "Unit %s better=lower\n", inUser)
		}
	}
	if slices.Contains(events, perf.Cycles) && slices.Contains(events, perf.Instructions) {
		text.WriteString("Unit ipc better=higher\n")
	}
	return text.String()
}

// metric names an event per operation.
func metric(e perf.Event, user bool) string {
	name := string(e)
	if plain, ok := strings.CutSuffix(name, ":u"); ok {
		name, user = plain, true
	}
	name = strings.Trim(strings.Map(func(r rune) rune { // a unit holds no blanks, and "/" divides
		if r == '/' || r == ' ' || r == '\t' {
			return '.'
		}
		return r
	}, name), ".")
	if user {
		name = "user-" + name
	}
	return name + "/op"
}

func (c *Counters) begin() {
	c.running = true
	c.at = c.group.Start()
}

func (c *Counters) end() {
	if c.running {
		c.totals.add(c.at.Stop())
		c.running = false
	}
}

// StopTimer stops counting and the timer of the benchmark.
func (c *Counters) StopTimer() {
	if c != nil {
		c.end()
		c.b.StopTimer()
	}
}

// StartTimer goes on with both.
func (c *Counters) StartTimer() {
	if c != nil && !c.running {
		c.b.StartTimer()
		c.begin()
	}
}

// report runs when the function has returned: only then is b.N what it ran, whichever loop it has.
func (c *Counters) report() {
	c.end()
	c.group.Close()
	for _, m := range c.totals.metrics(c.b.N) {
		c.b.ReportMetric(m.value, m.name)
	}
	if text := c.totals.note(); text != "" {
		note(c.b, text)
	}
}
