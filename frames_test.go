// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off && (amd64 || arm64) && !purego

package strobe

import (
	"reflect"
	"runtime"
	"testing"
)

// nest calls then inside so many calls of itself.
//
//go:noinline
func nest(depth int, then func()) {
	if depth > 1 {
		nest(depth-1, then)
	} else {
		then()
	}
	nested++
}

var nested int

func TestFramesAreFoundByTheirPointersAsByTheRuntime(t *testing.T) {
	x := runtime.FuncForPC(reflect.ValueOf(nest).Pointer())
	var f function
	f.find(x.Entry())
	if before, after := runtime.FuncForPC(f.end-1), runtime.FuncForPC(f.end); before.Entry() != f.entry || after != nil && after.Entry() == f.entry {
		t.Errorf("%s is said to end at %#x", x.Name(), f.end)
	}
	for _, depth := range []int{1, 2, 10, 200} {
		var unwound, walked, few uint64
		var first uintptr
		nest(depth, func() {
			unwound = f.unwind(x.Name())
			walked, first = framesIn(f.entry, f.end, mostFrames)
			few, _ = framesIn(f.entry, f.end, 5)
		})
		if unwound != uint64(depth) {
			t.Errorf("%d calls, of which the runtime finds %d", depth, unwound)
		}
		if walked != uint64(depth) || few > 5 || few == 0 || runtime.FuncForPC(first-1) != x {
			t.Errorf("%d calls, of which there are %d by frame pointers, and %d in 5 frames; the first returns to %#x", depth, walked, few, first)
		}
	}
	if n := f.unwind(x.Name()); n != 1 {
		t.Errorf("there are %d calls outside of all", n)
	}
	if n, first := framesIn(f.entry, f.end, mostFrames); n != 0 || first != 0 {
		t.Errorf("there are %d calls outside of all by frame pointers", n)
	}
}
