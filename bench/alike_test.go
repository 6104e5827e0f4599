// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"runtime"
	"testing"
	"time"

	"github.com/strobe-go/strobe/stat/decide"
)

// Functions that do the same, and take a few ns.

//go:noinline
func nothing() {}

//go:noinline
func nothingElse() {}

var shifted uint64

//go:noinline
func shifts() {
	x := shifted | 1
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	shifted = x
}

//go:noinline
func sameShifts() {
	x := shifted | 1
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	shifted = x
}

var counts [16]uint64

//go:noinline
func increments() {
	for i := range counts {
		counts[i]++
	}
}

//go:noinline
func sameIncrements() {
	for i := range counts {
		counts[i]++
	}
}

// A processor that predicts one of two functions better than the other one must not decide which of them is faster.
func TestFunctionsThatDoTheSameAreNotToldApart(t *testing.T) {
	compared, apart := 0, 0
	for _, pair := range [][2]func(){{nothing, nothingElse}, {shifts, sameShifts}, {increments, sameIncrements}, {func() {}, func() {}}} {
		for range 4 {
			c := Compare(pair[0], pair[1], CompareOptions{MaxTime: 100 * time.Millisecond})
			compared++
			if c.Verdict == decide.Faster || c.Verdict == decide.Slower {
				apart++
				t.Logf("%v against %v: %v: %v", c.OtherTime, c.BaseTime, c.Ratio, c.Verdict)
			}
		}
	}
	if apart > compared/4 {
		t.Errorf("in %d of %d comparisons", apart, compared)
	}
}

func TestFunctionsAreCalledFromPlacesOfTheirOwn(t *testing.T) {
	var at uintptr
	where := func() {
		var pc [1]uintptr
		runtime.Callers(2, pc[:])
		at = pc[0]
	}
	seen := map[uintptr]int{}
	first := caller{where, bare.repeat}
	first.timed(1)
	seen[at]++
	offset := at % 64
	n := len(alikePlaces())
	if n < 2 {
		t.Fatalf("%d places", n)
	}
	for range 2 * n {
		newCaller(where).timed(1)
		if seen[at]++; at%64 != offset {
			t.Errorf("%#x is not at offset %d of its line", at, offset)
		}
	}
	if len(seen) != n+1 || seen[at] != 2 {
		t.Errorf("%d places for %d functions: %v", len(seen), 2*n+1, seen)
	}
}
