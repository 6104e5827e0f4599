// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"math"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/race"
)

// STROBE_SOAK=10m makes it last; by default it only shows that the test works.
func TestHeapStaysFlat(t *testing.T) {
	if race.Enabled {
		t.Skip("about memory: others run the same goroutines under the race detector")
	}
	span := time.Second
	if s := os.Getenv("STROBE_SOAK"); s != "" {
		d, err := time.ParseDuration(s)
		if err != nil {
			t.Fatalf("STROBE_SOAK: %v", err)
		}
		span = d
	}
	outer, inner, waiting, few := NewZone("outer"), NewZone("inner"), NewWaitZone("waiting"), NewZone("few")
	few.SetSampling(16)
	Record(1 << 20)
	defer Record(0)
	reader := NewReader()

	// The number of concurrent goroutines is limited, since it determines the memory in use.
	turn := func() {
		var wg sync.WaitGroup
		for range 50 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				o := outer.Enter()
				for range 20 {
					i := inner.Enter()
					few.Enter().Exit()
					i.Exit()
				}
				w := waiting.Enter()
				runtime.Gosched()
				w.Exit()
				o.Exit()
			}()
		}
		wg.Wait()
		Frame("soak")
		Plot("soak", 1)
		Message("soak")
		reader.Read()
		time.Sleep(2 * time.Millisecond)
	}
	heap := func() uint64 { // the least of several: the reporter may be working on a snapshot
		var m runtime.MemStats
		least := uint64(math.MaxUint64)
		for range 8 {
			runtime.GC()
			runtime.ReadMemStats(&m)
			least = min(least, m.HeapAlloc)
			time.Sleep(15 * time.Millisecond)
		}
		return least
	}
	turns := func(span time.Duration) { // enough to fill the recording, however busy the machine is
		begin := time.Now()
		for n := 0; n < 100 || time.Since(begin) < span; n++ {
			turn()
		}
	}
	turns(span / 4)
	before, held := heap(), memory.Used()
	turns(span - span/4)
	after, now := heap(), memory.Used()
	t.Logf("%v: heap %d kB, then %d kB; the package held %d kB, then %d kB", span, before>>10, after>>10, held>>10, now>>10)
	if after > before+4<<20 {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
	if now > held+1<<20 {
		t.Errorf("the package grew from %d to %d bytes", held, now)
	}
}
