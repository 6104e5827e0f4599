// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"runtime"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/neighbour"
)

// A rig measures two functions, the base and the other. The rig of Compare calls them; those of tests play recordings.
type rig interface {
	// elapsed returns the time since the comparison began.
	elapsed() time.Duration
	// round times a batch of both functions, in this order and at this depth of the stack, and reports whether nothing else used the core
	// before, between and after them.
	round(order []int, depth int) (took [2]int64, alone bool)
	// stretch makes the given number of calls of a function in one go, or fewer if they take longer than most.
	stretch(side, depth, calls int, most time.Duration) stretch
	// pause calls neither function for some time, after a garbage collection, and returns the processor time that the process
	// used meanwhile.
	pause(d time.Duration) (used time.Duration, known bool)
	// memory reads the counts of the heap.
	memory() memory
}

// functions is the rig of two functions.
type functions struct {
	parts [2]caller
	batch int // calls
	start clock.Instant
	watch neighbour.Watch
}

func (f *functions) elapsed() time.Duration { return clock.Since(f.start) }

func (f *functions) memory() memory { return readMemory() }

func (f *functions) round(order []int, depth int) (took [2]int64, alone bool) {
	alone = f.watch.Look() == neighbour.Alone
	for _, i := range order {
		took[i] = f.parts[i].timedAt(depth, f.batch)
		alone = f.watch.Look() == neighbour.Alone && alone
	}
	return took, alone
}

func (f *functions) stretch(side, depth, calls int, most time.Duration) stretch {
	return f.parts[side].longAt(depth, calls, most)
}

// longAt makes calls in one go, at a depth of the stack. It sometimes reads the clock, so that it ends if the function gets
// slower and slower.
func (c caller) longAt(depth, calls int, most time.Duration) (s stretch) {
	before := readMemory().collections
	used, known := processTime()
	start := clock.NowOrdered()
	for step := max(1, calls/64); s.calls < calls; {
		n := min(step, calls-s.calls)
		c.timedAt(depth, n)
		s.calls += n
		if s.wall = time.Duration(clock.NowOrdered() - start); s.wall > most {
			break
		}
	}
	now, still := processTime()
	s.cpu, s.known = now-used, known && still
	s.collections = readMemory().collections - before
	return s
}

func (f *functions) pause(d time.Duration) (used time.Duration, known bool) {
	runtime.GC() // completes a collection that has begun
	before, known := processTime()
	time.Sleep(d)
	after, still := processTime()
	return after - before, known && still
}
