// SPDX-License-Identifier: BSD-3-Clause

package planted

import (
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// lock waits for a lock.
//
//go:noinline
func lock(m *sync.Mutex) { m.Lock() }

// release ends a lock after d.
//
//go:noinline
func release(m *sync.Mutex, d time.Duration, busy func(time.Duration)) {
	busy(d)
	m.Unlock()
}

// prepareMutex is for a lock whose holder is busy with something.
func prepareMutex(busy func(time.Duration)) func(testing.TB) (func(time.Duration), error) {
	return func(testing.TB) (func(time.Duration), error) {
		var m sync.Mutex
		return func(d time.Duration) {
			held := make(chan struct{})
			go func() {
				m.Lock()
				close(held)
				release(&m, d, busy)
			}()
			<-held
			lock(&m)
			m.Unlock()
		}, nil
	}
}

// convoy holds a lock for d.
//
//go:noinline
func convoy(m *sync.Mutex, d time.Duration) {
	m.Lock()
	time.Sleep(d)
	m.Unlock()
}

// prepareConvoy is for a lock that several goroutines hold one after the other.
func prepareConvoy(testing.TB) (func(time.Duration), error) {
	const n = 5
	return func(d time.Duration) {
		for start := time.Now(); time.Since(start) < d; { // again if some of them came too late
			var m sync.Mutex
			var ready atomic.Int32
			each := (d - time.Since(start)) / n
			held := make(chan struct{})
			go func() {
				m.Lock()
				close(held)
				release(&m, each, time.Sleep)
			}()
			<-held
			for range n - 1 {
				go func() {
					ready.Add(1)
					convoy(&m, each)
				}()
			}
			for ready.Load() < n-1 {
				runtime.Gosched()
			}
			lock(&m)
			m.Unlock()
		}
	}, nil
}

//go:noinline
func receive(c <-chan int) { <-c }

//go:noinline
func send(c chan<- int, d time.Duration) {
	time.Sleep(d)
	c <- 1
}

func prepareChannel(testing.TB) (func(time.Duration), error) {
	c := make(chan int)
	return func(d time.Duration) {
		go send(c, d)
		receive(c)
	}, nil
}

//go:noinline
func sleep(d time.Duration) { time.Sleep(d) }

//go:noinline
func read(c net.Conn) error {
	var b [1]byte
	_, err := c.Read(b[:])
	return err
}

// prepareNetwork is for a connection whose other end does not answer for a while.
func prepareNetwork(t testing.TB) (func(time.Duration), error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer l.Close()
	ours, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { ours.Close() })
	theirs, err := l.Accept()
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { theirs.Close() })
	return func(d time.Duration) {
		time.AfterFunc(d, func() { theirs.Write([]byte{1}) })
		if err := read(ours); err != nil {
			t.Error(err)
		}
	}, nil
}
