// SPDX-License-Identifier: BSD-3-Clause

package planted

import (
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

var sink atomic.Uint64

// turns computes n turns of known work.
func turns(n int) {
	x := uint64(n)
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	sink.Store(x)
}

// perTurn is the time of a turn on a processor that nothing else uses, in nanoseconds: the least of many tries, in bits.
var perTurn atomic.Uint64

func calibrate() float64 {
	if bits := perTurn.Load(); bits != 0 {
		return math.Float64frombits(bits)
	}
	n := 20_000
	least := quickest(n, 100)
	if least == 0 { // time.Now steps by milliseconds, as on Windows
		for ; least < 20*time.Millisecond; n *= 4 {
			least = quickest(4*n, 10)
		}
	}
	each := float64(least) / float64(n)
	perTurn.Store(math.Float64bits(each))
	return each
}

// quickest returns the shortest time that n turns took.
func quickest(n, tries int) time.Duration {
	least := time.Duration(math.MaxInt64)
	for range tries {
		start := time.Now()
		turns(n)
		least = min(least, time.Since(start))
	}
	return least
}

// compute does work that takes d of processor time, however long it is displaced.
//
//go:noinline
func compute(d time.Duration) { turns(int(float64(d) / calibrate())) }

// computeAtLeast computes until d has passed.
//
//go:noinline
func computeAtLeast(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
		turns(1000)
	}
}

var garbage [64]atomic.Pointer[[]byte]

// allocate allocates until d has passed.
//
//go:noinline
func allocate(d time.Duration) {
	for start, i := time.Now(), 0; time.Since(start) < d; i++ {
		b := make([]byte, 64+i%8*1024)
		garbage[i%len(garbage)].Store(&b)
	}
}

// collect collects garbage until d has passed.
//
//go:noinline
func collect(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
		runtime.GC()
	}
}

// prepareCollect fills the heap with pointers, so that a collection takes a while.
func prepareCollect(t testing.TB) (func(time.Duration), error) {
	heap := make([]*[4]*int, 100_000)
	for i := range heap {
		heap[i] = new([4]*int)
	}
	t.Cleanup(func() { runtime.KeepAlive(heap) })
	return collect, nil
}

// beside runs work again and again in n goroutines, and returns what ends that.
func beside(n int, work func()) (end func()) {
	stop := new(atomic.Bool)
	for range n {
		go func() {
			for !stop.Load() {
				work()
			}
		}()
	}
	return func() { stop.Store(true) }
}

func prepareOthers(testing.TB) (func(time.Duration), error) {
	return func(d time.Duration) {
		defer beside(2*runtime.GOMAXPROCS(0), func() { allocate(time.Millisecond) })()
		yield(d)
	}, nil
}

// prepareStop parks goroutines whose stacks take a while to print, which stops the world.
func prepareStop(t testing.TB) (func(time.Duration), error) {
	const many = 2000
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	for range many {
		go park(10, end)
	}
	to := make([]byte, 4<<20) // in advance: where page faults take long, the world would run half of the time
	runtime.Stack(to, true)
	return func(d time.Duration) {
		defer beside(1, func() { runtime.Stack(to, true) })()
		computeAtLeast(d)
	}, nil
}

//go:noinline
func park(depth int, end <-chan struct{}) {
	if depth > 0 {
		park(depth-1, end)
		return
	}
	<-end
}

// yield lets others run until d has passed.
//
//go:noinline
func yield(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
		runtime.Gosched()
	}
}

func prepareBusy(testing.TB) (func(time.Duration), error) {
	return func(d time.Duration) {
		defer beside(2*runtime.GOMAXPROCS(0), func() { turns(1000) })()
		yield(d)
	}, nil
}
