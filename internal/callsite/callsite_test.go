// SPDX-License-Identifier: BSD-3-Clause

package callsite

import (
	"runtime"
	"slices"
	"sync"
	"testing"
)

func TestFunctionsAreCalledFromPlacesOfTheirOwn(t *testing.T) {
	calls, at := 0, uintptr(0)
	where := func() {
		var pc [1]uintptr
		runtime.Callers(2, pc[:])
		at = pc[0]
		calls++
	}
	seen := map[uintptr]int{}
	Site{where, Empty.repeat}.Call(3)
	seen[at]++
	offset := at % line
	n := len(alike())
	if n < 2 || calls != 3 {
		t.Fatalf("%d places, %d calls", n, calls)
	}
	for range 2 * n {
		New(where).Call(1)
		if seen[at]++; at%line != offset {
			t.Errorf("%#x is not at offset %d of its line", at, offset)
		}
	}
	if len(seen) != n+1 || seen[at] != 2 {
		t.Errorf("%d places for %d functions: %v", len(seen), 2*n+1, seen)
	}
}

func TestPlacesAtTheOffsetOfTheFirstAreChosen(t *testing.T) {
	for _, c := range []struct {
		offsets []uintptr
		want    []int
	}{
		{[]uintptr{5, 5, 37, 5, 37}, []int{1, 3}},
		{[]uintptr{5, 5, 37, 37}, []int{1, 2, 3}},
		{[]uintptr{5, 6, 7}, []int{1, 2}},
	} {
		if got := asFirst(c.offsets); !slices.Equal(got, c.want) {
			t.Errorf("%d: %d, want %d", c.offsets, got, c.want)
		}
	}
}

func TestSitesMayBeMadeAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	var counts [8]int
	for i := range counts {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 100 {
				New(func() { counts[i]++ }).Call(3)
			}
		}()
	}
	wg.Wait()
	for i, n := range counts {
		if n != 300 {
			t.Errorf("function %d was called %d times", i, n)
		}
	}
}
