// SPDX-License-Identifier: BSD-3-Clause

// Package perfbench reports hardware counters beside ns/op in Go benchmarks: cycles, instructions, branches, misses.
//
//	func BenchmarkX(b *testing.B) {
//		perfbench.Start(b)
//		for b.Loop() {
//			x()
//		}
//	}
//
// Call Start immediately before the loop. Everything between Start and the end of the benchmark counts, on every thread of the
// process, so b.RunParallel and goroutines are counted, and so is the garbage collector. If the machine has no counters the
// benchmark runs as usual, with one note that says why.
//
// To exclude code, call StopTimer and StartTimer of the [Counters] that Start returns. Those of testing.B stop the timer
// but not the counters; if they were used, no counts are reported, and a note says so.
//
// # Units
//
// The metrics are cycles/op, instructions/op, branches/op, branch-misses/op, NAME/op for other events, and ipc, instructions
// per cycle. Lines for benchstat say which direction is better. Where the system allows counting in user mode only, the
// names are user-cycles/op and so on. Counts of events that took turns are estimates; a note says so.
//
// # Concurrency
//
// Counters belong to the goroutine of the benchmark.
//
// # Accuracy
//
// The cost of reading the counters is measured and subtracted. In the emulated machine of the tests a body of 2000
// instructions is measured within 3 % with b.N, b.Loop and b.RunParallel.
package perfbench

import (
	"os"
	"sync/atomic"
	"testing"

	"github.com/strobe-go/strobe/perf"
)

// Counters count for one run of a benchmark. The methods of a nil Counters and of the zero value do nothing.
type Counters struct {
	b       *testing.B // nil in the zero value
	group   *perf.Group
	running bool
	at      perf.Measurement
	totals  totals
}

// Start counts the events from now until the benchmark function returns, and then reports them per operation. Without
// events it counts cycles, instructions, branches and branch misses. It resets the timer, so that opening the counters is
// not in ns/op. The result, which is nil where nothing can be counted, is needed for StopTimer and StartTimer only.
func Start(b *testing.B, events ...perf.Event) *Counters {
	b.Helper()
	if len(events) == 0 {
		events = []perf.Event{perf.Cycles, perf.Instructions, perf.Branches, perf.BranchMisses}
	}
	if b.N == 1 { // in the first run no line of the benchmark has been begun
		os.Stdout.WriteString(unitLines(events))
	}
	group, err := perf.Open(perf.Process, events...)
	if err != nil {
		noteOnce(b, err.Error())
		b.ResetTimer()
		return nil
	}
	c := &Counters{b: b, group: group, totals: newTotals(events, group.Overhead())}
	b.Cleanup(c.report)
	b.ResetTimer()
	c.begin()
	return c
}

// StopTimer stops counting, and the timer of the benchmark. It does nothing if both are stopped.
func (c *Counters) StopTimer() {
	if c != nil && c.running {
		c.end()
		c.b.StopTimer()
	}
}

// StartTimer starts counting again, and the timer of the benchmark. It does nothing if both are running.
func (c *Counters) StartTimer() {
	if c != nil && c.b != nil && !c.running {
		c.b.StartTimer()
		c.begin()
	}
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

// report runs after the benchmark function has returned: only then is b.N the number of operations, for every kind of loop.
func (c *Counters) report() {
	c.end()
	c.group.Close()
	if text := c.totals.mismatch(c.b.Elapsed()); text != "" {
		c.b.Log("perfbench: " + text)
		return
	}
	for _, m := range c.totals.metrics(c.b.N) {
		c.b.ReportMetric(m.value, m.name)
	}
	if text := c.totals.note(); text != "" {
		noteOnce(c.b, text)
	}
}

// noted is set once the process has said what is missing.
var noted atomic.Bool

// noteOnce says what is missing, once per process.
func noteOnce(b *testing.B, text string) {
	b.Helper()
	if !noted.Swap(true) {
		b.Log("perfbench: " + text)
	}
}
