// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strobe-go/strobe/clock"
)

// The queue is compared with a sorted list while random deadlines are added and cancelled and time passes.
func TestQueueGivesOutWhatIsDueInOrder(t *testing.T) {
	type booked struct {
		at clock.Instant
		b  *pending
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var q queue
	var model []booked
	var free []*pending
	for range 300 {
		free = append(free, newPending())
	}
	now := clock.Instant(0)
	longest := 0
	for range 50_000 {
		switch op := rng.IntN(10); {
		case op < 7 && len(free) > 0:
			b := free[len(free)-1]
			free = free[:len(free)-1]
			at := now + clock.Instant(rng.IntN(1000))
			q.push(at, b)
			model = append(model, booked{at, b})
		case op < 9 && len(model) > 0:
			i := rng.IntN(len(model))
			b := model[i].b
			if number := b.number.Load(); !b.wakeUp(number) || b.wakeUp(number) || b.wakeUp(0) {
				t.Fatal("a sleeper is roused once")
			}
			<-b.wake
			q.count(1)
			model = slices.Delete(model, i, i+1)
			free = append(free, b)
			if len(q.heap) > 2*len(model) {
				t.Fatalf("%d entries for %d pendings: the cancelled stay", len(q.heap), len(model))
			}
		default:
			now += clock.Instant(rng.IntN(100))
			var got []*pending
			for _, e := range q.take(nil, now) {
				if e.b.wakeUp(e.number) {
					<-e.b.wake
					got = append(got, e.b)
				} else {
					q.count(-1)
				}
			}
			slices.SortStableFunc(model, func(a, b booked) int { return int(a.at - b.at) })
			n := 0
			for n < len(model) && model[n].at <= now {
				n++
			}
			if len(got) != n {
				t.Fatalf("at %d: %d are due, want %d", now, len(got), n)
			}
			for i, b := range got {
				if j := slices.IndexFunc(model[:n], func(m booked) bool { return m.b == b }); j < 0 || model[j].at != model[i].at {
					t.Fatalf("at %d: out of order", now)
				}
			}
			free = append(free, got...)
			model = model[n:]
		}
		live := 0
		for _, e := range q.heap {
			if e.b.number.Load() == e.number {
				live++
			}
		}
		if live != len(model) || q.cancelled != len(q.heap)-live {
			t.Fatalf("%d are entered and %d cancelled, the queue has %d and %d", len(model), q.cancelled, live, len(q.heap)-live)
		}
		longest = max(longest, len(model))
	}
	if longest < 50 {
		t.Errorf("at most %d at once: this tests little", longest)
	}
	q = queue{}
	if q.first() != farAway {
		t.Error("an empty queue has a first")
	}
}

func TestCancelledEntriesStayUntilTheyAreHalfOfTheQueue(t *testing.T) {
	var q queue
	var all []*pending
	for i := range 10 {
		all = append(all, newPending())
		q.push(clock.Instant(i), all[i])
	}
	for i, left := range []int{10, 10, 10, 10, 10, 4} {
		all[i].wakeUp(all[i].number.Load())
		if q.count(1); len(q.heap) != left {
			t.Errorf("%d entries after %d of 10 were cancelled, want %d", len(q.heap), i+1, left)
		}
	}
}
