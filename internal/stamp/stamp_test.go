// SPDX-License-Identifier: BSD-3-Clause

package stamp

import (
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/child"
	"github.com/strobe-go/strobe/internal/goroutine"
)

func needGoroutines(t *testing.T) {
	if !HasGoroutine {
		t.Skip("goroutines cannot be told apart in this build")
	}
}

// If the number is not found in a runtime, everything works, but every span takes the slow path. This test makes that visible.
func TestTheNumberIsFoundInThisRuntime(t *testing.T) {
	needGoroutines(t)
	if !Numbered() {
		t.Fatalf("the goroutine's number was not found in its record on %s", runtime.Version())
	}
}

func TestNumbersAreThoseOfTracebacks(t *testing.T) {
	needGoroutines(t)
	var wg sync.WaitGroup
	for range 200 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			want := goroutine.Number()
			for range 100 {
				id, _ := Now()
				if id != want || Goroutine() != want {
					t.Errorf("Now says goroutine %d, Goroutine %d, the traceback %d", id, Goroutine(), want)
					return
				}
				runtime.Gosched()
			}
			grow(100)
			if id, _ := Now(); id != want {
				t.Errorf("after the stack has moved: %d, want %d", id, want)
			}
		}()
	}
	wg.Wait()
}

func grow(n int) (sum byte) {
	var a [1024]byte
	if n > 0 {
		a[n%1024] = grow(n - 1)
	}
	return a[n%7]
}

func TestTicksAreThoseOfTheClock(t *testing.T) {
	for range 1000 {
		before := clock.TicksOrdered()
		_, now := Now()
		after := clock.TicksOrdered()
		if !clock.Counting() {
			continue
		}
		if int64(now-before) < -1000 || int64(after-now) < -1000 {
			t.Fatalf("ticks %d do not lie between %d and %d", now, before, after)
		}
	}
}

func TestOffsetIsOnlyGivenWhileTheClockCounts(t *testing.T) {
	if got := Refresh(); got != 0 && !clock.Counting() {
		t.Errorf("offset %d without a counter", got)
	}
	if Refresh() != Offset() {
		t.Error("Refresh and Offset differ")
	}
}

// Without the offset every span takes the slow path. A process starts without it, so the test runs itself in processes that call
// only one of the two functions.
func TestNowAndRefreshEachFindTheOffset(t *testing.T) {
	needGoroutines(t)
	const variable = "STROBE_STAMP_TEST"
	only := os.Getenv(variable)
	const distrusted = "the clock does not trust the processor's counter: "
	if only == "" {
		if reason := clock.Describe().Reason; reason != "" {
			t.Skip(distrusted + reason)
		}
	}
	for call, do := range map[string]func(){"Now": func() { Now() }, "Refresh": func() { Refresh() }} {
		if only == "" {
			cmd := child.Command("-test.run=^" + t.Name() + "$")
			cmd.Env = append(os.Environ(), variable+"="+call)
			out, err := cmd.CombinedOutput()
			if child.SkipIfNotStarted(t, err); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		} else if only != call {
			continue
		}
		for end := time.Now().Add(time.Minute); Offset() == 0; do() {
			if time.Now().After(end) && clock.Describe().Reason == "" {
				t.Fatalf("a minute of calling %s left the slow path in use", call)
			} else if time.Now().After(end) {
				t.Skip(distrusted + clock.Describe().Reason)
			}
		}
	}
}

func TestNowAllocatesNothing(t *testing.T) {
	if n := testing.AllocsPerRun(1000, func() { Now() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
