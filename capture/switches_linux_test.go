// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package capture

import (
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe"
)

// takeTurns has two threads wake each other as often as they can, until stop is called.
func takeTurns(t *testing.T) (stop func()) {
	var pipes [2][2]int
	for i := range pipes {
		if err := unix.Pipe2(pipes[i][:], unix.O_CLOEXEC); err != nil {
			t.Fatal(err)
		}
	}
	var over atomic.Bool
	var both sync.WaitGroup
	for i := range pipes {
		both.Add(1)
		go func() {
			runtime.LockOSThread()
			defer both.Done()
			defer unix.Close(pipes[1-i][1]) // the other one ends, too
			for b := make([]byte, 1); ; {
				if n, err := unix.Read(pipes[i][0], b); err != nil || n == 0 || over.Load() {
					return
				}
				if _, err := unix.Write(pipes[1-i][1], b); err != nil {
					return
				}
			}
		}()
	}
	if _, err := unix.Write(pipes[0][1], []byte{1}); err != nil {
		t.Fatal(err)
	}
	return func() {
		over.Store(true)
		both.Wait()
		unix.Close(pipes[0][0])
		unix.Close(pipes[1][0])
	}
}

func TestItIsSaidIfSwitchesDoNotReachBack(t *testing.T) {
	z := strobe.NewRootZone("before many switches")
	reports := make(chan Report, 1000)
	c := Start(Options{Roots: []*strobe.Zone{z}, Budget: 15 * time.Millisecond, Cost: -1, MemoryBytes: 1 << 20, Log: slog.New(slog.DiscardHandler), On: func(r Report) { reports <- r }})
	stop := takeTurns(t)
	time.Sleep(100 * time.Millisecond)
	for range 2 * warm {
		z.Do(func() {})
	}
	for range 5 {
		z.Do(func() { time.Sleep(100 * time.Millisecond) })
		time.Sleep(100 * time.Millisecond)
	}
	stop()
	c.Stop()
	close(reports)
	said := 0
	for r := range reports {
		degrees := strings.Join(r.Degrees, "; ")
		if strings.Contains(degrees, "are missing") || strings.Contains(degrees, "flight recorder is missing") {
			t.Skip(degrees)
		}
		t.Log(r, degrees)
		if strings.Contains(degrees, "switches do not reach back") {
			said++
		}
	}
	if said == 0 {
		t.Error("no report says that the records of switches do not reach back")
	}
}

func TestRecordsOfSwitchesHaveAPrice(t *testing.T) {
	for _, one := range []bool{false, true} {
		openSources(1<<20, 1<<20, blind{processors: one})
		if sources.switches == nil {
			closeSources()
			t.Skip("the system refuses records of switches")
		}
		of := func() float64 {
			time.Sleep(2 * switchWindow)
			m, err := readMoment()
			if err != nil {
				t.Fatal(err)
			}
			return switchCost(sources.switches, m.trace)
		}
		quiet := of()
		stop := takeTurns(t)
		busy := of()
		stop()
		closeSources()
		if quiet > 0.1 || busy < 2*quiet || busy == 0 || busy > 2 {
			t.Errorf("each thread by itself %v: %.4f of a processor while nothing happens, %.4f while threads take turns", one, quiet, busy)
		}
	}
}

func TestRecordsOfSwitchesRestWithTheFlightRecorder(t *testing.T) {
	openSources(1<<20, 1<<20, blind{})
	defer closeSources()
	if sources.switches == nil || sources.recorder == nil {
		t.Skip("the system refuses a source")
	}
	known := func() bool {
		m, err := readMoment()
		if err != nil {
			t.Fatal(err)
		}
		got, err := sources.switches.Read(int64(m.trace)-int64(time.Millisecond), int64(m.trace))
		return err == nil && got.Covered < got.To
	}
	now := sources.duty.since
	step := func(d time.Duration) (rests bool) {
		now = now.Add(d)
		rests, _, _ = thin(now, 1e-9)
		return rests
	}
	time.Sleep(5 * time.Millisecond)
	if !known() || step(first) || !step(shift) || known() {
		t.Error("the records of switches go on while the flight recorder rests")
	}
	if step(longestPause) {
		t.Error("it rests for too long")
	}
	time.Sleep(5 * time.Millisecond)
	if !known() {
		t.Error("the records of switches do not go on with the flight recorder")
	}
}
