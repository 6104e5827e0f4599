// SPDX-License-Identifier: BSD-3-Clause

package clocktest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/clock/clocktest"
)

func TestEverySourceConforms(t *testing.T) {
	for _, s := range clock.Sources() {
		if s.Err != nil {
			t.Logf("%s: %v", s.Name, s.Err)
			continue
		}
		if s.Slow || s.Name == "time.Now" || len(s.Name) > 14 && s.Name[:14] == "CLOCK_REALTIME" || s.Name == "CLOCK_TAI" {
			continue // wall clocks are set back now and then, processor time differs by thread
		}
		t.Run(s.Name, func(t *testing.T) {
			clocktest.Conform(t, func() clock.Instant { return clock.Instant(s.Read()) }, clocktest.Rules{Reads: 20_000, Patient: true})
		})
	}
}

func TestFakeConforms(t *testing.T) {
	clocktest.Conform(t, new(clocktest.Fake).Now, clocktest.Rules{})
	coarse := clocktest.Fake{Step: time.Microsecond, Grain: time.Millisecond}
	clocktest.Conform(t, coarse.Now, clocktest.Rules{})
}

func TestFakeStepsOnEveryReading(t *testing.T) {
	var f clocktest.Fake
	for deadline := f.Now().Add(time.Microsecond); f.Now() < deadline; { // the loop must end
	}
	if f.Reads() != 1001 {
		t.Errorf("a spin of 1 µs by steps of 1 ns took %d readings", f.Reads())
	}
	still := clocktest.Fake{Step: -1}
	if a, b := still.Now(), still.Now(); a != b {
		t.Errorf("a fake that should stand still went from %d to %d", a, b)
	}
}

func TestFakeSleepsAsScripted(t *testing.T) {
	f := clocktest.Fake{Step: -1}
	f.Oversleep(50*time.Microsecond, 0)
	woken := 0
	f.OnWake(func() { woken++ })
	var at []clock.Instant
	for range 3 {
		f.Sleep(time.Millisecond)
		at = append(at, f.Now())
	}
	if want := "[1050000 2050000 3100000]"; fmt.Sprint(at) != want {
		t.Errorf("woke at %v, want %s", at, want)
	}
	if woken != 3 || fmt.Sprint(f.Slept()) != "[1ms 1ms 1ms]" {
		t.Errorf("woken %d times, slept %v", woken, f.Slept())
	}
	f.Advance(-2 * time.Millisecond)
	if f.Now() != 1100000 {
		t.Errorf("stepped back to %d", f.Now())
	}
}

func ExampleFake() {
	f := clocktest.Fake{Step: 10 * time.Nanosecond}
	f.Oversleep(80 * time.Microsecond)
	start := f.Now()
	f.Sleep(time.Millisecond)
	fmt.Println(f.Now().Sub(start))
	// Output: 1.08001ms
}
