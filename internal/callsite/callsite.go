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

// alike are the places to give to functions.
var alike = sync.OnceValue(func() (some []func(f func(), n int)) {
	var offsets [len(places)]uintptr
	for i, p := range places {
		p(func() {
			var pc [1]uintptr
			runtime.Callers(2, pc[:])
			offsets[i] = pc[0] % line
		}, 1)
	}
	for _, i := range asFirst(offsets[:]) {
		some = append(some, places[i])
	}
	return some
})

// line is the size of a line of a cache. The cost of a loop depends on the offset of its code in one.
const line = 64

// asFirst returns the indices of the other offsets that equal the first one; of all others if there are fewer than two, since two
// functions are compared.
func asFirst(offsets []uintptr) (some []int) {
	var others []int
	for i, offset := range offsets[1:] {
		others = append(others, i+1)
		if offset == offsets[0] {
			some = append(some, i+1)
		}
	}
	if len(some) < 2 {
		return others
	}
	return some
}
