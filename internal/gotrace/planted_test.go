// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"bytes"
	"iter"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// blocked is for how long a planted wait is certain to last.
const blocked = 5 * time.Millisecond

// A wait is a goroutine that is made to wait, and what a trace must say about it.
type wait struct {
	function string // that waits
	status   string // in a traceback, once it does
	state    State
	reason   string
	waker    string // the function that ended it, if a goroutine did
	run      func() (waits, ends func())
}

func waits() []wait {
	return []wait{
		{"waitsForLock", "sync.Mutex.Lock", Waiting, "sync", "unlocks", func() (func(), func()) {
			var mu sync.Mutex
			mu.Lock()
			return func() { waitsForLock(&mu) }, func() { unlocks(&mu) }
		}},
		{"receives", "chan receive", Waiting, "chan receive", "sends", func() (func(), func()) {
			c := make(chan int)
			return func() { receives(c) }, func() { sends(c) }
		}},
		{"blocksSending", "chan send", Waiting, "chan send", "takes", func() (func(), func()) {
			c := make(chan int)
			return func() { blocksSending(c) }, func() { takes(c) }
		}},
		{"selects", "select", Waiting, "select", "sends", func() (func(), func()) {
			c, never := make(chan int), make(chan int)
			return func() { selects(c, never) }, func() { sends(c) }
		}},
		{"waitsForCondition", "sync.Cond.Wait", Waiting, "sync.(*Cond).Wait", "signals", func() (func(), func()) {
			c := sync.NewCond(new(sync.Mutex))
			return func() { waitsForCondition(c) }, func() { signals(c) }
		}},
		{"sleeps", "sleep", Waiting, "sleep", "", func() (func(), func()) {
			return sleeps, func() {}
		}},
		{"readsNetwork", "IO wait", Waiting, "network", "", func() (func(), func()) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return nil, nil
			}
			defer l.Close()
			here, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				return nil, nil
			}
			there, err := l.Accept()
			if err != nil {
				return nil, nil
			}
			return func() { readsNetwork(here); here.Close() }, func() { there.Write([]byte{1}); there.Close() }
		}},
		{"readsPipe", "syscall", Syscall, "", "", blockingPipe},
	}
}

//go:noinline
func waitsForLock(mu *sync.Mutex) {
	mu.Lock()
	defer mu.Unlock()
}

//go:noinline
func unlocks(mu *sync.Mutex) { mu.Unlock() }

//go:noinline
func receives(c chan int) { <-c }

//go:noinline
func sends(c chan int) { c <- 1 }

//go:noinline
func blocksSending(c chan int) { c <- 1 }

//go:noinline
func takes(c chan int) { <-c }

//go:noinline
func selects(a, b chan int) {
	select {
	case <-a:
	case <-b:
	}
}

//go:noinline
func waitsForCondition(c *sync.Cond) { c.L.Lock(); c.Wait(); c.L.Unlock() }

//go:noinline
func signals(c *sync.Cond) { c.L.Lock(); c.Signal(); c.L.Unlock() }

//go:noinline
func sleeps() { time.Sleep(2 * blocked) }

//go:noinline
func readsNetwork(c net.Conn) { c.Read(make([]byte, 1)) }

// A span is when something was: an interval of time.Now.
type span struct{ from, to time.Time }

// plant makes goroutines wait, one after the other, and calls between now and then. It returns for how long each is certain to have
// waited, within which time, by function. Those that the system does not have are left out.
func plant(t testing.TB, between func()) map[string]span {
	planted := make(map[string]span)
	for _, w := range waits() {
		waits, ends := w.run()
		if waits == nil {
			t.Logf("%s: not on this system", w.function)
			continue
		}
		done := make(chan struct{})
		before := time.Now()
		go func() { waits(); close(done) }()
		if w.function != "sleeps" { // it ends by itself
			awaitStatus(w.function, w.status)
			time.Sleep(blocked)
		}
		ends()
		<-done
		planted[w.function] = span{before, time.Now()}
		if w.function == "receives" || w.function == "sleeps" {
			between()
		}
	}
	preempted()
	yields()
	fsyncs(t)
	switches()
	collects()
	return planted
}

// awaitStatus waits until a goroutine in that function has that status. Its tracebacks stop the world.
func awaitStatus(function, status string) {
	for buf := make([]byte, 1<<20); ; time.Sleep(time.Millisecond) {
		for trace := range bytes.SplitSeq(buf[:runtime.Stack(buf, true)], []byte("\n\n")) {
			head, rest, _ := bytes.Cut(trace, []byte("\n"))
			if bytes.Contains(head, []byte("["+status)) && bytes.Contains(rest, []byte("gotrace."+function+"(")) {
				return
			}
		}
	}
}

// preempted runs a goroutine that must be stopped from outside, since another one ends its loop and there is one P.
//
//go:noinline
func preempted() {
	if runtime.GOARCH == "wasm" {
		return
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var end atomic.Bool
	go func() { end.Store(true) }()
	for !end.Load() {
	}
}

//go:noinline
func yields() { runtime.Gosched() }

//go:noinline
func fsyncs(t testing.TB) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	f.Write(make([]byte, 1<<16))
	f.Sync()
	f.Close()
}

// switches runs a coroutine.
//
//go:noinline
func switches() {
	next, stop := iter.Pull(slices.Values([]int{1, 2}))
	next()
	next()
	next()
	stop()
}

var kept []*[1 << 12]*byte

// collects allocates until a collection has ended. runtime.GC would fill the trace with the yields of its wait for the sweep.
//
//go:noinline
func collects() {
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	var collected atomic.Bool
	runtime.SetFinalizer(new([1 << 10]byte), func(*[1 << 10]byte) { collected.Store(true) })
	for !collected.Load() {
		for range 20 {
			kept = append(kept, new([1 << 12]*byte))
		}
		time.Sleep(100 * time.Microsecond)
	}
	kept = nil
}

// in reports whether a stack has that function of this package's tests.
func (t *Trace) in(id StackID, function string) bool {
	return slices.ContainsFunc(t.Stack(id), func(f Frame) bool {
		return strings.HasSuffix(f.Function, "internal/gotrace."+function) || strings.HasSuffix(f.Function, "main."+function)
	})
}

// find returns the steps in that state that began in that function.
func (t *Trace) find(state State, function string) (found []*Step, next []*Step) {
	for _, g := range t.Goroutines {
		for i := range g.Steps {
			if s := &g.Steps[i]; s.State == state && t.in(s.Stack, function) {
				n := &Step{At: t.To}
				if i+1 < len(g.Steps) {
					n = &g.Steps[i+1]
				}
				found, next = append(found, s), append(next, n)
			}
		}
	}
	return
}

// checkPlanted tests that a trace has all that plant has done.
func checkPlanted(t *testing.T, tr *Trace, planted func(function string) bool) {
	t.Helper()
	for _, w := range waits() {
		if !planted(w.function) {
			continue
		}
		steps, next := tr.find(w.state, w.function)
		found := false
		for i, s := range steps {
			n := next[i]
			if time.Duration(n.At-s.At) < blocked {
				continue // such as for a lock inside
			}
			found = true
			if s.Reason != w.reason {
				t.Errorf("%s: waited for %q, want %q", w.function, s.Reason, w.reason)
			}
			if w.waker == "" && n.By != 0 || w.waker != "" && (n.By == 0 || !tr.in(n.ByStack, w.waker)) {
				t.Errorf("%s: woken by goroutine %d in %v, want %q", w.function, n.By, tr.Stack(n.ByStack), w.waker)
			}
			if w.state == Waiting && (n.State != Runnable || n.Reason != "unblocked") ||
				w.state == Syscall && (s.Thread == 0 || n.State != Runnable && n.State != Running) {
				t.Errorf("%s: %+v, then %+v", w.function, s, n)
			}
		}
		if !found {
			t.Errorf("%s: no step of %v in %d", w.function, blocked, len(steps))
		}
	}
	for function, reason := range map[string]string{"preempted": "preempted", "yields": "yield"} {
		if steps, _ := tr.find(Runnable, function); !slices.ContainsFunc(steps, func(s *Step) bool { return s.Reason == reason }) && planted(function) {
			t.Errorf("no goroutine was %s in %d steps", reason, len(steps))
		}
	}
	if steps, _ := tr.find(Syscall, "fsyncs"); len(steps) < 2 {
		t.Errorf("%d system calls for a file", len(steps))
	}
	if !slices.ContainsFunc(tr.Goroutines, func(g Goroutine) bool {
		s := g.Steps[0]
		return s.State == Waiting && s.Reason == "coroutine" && tr.in(s.ByStack, "switches") && len(g.Steps) > 2 && g.Steps[1].State == Running
	}) {
		t.Error("no coroutine")
	}
	var kinds [Sweep + 1]int
	for _, r := range tr.Ranges {
		kinds[r.Kind]++
	}
	if kinds[Mark] == 0 || kinds[Stopped] == 0 || kinds[Sweep] == 0 || len(tr.Heap) == 0 {
		t.Errorf("ranges by kind: %v, and %d sizes of the heap", kinds, len(tr.Heap))
	}
}
