// SPDX-License-Identifier: BSD-3-Clause

// Package callsite calls functions so that they can be compared. A processor predicts where the call of a function value goes by the
// place of the call: from a place that has called two functions, one of them may be called three cycles faster than the other one for a
// long time, as seen on AMD's Zen 4. So that this does not look like their cost, each function is called from a place of its own.
package callsite

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A Site is a loop that calls a function.
type Site struct {
	f      func()
	repeat func(f func(), n int)
}

// Empty calls an empty function, from a place that calls nothing else.
var Empty = Site{func() {}, places[0]}

// New returns the site of a function. After many of them their places are used again. Safe for concurrent use.
func New(f func()) Site {
	all := alike()
	return Site{f, all[taken.Add(1)%uint64(len(all))]}
}

// Call calls the function n times.
func (s Site) Call(n int) { s.repeat(s.f, n) }

// taken counts the places that were given to functions.
var taken atomic.Uint64

// repeat calls f n times. It is not inlined, and has a copy of its code for each type.
//
//go:noinline
func repeat[T any](f func(), n int) {
	for ; n > 0; n-- {
		f()
	}
}

// places are copies of repeat. The first one calls the empty function only.
var places = [...]func(f func(), n int){
	repeat[[0]byte], repeat[[1]byte], repeat[[2]byte], repeat[[3]byte], repeat[[4]byte], repeat[[5]byte], repeat[[6]byte], repeat[[7]byte],
	repeat[[8]byte], repeat[[9]byte], repeat[[10]byte], repeat[[11]byte], repeat[[12]byte], repeat[[13]byte], repeat[[14]byte], repeat[[15]byte],
	repeat[[16]byte], repeat[[17]byte], repeat[[18]byte], repeat[[19]byte], repeat[[20]byte], repeat[[21]byte], repeat[[22]byte], repeat[[23]byte],
	repeat[[24]byte], repeat[[25]byte], repeat[[26]byte], repeat[[27]byte], repeat[[28]byte], repeat[[29]byte], repeat[[30]byte], repeat[[31]byte],
}

// alike are the places whose code lies at the same offset in a line of 64 bytes as that of the first one, on which the cost of a loop
// depends.
var alike = sync.OnceValue(func() (some []func(f func(), n int)) {
	var first uintptr
	for i, p := range places {
		var offset uintptr
		p(func() {
			var pc [1]uintptr
			runtime.Callers(2, pc[:])
			offset = pc[0] % 64
		}, 1)
		if i == 0 {
			first = offset
		} else if offset == first {
			some = append(some, p)
		}
	}
	if len(some) < 2 { // two functions are compared
		return places[1:]
	}
	return some
})
