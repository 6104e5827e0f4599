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
		r := sources.switches
		if r == nil {
			closeSources()
			t.Skip("the system refuses records of switches")
		}
		stop := takeTurns(t)
		time.Sleep(switchWindow)
		m, err := readMoment()
		stop()
		if err != nil {
			t.Fatal(err)
		}
		cost := switchCost(r, m.trace)
		got, err := r.Read(int64(m.trace)-int64(switchWindow), int64(m.trace))
		if err != nil {
			t.Fatal(err)
		}
		price := 900 * time.Nanosecond
		if r.Options().Threads {
			price = 4 * time.Microsecond
		}
		closeSources()
		known := time.Duration(got.To - max(got.From, got.Covered))
		want := float64(len(got.Off)) * price.Seconds() / known.Seconds()
		if known <= time.Millisecond { // other threads have filled the rings since
			t.Log("the rings are too small for what happens here")
			continue
		}
		if len(got.Off) == 0 || cost < want*0.8 || cost > want*1.25 {
			t.Errorf("each thread by itself %v: %.4f of a processor for %d records in %v, want %.4f", one, cost, len(got.Off), known, want)
		}
	}
}

// The rings of all processors together have an eighth of the memory.
func TestRecordsOfSwitchesAreWithinTheMemory(t *testing.T) {
	const memory = 64 << 20
	c := Start(Options{MemoryBytes: memory, Cost: -1, Log: slog.New(slog.DiscardHandler)})
	defer c.Stop()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		sources.Lock()
		open, r := sources.users > 0, sources.switches
		sources.Unlock()
		switch {
		case r != nil:
			if each := r.Options().Bytes; each*runtime.NumCPU() > memory/8 || each <= 0 {
				t.Errorf("%d bytes for each of %d processors, of %d", each, runtime.NumCPU(), memory)
			}
			return
		case open:
			t.Skip("the system refuses records of switches")
		}
	}
	t.Error("the sources were not opened")
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
