// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package capture

import (
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
)

// locked makes a call of a root zone wait for a lock, and returns its report.
func locked(t *testing.T, z *strobe.Zone, reports <-chan Report, d time.Duration) Report {
	t.Helper()
	var lock sync.Mutex
	lock.Lock()
	z.Do(func() {
		time.AfterFunc(d, lock.Unlock) // within the call, which so takes at least d, wherever this thread loses its processor
		lock.Lock()
	})
	for late := time.After(patient); ; {
		select {
		case r := <-reports:
			if r.Took >= d*9/10 { // otherwise the busy machine has made another call slow
				return r
			}
		case <-late:
			t.Fatal("no report")
		}
	}
}

// consistent checks what holds of every report, however busy the machine is: the parts add up, and a wait for a lock is found if the
// sources are there.
func consistent(t *testing.T, r Report) {
	t.Helper()
	var sum, waited time.Duration
	for _, p := range r.Account {
		sum += p.Took
		if p.Cause == Lock {
			waited += p.Took
		}
	}
	if sum != r.Took {
		t.Errorf("the parts add up to %v of %v: %v", sum, r.Took, r)
	}
	if len(r.Degrees) > 0 {
		t.Log(r.Degrees)
		return
	}
	if r.Cause != Lock && waited >= r.Took*3/4 {
		t.Errorf("%v waited for a lock, and the verdict is %v", waited, r)
	}
	var traced time.Duration
	for _, s := range r.Evidence.Tracks[0].States {
		if s.State == "waiting" && s.Reason == "sync" {
			traced += max(0, min(s.To, r.Took)-max(s.From, 0))
		}
	}
	if traced == 0 || waited < traced*9/10 {
		t.Errorf("the runtime saw it wait for a lock for %v, and the account has %v: %v %+v", traced, waited, r, r.Account)
	}
}

// watched starts a Capturer whose budget only slow calls exceed.
func watched(z *strobe.Zone) (reports chan Report, c *Capturer) {
	reports = make(chan Report, 1000)
	c = Start(Options{Roots: []*strobe.Zone{z}, Budget: 20 * time.Millisecond, Cost: -1, Log: slog.New(slog.DiscardHandler), On: func(r Report) { reports <- r }})
	time.Sleep(100 * time.Millisecond) // the sources open
	for range 2 * warm {
		z.Do(func() {})
	}
	return reports, c
}

func TestGOMAXPROCSMayChangeMeanwhile(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	z := strobe.NewRootZone("resized")
	reports, c := watched(z)
	defer c.Stop()
	for _, n := range []int{1, before + 2, 1, before} {
		changed := time.AfterFunc(20*time.Millisecond, func() { runtime.GOMAXPROCS(n) }) // within the unit
		r := locked(t, z, reports, 50*time.Millisecond)
		changed.Stop()
		consistent(t, r)
	}
}

// Ten thousand goroutines, half of them parked in spans, cost memory within bounds, and what is said stays right.
func TestACrowdOfGoroutines(t *testing.T) {
	crowd := 1000
	if *trials > 0 {
		crowd = 10_000
	} else {
		t.Logf("%d goroutines; 10000 with -trials 1", crowd)
	}
	z, parked := strobe.NewRootZone("in a crowd"), strobe.NewZone("parked")
	end := make(chan struct{})
	var ready, all sync.WaitGroup
	for i := range crowd {
		ready.Add(1)
		all.Add(1)
		go func() {
			defer all.Done()
			if i%2 == 0 {
				defer parked.Enter().Exit()
			}
			ready.Done()
			<-end
		}()
	}
	ready.Wait()
	defer all.Wait()
	defer close(end)
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	reports, c := watched(z)
	defer c.Stop()
	for range 3 {
		r := locked(t, z, reports, 60*time.Millisecond)
		consistent(t, r)
		if *trials > 0 {
			t.Logf("%v; explaining took %v", r, r.Cost)
		}
		if e := r.Evidence; e == nil || len(e.Tracks) > mostTracks || len(e.Ranges) > mostEntries {
			t.Errorf("the evidence has %+v", e)
		}
	}
	const most = 3 * 16 << 20 // Options.MemoryBytes, and what was read of it
	if grew := heap() - before; grew > most {
		t.Errorf("the heap has grown by %d MiB", grew>>20)
	} else {
		t.Logf("the heap has grown by %d KiB", grew>>10)
	}
}

// blamed reports whether a cause blames the program itself.
func blamed(c Cause) bool {
	return strings.Contains(" own allocation gc stopped-world lock channel sleep syscall network page-faults ", " "+c.String()+" ")
}

// Units sleep for a millisecond. Where goroutines have all processors, nothing looks at the timer when it is due: that is no long sleep.
func TestATimerThatComesLateIsNoSleep(t *testing.T) {
	z := strobe.NewRootZone("sleeper")
	reports := make(chan Report, 1000)
	c := Start(Options{Roots: []*strobe.Zone{z}, Budget: 8 * time.Millisecond, Cost: -1, Log: slog.New(slog.DiscardHandler), On: func(r Report) { reports <- r }})
	defer c.Stop()
	sleep := func() { time.Sleep(time.Millisecond) }
	right, blind := 0, false
	for try := 0; try < 10 && right < 2; try++ {
		time.Sleep(100 * time.Millisecond)
		for range 2 * warm {
			z.Do(sleep)
		}
		var stop atomic.Bool
		var all sync.WaitGroup
		for range 4 * runtime.GOMAXPROCS(0) {
			all.Add(1)
			go func() {
				defer all.Done()
				for !stop.Load() {
				}
			}()
		}
		from := time.Now()
		z.Do(sleep)
		took := time.Since(from)
		stop.Store(true)
		all.Wait()
		for waiting := true; waiting; {
			select {
			case r := <-reports:
				t.Log(r.String(), r.Degrees)
				switch {
				case slices.ContainsFunc(r.Degrees, func(d string) bool {
					return strings.Contains(d, "flight recorder is missing") || strings.Contains(d, "the counter process-time is missing")
				}):
					blind = true
				case r.Took > took || r.Took < took-took/16: // the machine delayed another one
				case r.Cause == Sleep:
					t.Errorf("%+v", r.Account)
				case r.Cause == NoProcessor, r.Cause == Preempted:
					right++
				}
			case <-time.After(300 * time.Millisecond):
				waiting = false
			}
		}
	}
	if right == 0 && !blind {
		t.Error("no report names the goroutines that had the processors")
	}
}
