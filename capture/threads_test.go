// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package capture

import (
	"log/slog"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/child"
	"github.com/strobe-go/strobe/internal/pressure"
)

// A program whose GOMAXPROCS is larger than what the machine has takes the processors from itself.
func TestOtherThreadsOfTheProgramAreNotOtherPrograms(t *testing.T) {
	if !child.Process(t) {
		return
	}
	threads := 4 * runtime.NumCPU()
	runtime.GOMAXPROCS(threads)
	for name, left := range map[string]blind{"with records": {}, "without records": {switches: true}} {
		z := strobe.NewRootZone(name)
		reports := make(chan Report, 1000)
		capturer := Start(Options{Roots: []*strobe.Zone{z}, Budget: 10 * time.Millisecond, Cost: -1, Log: slog.New(slog.DiscardHandler), On: func(r Report) { reports <- r }, without: left})
		counters := pressure.Open(pressure.Options{})
		var used, passed time.Duration
		known := true
		end := make(chan bool)
		go func() {
			defer close(end)
			for range 8 {
				time.Sleep(300 * time.Millisecond)
				var before, after pressure.Reading
				counters.Read(&before)
				from := time.Now()
				var all sync.WaitGroup
				for range threads - 1 {
					all.Add(1)
					go func() {
						defer all.Done()
						for begin := time.Now(); time.Since(begin) < 100*time.Millisecond; {
						}
					}()
				}
				all.Wait()
				counters.Read(&after)
				took, ok := after.Since(&before).Value(pressure.ProcessTime)
				known = known && ok
				used, passed = used+time.Duration(took), passed+time.Since(from)
			}
		}()
		repeat(z, func() { work(2 * time.Millisecond) }, end)
		capturer.Stop()
		counters.Close()
		close(reports)
		right, wrong := 0, 0
		for r := range reports {
			t.Log(r.String(), r.Degrees)
			switch r.Cause {
			case NoProcessor:
				right++
			case Preempted:
				wrong++
			}
		}
		if !known {
			t.Skip("this system does not tell how much of the processors the program had")
		}
		share := float64(used) / float64(passed) / float64(runtime.NumCPU())
		t.Logf(name+": %d right, %d wrong; the program had %.0f %% of the processors meanwhile", right, wrong, 100*share)
		if share < 0.9 {
			t.Skipf("other programs had %.0f %% of the processors", 100*(1-share))
		}
		if right <= wrong {
			t.Errorf("%s: %d right, %d wrong", name, right, wrong)
		}
	}
}
