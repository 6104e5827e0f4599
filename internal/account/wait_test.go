// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"bytes"
	"net"
	"runtime"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/gotrace"
)

// waiters are goroutines that wait for all kinds of things.
type waiters struct {
	ids   map[string]int64 // by cause, with a letter
	wake  func()           // wakes all but what sleeps
	ended sync.WaitGroup
}

func waitForAll(t *testing.T) *waiters {
	var lock sync.Mutex
	var readers sync.RWMutex
	var group sync.WaitGroup
	cond := sync.NewCond(new(sync.Mutex))
	in, out, never, plain, either, tried, taken := make(chan int), make(chan int), make(chan int), make(chan int), make(chan int), make(chan int), make(chan int)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	lock.Lock()
	readers.Lock()
	group.Add(1)
	w := &waiters{ids: make(map[string]int64)}
	for name, wait := range map[string]func(){
		"lock a": func() { defer lock.Unlock(); lock.Lock() }, "lock b": func() { defer readers.RUnlock(); readers.RLock() }, "lock c": group.Wait,
		"lock d": func() { cond.L.Lock(); cond.Wait(); cond.L.Unlock() }, "channel a": func() { <-in }, "channel b": func() { out <- 1 },
		"channel c": func() {
			select {
			case <-in:
			case <-never:
			}
		},
		"channel d": func() { <-either }, "channel e": func() { <-tried }, "channel f": func() { taken <- 1 }, "channel g": func() { <-plain },
		"network a": func() { l.Accept() },
	} {
		id := make(chan int64)
		w.ended.Add(1)
		go func() {
			defer w.ended.Done()
			id <- number()
			wait()
		}()
		w.ids[name] = <-id
	}
	id := make(chan int64)
	go func() { // for whose end nobody waits
		id <- number()
		time.Sleep(time.Minute)
	}()
	w.ids["sleep a"] = <-id
	w.wake = func() {
		lock.Unlock()
		readers.Unlock()
		group.Done()
		cond.Broadcast()
		close(in)
		<-out
		plain <- 1
		select {
		case either <- 1:
		case never <- 1:
		}
		select { // they wait, so neither is left out
		case tried <- 1:
		default:
			t.Error("nobody waits to receive")
			close(tried)
		}
		select {
		case <-taken:
		default:
			t.Error("nobody waits to send")
			<-taken
		}
		l.Close()
	}
	time.Sleep(100 * time.Millisecond) // until all wait
	return w
}

// judge compares what the trace says of the waiters with what they did.
func (w *waiters) judge(t *testing.T, text []byte, where bool) {
	t.Helper()
	parsed, err := gotrace.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	window := NewWindow(Sources{Trace: parsed})
	for name, id := range w.ids {
		a := window.Of(Unit{Goroutine: id, Interval: Interval{parsed.From, parsed.From + 10*msec}})
		want, _, _ := strings.Cut(name, " ")
		if len(a.Parts) == 0 || a.Parts[0].Cause.String() != want || where && !strings.Contains(a.Parts[0].Where, "wait_test.go") {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// Of goroutines that wait when the runtime's trace begins, and when it ends, it has the stack, and no reason.
func TestAWaitAroundTheTraceHasItsReason(t *testing.T) {
	w := waitForAll(t)
	var text bytes.Buffer
	if err := trace.Start(&text); err != nil {
		t.Skip(err)
	}
	time.Sleep(20 * time.Millisecond)
	trace.Stop()
	w.wake()
	w.ended.Wait()
	w.judge(t, text.Bytes(), true)
}

// Of those that are woken before the trace, or a generation of it, ends, it has not even the stack, but that of who woke them.
func TestAWaitThatBeganBeforeTheTraceHasItsReason(t *testing.T) {
	w := waitForAll(t)
	for name := range w.ids {
		if strings.HasPrefix(name, "sleep") { // nobody wakes it
			delete(w.ids, name)
		}
	}
	var text bytes.Buffer
	if err := trace.Start(&text); err != nil {
		t.Skip(err)
	}
	time.Sleep(100 * time.Millisecond)
	w.wake()
	w.ended.Wait()
	time.Sleep(time.Millisecond)
	trace.Stop()
	w.judge(t, text.Bytes(), false)
}

// number returns the number of this goroutine.
func number() (id int64) {
	var b [64]byte
	for _, c := range strings.TrimPrefix(string(b[:runtime.Stack(b[:], false)]), "goroutine ") {
		if c < '0' || c > '9' {
			break
		}
		id = 10*id + int64(c-'0')
	}
	return id
}
