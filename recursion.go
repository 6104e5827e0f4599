// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"runtime"
	"sort"
	"strings"
)

// Calls of a recursive function that are not timed leave no trace of which of them are inside which. The durations of all of them add
// up to several times what passed. How many times is known from stacks: as often as the function is found there, on average over the
// calls. This assumes that calls take as long in themselves however deep they are.

const (
	firstLooks = 128 // timed calls of a zone whose stacks are looked at
	laterLooks = 16  // of later ones, one in so many is
	mostFrames = 256 // of a stack
	ownFrames  = 12  // are more than those of this package
)

// look counts the calls of the zone's function on the stack, for some of the calls that are timed.
func (s *sampling) look() {
	s.seen++
	if z := s.zone; z.looked.Load() < firstLooks || s.seen%laterLooks == 0 {
		n := s.function.onStack()
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

// A function is the code of one: from its entry to that of the next one.
type function struct {
	entry, end uintptr
	site       uintptr // where the call that enters the zone returns to in it; 0 if that is not known
}

// onStack returns how often the function that enters a zone is on the stack; 1 if it is not recursive, or not found. That function is
// likely f, or else becomes f.
//
//go:noinline
func (f *function) onStack() uint64 {
	if f.site != 0 {
		if n, _ := framesIn(f.site-1, f.site, ownFrames); n > 0 {
			n, _ = framesIn(f.entry, f.end, mostFrames)
			return n
		}
	}
	var few [ownFrames]uintptr
	for _, pc := range few[:runtime.Callers(2, few[:])] {
		x := runtime.FuncForPC(pc - 1)
		if x == nil || strings.HasPrefix(x.Name(), ownPrefix) {
			continue
		}
		f.find(x.Entry())
		if f.site = 0; runtime.FuncForPC(f.entry).Name() == x.Name() { // or else it is inlined
			_, f.site = framesIn(f.entry, f.end, ownFrames)
		}
		return f.unwind(x.Name())
	}
	return 1
}

// unwind returns how often a function is on the stack that has the entry of f. What is inlined there has the same, and another name.
func (f *function) unwind(name string) (n uint64) {
	var pcs [mostFrames]uintptr
	for _, pc := range pcs[:runtime.Callers(3, pcs[:])] {
		if pc--; pc >= f.entry && pc < f.end && runtime.FuncForPC(pc).Name() == name {
			n++
		}
	}
	return max(n, 1)
}

// find makes f the function with that entry.
func (f *function) find(entry uintptr) {
	if f.entry == entry {
		return
	}
	within := func(pc uintptr) bool {
		x := runtime.FuncForPC(pc)
		return x != nil && x.Entry() == entry
	}
	size := uintptr(1)
	for within(entry + size) {
		size *= 2
	}
	n := sort.Search(int(size), func(i int) bool { return !within(entry + uintptr(i)) })
	f.entry, f.end = entry, entry+uintptr(n)
}

// ownPrefix is what names of this package's functions begin with.
const ownPrefix = "github.com/strobe-go/strobe."
