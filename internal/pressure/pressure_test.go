// SPDX-License-Identifier: BSD-3-Clause

package pressure

import (
	"math"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
)

func open(t testing.TB, o Options) *Reader {
	t.Helper()
	p := Open(o)
	t.Cleanup(p.Close)
	return p
}

// grown returns how much a counter grew while f ran on one thread, and skips the test where it has no value.
func grown(t *testing.T, p *Reader, c Counter, f func()) int64 {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, after Reading
	p.Read(&before)
	f()
	p.Read(&after)
	d := after.Since(&before)
	n, ok := d.Value(c)
	if !ok {
		for _, m := range p.Missing() {
			if m.Counter == c {
				t.Skipf("%v is missing: %s; %s", c, m.Reason, m.Remedy)
			}
		}
		t.Fatalf("%v has neither a value nor a reason", c)
	}
	return n
}

func TestEveryCounterHasAValueOrAReason(t *testing.T) {
	for _, o := range []Options{{}, {Stolen: true}} {
		p := open(t, o)
		var r Reading
		p.Read(&r)
		reasons := map[Counter]string{}
		for _, m := range p.Missing() {
			reasons[m.Counter] += m.Reason
		}
		for c := range Counter(counters) {
			_, ok := r.Value(c)
			if ok == (reasons[c] != "") {
				t.Errorf("%v: has a value: %v, and the reason %q", c, ok, reasons[c])
			}
		}
	}
}

func TestDifferencesAreKnownWhereBothReadingsAre(t *testing.T) {
	var a, b Reading
	a.thread, b.thread = 1, 1
	a.set(Allocated, 100)
	b.set(Allocated, 150)
	b.set(Objects, 3) // not in a
	a.set(HeapGoal, 1000)
	b.set(HeapGoal, 900)
	a.set(ThreadTime, 10)
	b.set(ThreadTime, 30)
	a.set(Waited, 20)
	b.set(Waited, 10) // a thread that ended may take its last microseconds along
	d := b.Since(&a)
	for c, want := range map[Counter]int64{Allocated: 50, HeapGoal: 900, ThreadTime: 20, Waited: 0} {
		if got, ok := d.Value(c); !ok || got != want {
			t.Errorf("%v: %d, %v, want %d", c, got, ok, want)
		}
	}
	for _, c := range []Counter{Objects, ProcessTime, -1, Counter(counters)} {
		if got, ok := d.Value(c); ok || got != 0 {
			t.Errorf("%v: %d", c, got)
		}
	}
	b.thread = 2
	if d = b.Since(&a); d.r.known&(1<<ThreadTime) != 0 {
		t.Error("times of two threads were subtracted")
	}
	b.thread, a.thread = 0, 0
	if d = b.Since(&a); d.r.known&(1<<ThreadTime) != 0 {
		t.Error("times of unknown threads were subtracted")
	}
}

func TestEveryCounterHasAName(t *testing.T) {
	seen := map[string]bool{}
	for c := range Counter(counters) {
		if name := c.String(); seen[name] || strings.Contains(name, "(") {
			t.Errorf("%d: %q", int(c), name)
		} else {
			seen[name] = true
		}
	}
	if len(words) != counters || counters > 32 {
		t.Errorf("%d counters, %d names", counters, len(words))
	}
}

var kept [][]byte

func TestAllocationsAndCollectionsAreCounted(t *testing.T) {
	p := open(t, Options{})
	if n := grown(t, p, Allocated, func() {
		for range 100 {
			kept = append(kept, make([]byte, 1<<20))
		}
	}); n < 100<<20 {
		t.Errorf("%d bytes allocated", n)
	}
	kept = nil
	if n := grown(t, p, Collections, runtime.GC); n < 1 {
		t.Error("no collection")
	}
	if n := grown(t, p, Pauses, runtime.GC); n < 2 {
		t.Errorf("%d pauses in a collection", n)
	}
	if n := grown(t, p, Paused, runtime.GC); n <= 0 {
		t.Error("a collection without a pause")
	}
	if n := grown(t, p, OtherPauses, func() { runtime.ReadMemStats(new(runtime.MemStats)) }); n < 1 {
		t.Error("the world was stopped, and nothing counted it")
	}
	if n := grown(t, p, HeapGoal, func() {}); n < 1<<20 {
		t.Errorf("the goal is %d bytes", n)
	}
}

func TestHistogramsAreAddedUp(t *testing.T) {
	h := &metrics.Float64Histogram{Counts: []uint64{1, 0, 2, 1}, Buckets: []float64{math.Inf(-1), 0, 1e-6, 3e-6, math.Inf(1)}}
	if n, sum := total(h); n != 4 || sum != 2*2000+3000 {
		t.Errorf("%d, %d", n, sum)
	}
}

//go:noinline
func burn(d time.Duration) (x int) {
	for start := time.Now(); time.Since(start) < d; x++ {
	}
	return x
}

func TestProcessorTimeIsThatOfTheThread(t *testing.T) {
	p := open(t, Options{})
	var took time.Duration
	n := time.Duration(grown(t, p, ThreadTime, func() {
		start := time.Now()
		burn(20 * time.Millisecond)
		took = time.Since(start)
	}))
	if n <= 0 || n > took+time.Millisecond {
		t.Errorf("%v of %v", n, took)
	}
	for deadline := time.Now().Add(10 * time.Second); ; { // it may be counted in steps of a tick
		if n := grown(t, p, ProcessTime, func() { burn(20 * time.Millisecond) }); n > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no processor time of the process")
		}
	}
}

func TestReadingAllocatesNothing(t *testing.T) {
	p := open(t, Options{Stolen: true})
	var r Reading
	p.Read(&r)
	fewest := math.Inf(1)
	for range 10 { // another goroutine's thread may begin meanwhile
		fewest = min(fewest, testing.AllocsPerRun(20, func() { p.Read(&r) }))
	}
	if fewest != 0 {
		t.Errorf("%v allocations", fewest)
	}
}

func BenchmarkRead(b *testing.B) {
	for name, o := range map[string]Options{"usual": {}, "stolen": {Stolen: true}} {
		b.Run(name, func(b *testing.B) {
			p := open(b, o)
			var r Reading
			b.ReportAllocs()
			for b.Loop() {
				p.Read(&r)
			}
		})
	}
}

func BenchmarkSince(b *testing.B) {
	p := open(b, Options{})
	var r, s Reading
	p.Read(&r)
	p.Read(&s)
	for b.Loop() {
		d := s.Since(&r)
		_ = d
	}
}
