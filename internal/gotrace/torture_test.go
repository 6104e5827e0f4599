// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.25

package gotrace

import (
	"bytes"
	"flag"
	"iter"
	"os"
	"runtime"
	"runtime/trace"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/race"
)

var windows = flag.Int("windows", 5, "how many windows TestWindowsOfABusyProgram reads")

// Threads come and go, Ps are taken away in system calls, GOMAXPROCS changes, and generations are short.
func TestWindowsOfABusyProgram(t *testing.T) {
	r := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: 20 * time.Millisecond, MaxBytes: 4 << 20})
	if err := r.Start(); err != nil {
		t.Skip("a flight recorder is running: ", err)
	}
	defer r.Stop()
	var stop atomic.Bool
	var wg sync.WaitGroup
	also := func(f func()) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for !stop.Load() {
				f()
			}
		}()
	}
	also(func() { // a thread ends with its goroutine
		done := make(chan bool)
		go func() { runtime.LockOSThread(); time.Sleep(time.Microsecond); close(done) }()
		<-done
	})
	for range 2 {
		also(func() {
			if waits, ends := blockingPipe(); waits != nil {
				go ends()
				waits()
			}
			os.ReadFile(os.Args[0] + "?")
			time.Sleep(50 * time.Microsecond)
		})
		also(func() {
			next, stop := iter.Pull(slices.Values([]int{1, 2, 3}))
			next()
			kept := new([1 << 15]*byte)
			next()
			stop()
			runtime.KeepAlive(kept)
			runtime.Gosched()
			time.Sleep(10 * time.Microsecond)
		})
	}
	also(func() { runtime.Stack(make([]byte, 1<<12), true); time.Sleep(time.Millisecond) })
	if procs := runtime.GOMAXPROCS(0); !race.Enabled {
		defer runtime.GOMAXPROCS(procs)
		also(func() {
			for n := range 4 {
				runtime.GOMAXPROCS(1 + n)
				time.Sleep(2 * time.Millisecond)
			}
		})
	}
	defer wg.Wait()
	defer stop.Store(true)
	for range *windows {
		time.Sleep(10 * time.Millisecond)
		var b bytes.Buffer
		if _, err := r.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		tr, err := Read(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		checkPartition(t, tr)
		checkExclusive(t, "live", tr)
		if len(tr.Limits) == 0 || len(tr.Goroutines) < 7 {
			t.Errorf("%d goroutines, GOMAXPROCS %v", len(tr.Goroutines), tr.Limits)
		}
	}
}
