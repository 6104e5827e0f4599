// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/child"
)

// storm sends signals to all threads of the process, thousands a second, until stop, which returns how many the program was told of and
// how many were sent.
func storm(t *testing.T) (stop func() (told, sent int)) {
	inbox := make(chan os.Signal, 1000)
	signal.Notify(inbox, unix.SIGUSR1)
	done := make(chan struct{})
	var told, sent int
	var all sync.WaitGroup
	all.Add(2)
	go func() {
		defer all.Done()
		for {
			select {
			case <-inbox:
				told++
			case <-done:
				return
			}
		}
	}()
	go func() {
		defer all.Done()
		runtime.LockOSThread()
		for {
			select {
			case <-done:
				return
			default:
			}
			threads, err := os.ReadDir("/proc/self/task")
			if err != nil {
				t.Error(err)
				return
			}
			for _, thread := range threads {
				if id, err := strconv.Atoi(thread.Name()); err == nil && unix.Tgkill(unix.Getpid(), id, unix.SIGUSR1) == nil {
					sent++
				}
			}
			time.Sleep(100 * time.Microsecond)
		}
	}()
	return func() (int, int) {
		close(done)
		all.Wait()
		signal.Stop(inbox)
		return told, sent
	}
}

func TestWaitsThatAreInterruptedBySignalsAreNotEarly(t *testing.T) {
	if !child.Process(t) {
		return
	}
	stop := storm(t)
	for range 20 {
		begin := clock.Now()
		if Sleep(3 * time.Millisecond); clock.Since(begin) < 3*time.Millisecond {
			t.Errorf("a sleep of 3 ms took %v", clock.Since(begin))
		}
	}
	for _, mode := range []Mode{Yield, Lock, Realtime} {
		l := NewLimiter(Options{Rate: 200, Mode: mode})
		l.Wait(context.Background())
		begin := clock.Now()
		for i := range 20 {
			if err := l.Wait(context.Background()); err != nil {
				t.Error(err)
			}
			if took, least := clock.Since(begin), time.Duration(i)*5*time.Millisecond; took < least {
				t.Errorf("%v: %d periods of 5 ms took %v", mode, i+1, took)
			}
		}
		l.Close()
	}
	if told, sent := stop(); told == 0 || sent < 100 {
		t.Errorf("%d signals were sent, and the program was told of %d", sent, told)
	}
}
