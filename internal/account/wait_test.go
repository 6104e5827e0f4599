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

// Of goroutines that wait when the runtime's trace begins, it has the stack, and no reason.
func TestAWaitThatBeganBeforeTheTraceHasItsReason(t *testing.T) {
	var lock sync.Mutex
	var readers sync.RWMutex
	var group sync.WaitGroup
	cond := sync.NewCond(new(sync.Mutex))
	in, out, never := make(chan int), make(chan int), make(chan int)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	lock.Lock()
	readers.Lock()
	group.Add(1)
	waits := map[string]func(){ // by cause, with a letter
		"lock a": func() { lock.Lock(); lock.Unlock() }, "lock b": func() { readers.RLock(); readers.RUnlock() }, "lock c": group.Wait,
		"lock d": func() { cond.L.Lock(); cond.Wait(); cond.L.Unlock() }, "channel a": func() { <-in }, "channel b": func() { out <- 1 },
		"channel c": func() {
			select {
			case <-in:
			case <-never:
			}
		},
		"sleep a": func() { time.Sleep(time.Second) }, "network a": func() { l.Accept() },
	}
	ids := make(map[string]int64)
	var ended sync.WaitGroup
	for name, wait := range waits {
		id := make(chan int64)
		ended.Go(func() {
			id <- number()
			wait()
		})
		ids[name] = <-id
	}
	for range 100 { // all wait
		time.Sleep(time.Millisecond)
		runtime.Gosched()
	}
	var text bytes.Buffer
	if err := trace.Start(&text); err != nil {
		t.Skip(err)
	}
	time.Sleep(20 * time.Millisecond)
	trace.Stop()
	lock.Unlock()
	readers.Unlock()
	group.Done()
	cond.Broadcast()
	close(in)
	<-out
	l.Close()
	ended.Wait()

	parsed, err := gotrace.Read(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	w := NewWindow(Sources{Trace: parsed})
	for name, id := range ids {
		a := w.Of(Unit{Goroutine: id, Interval: Interval{parsed.From, parsed.To}})
		want, _, _ := strings.Cut(name, " ")
		if len(a.Parts) == 0 || a.Parts[0].Cause.String() != want || !strings.Contains(a.Parts[0].Where, "wait_test.go") {
			t.Errorf("%s: %+v", name, a)
		}
	}
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
