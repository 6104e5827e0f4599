// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/strobe-go/strobe/internal/word"
)

// pooledOf returns the shared distribution of a zone.
func pooledOf(s Snapshot, z *Zone) (n uint64, cells cellCounts) {
	for _, p := range s.Pooled {
		if p.Zone == int(z.id) {
			return p.Histogram.N(), entries(p.Histogram)
		}
	}
	return 0, cellCounts{}
}

// Lanes without distributions queue durations while readers take them out.
func TestQueuedDurationsAreCountedOnce(t *testing.T) {
	needThreads(t)
	amplyBudgeted(t)
	SetDistributions(-1)
	defer SetDistributions(1 << 30)
	zones := make([]*Zone, 3)
	for i := range zones {
		zones[i] = NewZone(fmt.Sprint("queued ", i))
	}
	const lanes, calls = 4, 20_000
	var work, read sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		read.Add(1)
		go func() {
			defer read.Done()
			var r Reader
			for {
				select {
				case <-stop:
					return
				default:
					r.Read()
					TakeSnapshot()
				}
			}
		}()
	}
	want := make([]cellCounts, lanes)
	for k := range lanes {
		want[k] = cellCounts{}
		l := newNamedLane("queue")
		work.Add(1)
		go func() {
			defer work.Done()
			r := rand.New(rand.NewPCG(uint64(k), 1))
			for i := range calls {
				d := random(r)
				l.count(zones[i%len(zones)], d)
				if i%len(zones) == 0 {
					want[k][octaves.Index(d)]++
				}
			}
		}()
	}
	work.Wait()
	close(stop)
	read.Wait()
	all := cellCounts{}
	for _, w := range want {
		for cell, n := range w {
			all[cell] += n
		}
	}
	s := TakeSnapshot()
	for i, z := range zones {
		n, cells := pooledOf(s, z)
		if want := uint64(lanes * ((calls + len(zones) - 1 - i) / len(zones))); n != want {
			t.Errorf("zone %d: %d durations of %d", i, n, want)
		}
		if i == 0 && fmt.Sprint(cells) != fmt.Sprint(all) {
			t.Errorf("cells %v, want %v", cells, all)
		}
	}
}

func TestQueueGrowsOnceAndTakesWhatItCanHold(t *testing.T) {
	if !alone(t) {
		return // lanes left by other tests use a part of the budget
	}
	amplyBudgeted(t)
	SetDistributions(-1)
	defer SetDistributions(1 << 30)
	z, l := NewZone("z"), newNamedLane("queue")
	for i, want := range []int{fewEntries, manyEntries, manyEntries} {
		for range 1 + 9*i*fewEntries {
			l.count(z, 1000)
		}
		if q := l.queue.Load(); len(q.entries) != want {
			t.Errorf("%d: %d entries, want %d", i, len(q.entries), want)
		}
	}
	was := l.queue.Load().written.Get()
	l.count(z, longestEntry)
	l.count(z, longestEntry+1)
	if got := l.queue.Load().written.Get(); got != was+1 {
		t.Errorf("%d entries, %d before", got, was)
	}
	if n, cells := pooledOf(TakeSnapshot(), z); n != 1+1+9*fewEntries+1+18*fewEntries+2 || cells[octaves.Index(longestEntry+1)] != 1 {
		t.Errorf("%d durations in %v", n, cells)
	}
	before, _ := pooledOf(TakeSnapshot(), z)
	for i := range z.pooled().stripes { // they all have the cell
		z.pooled().distribute(uint64(i), 1000)
		before++
	}
	SetBudget(1)
	l = &Lane{pooled: true}
	l.enqueue(&z.pooled().node, 1000)
	if got, _ := pooledOf(TakeSnapshot(), z); l.queue.Load() != nil || got != before+1 {
		t.Errorf("without memory for a queue there are %d durations, %d before", got, before)
	}
}

// A reader that was interrupted finds that the queue has changed.
func TestLateReaderOfAQueueTakesNothing(t *testing.T) {
	l := newNamedLane("queue")
	q := &queue{entries: make([]word.Word, fewEntries)}
	l.queue.Store(q)
	defer l.queue.Store(nil)
	q.written.Set(10 * fewEntries)
	l.drain()
	if q.moved.Load() != 0 {
		t.Errorf("it took %d entries", q.moved.Load())
	}
}

// A reader may take entries out between the addition of the last one and the emptying of a full queue. It looked at the queue
// earlier, so it takes all but the last ones.
func TestAFullQueueThatAReaderPartlyEmptiedLosesAndRepeatsNothing(t *testing.T) {
	amplyBudgeted(t)
	z := NewZone("z")
	l := pooledLane("l")
	for range fewEntries - 1 {
		l.count(z, 1000)
	}
	q, n := l.queue.Load(), l.tree.root().child(z)
	l.drain()
	n.calls.Set(n.calls.Get() + 1)
	q.entries[fewEntries-1].Set(uint64(n.id)<<48 | 1000)
	q.written.Set(fewEntries)
	l.full(q)
	if x := TakeSnapshot().Totals()[z.id]; x.Calls != fewEntries || x.Histogram.N() != fewEntries {
		t.Errorf("%d durations of %d calls", x.Histogram.N(), x.Calls)
	}
}

// A goroutine that starts after a crowd has ended gets the record of one of the crowd.
func TestLanesOfACrowdGetDistributionsWhenItHasGone(t *testing.T) {
	needGoroutines(t)
	if !alone(t) {
		return
	}
	const most = 4
	SetDistributions(most)
	z := NewZone("z")
	calls := 0
	var lanes []*Lane
	for range 4 * most {
		l := newNamedLane("one of a crowd")
		lanes = append(lanes, l)
		l.Enter(z).Exit()
		calls++
	}
	if s := TakeSnapshot(); len(s.Pooled) != 1 {
		t.Fatalf("all lanes are in use, and pooled are %+v", s.Pooled)
	}
	TakeSnapshot() // no lane was used between the two
	for _, l := range lanes {
		for range 2 * fewEntries {
			l.Enter(z).Exit()
			calls++
		}
	}
	own := 0
	for _, l := range lanes[most:] {
		if n := l.tree.node(1); n.acc.Load() != nil {
			own++
			if q := l.queue.Load(); q != nil && q.written.Get() > fewEntries+1 {
				t.Error("durations still go into the queue")
			}
		}
	}
	if own != most {
		t.Errorf("%d more lanes have distributions of their own, want %d", own, most)
	}
	s := TakeSnapshot()
	x := s.Totals()[z.id]
	if x.Timed != uint64(calls) || x.Histogram.N() != uint64(calls) {
		t.Errorf("%d calls are timed and %d in the distribution, want %d", x.Timed, x.Histogram.N(), calls)
	}
}
