// SPDX-License-Identifier: BSD-3-Clause

package word

import (
	"sync"
	"testing"
)

// Both halves of each value are equal, so a torn read would show.
func TestReadersSeeWholeValuesInOrder(t *testing.T) {
	var w Word
	const n = 1 << 20
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			last := uint64(0)
			for last < n {
				x := w.Read()
				if x>>32 != x&(1<<32-1) {
					t.Errorf("torn: %x", x)
					return
				}
				if x &= 1<<32 - 1; x < last {
					t.Errorf("%d after %d", x, last)
					return
				} else {
					last = x
				}
			}
		}()
	}
	for i := uint64(1); i <= n; i++ {
		w.Set(i<<32 | i)
		if w.Get() != i<<32|i {
			t.Fatal("the owner does not see what it wrote")
		}
	}
	wg.Wait()
}

func BenchmarkAdd(b *testing.B) {
	var w Word
	for b.Loop() {
		w.Set(w.Get() + 1)
	}
}
