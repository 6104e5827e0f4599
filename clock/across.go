// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// pinned returns the deltas of readings on one processor, where the system allows binding a thread.
func pinned(s Source) deltas {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if cpus := processors(); len(cpus) > 0 {
		defer unpin(cpus)
		pin(cpus[0])
	}
	return s.deltas(20_000)
}

// across passes a stamp back and forth between two processors n times, for at most 30 ms, and counts the readings that
// were earlier than the stamp just received. This detects readings that the processor executes early (see NowOrdered) and
// counters that differ between processors. held reports whether each goroutine was bound to a processor.
func across(s Source, n int) (total, back uint64, held bool) {
	if runtime.GOMAXPROCS(0) < 2 || runtime.NumCPU() < 2 {
		return 0, 0, false
	}
	var (
		turn  atomic.Int64 // even: ours, odd: theirs
		stamp atomic.Int64
		wrong atomic.Uint64
		fast  atomic.Bool
		wg    sync.WaitGroup
	)
	cpus := processors()
	fast.Store(len(cpus) >= 2)
	deadline := master.hw.reference() + 30*ms
	player := func(parity int64) {
		defer wg.Done()
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if len(cpus) >= 2 {
			defer unpin(cpus)
			if pin(cpus[parity]) != nil {
				fast.Store(false)
			}
		}
		for i := parity; i < int64(n); i += 2 {
			for spins := 0; turn.Load() != i; spins++ {
				if turn.Load() < 0 {
					return
				}
				if spins%1024 == 1023 {
					runtime.Gosched()
				}
			}
			t := s.Read()
			if t < stamp.Load() {
				wrong.Add(1)
			}
			stamp.Store(t)
			if i%64 == 0 && master.hw.reference() > deadline {
				total = uint64(i)
				turn.Store(-1)
				return
			}
			turn.Store(i + 1)
		}
	}
	stamp.Store(math.MinInt64)
	wg.Add(2)
	go player(0)
	go player(1)
	wg.Wait()
	if turn.Load() >= 0 {
		total = uint64(n)
	}
	return total, wrong.Load(), fast.Load()
}
