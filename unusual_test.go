// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"iter"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/profile"
)

// calls returns how often each zone was called since before.
func callsSince(before profile.Snapshot, zones ...*Zone) (calls []uint64) {
	all := TakeSnapshot().Sub(before).Totals()
	for _, z := range zones {
		calls = append(calls, all[z.id].Calls)
	}
	return calls
}

// The body of an iterator that is pulled runs on a goroutine of its own, in turns with the caller. A span in it may be open while the
// caller's spans begin and end.
func TestSpansInIteratorsThatArePulled(t *testing.T) {
	needGoroutines(t)
	if !alone(t) {
		return
	}
	body, step, caller := NewZone("body"), NewZone("step"), NewZone("caller")
	pulled := func(yield func(int) bool) {
		defer body.Enter().Exit()
		for i := range 10 {
			s := step.Enter()
			ok := yield(i)
			s.Exit()
			if !ok {
				return
			}
		}
	}
	n := 1000
	before := TakeSnapshot()
	for i := range n {
		next, stop := iter.Pull(iter.Seq[int](pulled))
		for k := range 1 + i%11 { // one in eleven reads to the end, and one more
			caller.Do(func() {
				if v, ok := next(); ok != (k < 10) || ok && v != k {
					t.Fatal(v, ok)
				}
			})
		}
		stop()
	}
	for i := range n { // range over the same function runs its body on this goroutine
		for v := range pulled {
			if caller.Enter().Exit(); v == i%10 {
				break
			}
		}
	}
	steps, called := 0, 0
	for i := range n {
		steps += min(10, 1+i%11) + 1 + i%10
		called += 1 + i%11 + 1 + i%10
	}
	if got := callsSince(before, body, step, caller); got[0] != uint64(2*n) || got[1] != uint64(steps) || got[2] != uint64(called) {
		t.Errorf("%d calls, want %d, %d and %d", got, 2*n, steps, called)
	}
	if s := TakeSnapshot().Sub(before); s.EndedTwice+s.EndedElsewhere+s.EndedEarly+s.Abandoned != 0 {
		t.Errorf("misuse where there was none: %d ended twice, %d elsewhere, %d early, %d abandoned", s.EndedTwice, s.EndedElsewhere, s.EndedEarly, s.Abandoned)
	}
}

// Finalizers and cleanups run on goroutines of the runtime.
func TestSpansInFinalizersAndCleanups(t *testing.T) {
	needGoroutines(t)
	if !alone(t) {
		return
	}
	const n = 2000
	final, cleaned := NewZone("finalizer"), NewZone("cleanup")
	before := TakeSnapshot()
	var done sync.WaitGroup
	done.Add(2 * n)
	for range n {
		runtime.SetFinalizer(&[4]*int{}, func(*[4]*int) {
			final.Do(runtime.Gosched)
			done.Done()
		})
		runtime.AddCleanup(&[4]*int{}, func(int) {
			cleaned.Do(runtime.Gosched)
			done.Done()
		}, 0)
	}
	ended := make(chan struct{})
	go func() { done.Wait(); close(ended) }()
	for late := time.After(2 * time.Minute); ; {
		runtime.GC()
		select {
		case <-ended:
			if got := callsSince(before, final, cleaned); got[0] != n || got[1] != n {
				t.Errorf("%d calls, want %d of each", got, n)
			}
			return
		case <-late:
			t.Fatal("finalizers and cleanups do not run")
		case <-time.After(time.Millisecond):
		}
	}
}

// A million goroutines, each of which is in a span for a moment.
func TestAMillionShortGoroutines(t *testing.T) {
	needGoroutines(t)
	if !alone(t) {
		return
	}
	n := 50_000
	if !testing.Short() && !race.Enabled {
		n = 1_000_000
	}
	z := NewZone("short")
	before := TakeSnapshot()
	var all sync.WaitGroup
	for range n {
		all.Add(1)
		go func() {
			defer all.Done()
			z.Enter().Exit()
		}()
	}
	all.Wait()
	if got := callsSince(before, z); got[0] != uint64(n) {
		t.Errorf("%d calls, want %d", got[0], n)
	}
}

// A hundred thousand goroutines are in spans at the same time, of which some never leave theirs.
func TestAHundredThousandGoroutinesInSpansAtOnce(t *testing.T) {
	needGoroutines(t)
	if !alone(t) {
		return
	}
	n := 10_000
	if !testing.Short() && !race.Enabled {
		n = 100_000
	}
	outer, inner := NewZone("at once"), NewZone("within")
	before := TakeSnapshot()
	var in, all sync.WaitGroup
	leave, leaked := make(chan struct{}), make(chan struct{})
	in.Add(n)
	for i := range n {
		all.Add(1)
		go func() {
			defer all.Done()
			s := outer.Enter()
			inner.Enter().Exit()
			in.Done()
			if <-leave; i%100 == 0 {
				<-leaked
			}
			s.Exit()
		}()
	}
	in.Wait()
	if got := callsSince(before, outer, inner); got[1] != uint64(n) {
		t.Errorf("%d calls while all are in their spans, want 0 and %d", got, n)
	}
	close(leave)
	want := uint64(n - (n+99)/100)
	for late := time.Now().Add(2 * time.Minute); callsSince(before, outer)[0] != want && time.Now().Before(late); {
		time.Sleep(time.Millisecond)
	}
	if got := callsSince(before, outer); got[0] != want {
		t.Errorf("%d calls, want %d: one in a hundred is still open", got[0], want)
	}
	close(leaked)
	all.Wait()
	if got := callsSince(before, outer); got[0] != uint64(n) {
		t.Errorf("%d calls, want %d", got[0], n)
	}
}
