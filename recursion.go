// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"runtime"
	"strings"
)

// Calls of a recursive function that are not timed leave no trace of which of them are inside which. The durations of all of them add
// up to several times what passed. How many times is known from stacks: as often as the function is found there, on average over the
// calls. This assumes that calls take as long in themselves however deep they are.

const (
	firstLooks = 64  // timed calls of a zone whose stacks are looked at
	laterLooks = 64  // of later ones, one in so many is
	mostFrames = 256 // of a stack
)

// look counts the calls of the zone's function on the stack, for some of the calls that are timed.
func (s *sampling) look() {
	s.seen++
	if z := s.zone; z.looked.Load() < firstLooks || s.seen%laterLooks == 0 {
		n := onStack()
		z.looked.Add(1) // first: readers see too few calls around the others for a moment, never calls around none
		z.around.Add(n - 1)
	}
}

// outermost returns the part of the durations of calls that is in no other call of the zone.
func (z *Zone) outermost(total uint64) uint64 {
	around := float64(z.around.Load())
	if around == 0 {
		return total
	}
	looked := float64(z.looked.Load())
	return uint64(float64(total) * looked / (looked + around))
}

// onStack returns how often the function that enters a zone is on the stack; 1 if it is not recursive, or not found.
//
//go:noinline
func onStack() (n uint64) {
	var pcs [mostFrames]uintptr
	var entry uintptr // of the function, and its name: what is inlined there has the same entry
	var name string
	for _, pc := range pcs[:runtime.Callers(2, pcs[:])] {
		f := runtime.FuncForPC(pc - 1)
		switch {
		case f == nil:
		case entry == 0:
			if called := f.Name(); !strings.HasPrefix(called, ownPrefix) {
				entry, name, n = f.Entry(), called, 1
			}
		case f.Entry() == entry && f.Name() == name:
			n++
		}
	}
	return max(n, 1)
}

// ownPrefix is what names of this package's functions begin with.
const ownPrefix = "github.com/strobe-go/strobe."
