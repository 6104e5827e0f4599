// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
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
