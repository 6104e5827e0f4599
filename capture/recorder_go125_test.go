// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.25 && !strobe_off

package capture

import (
	"bytes"
	"runtime/trace"
	"strings"
	"testing"
	"time"
)

func TestARecorderOfTheProgramIsNamed(t *testing.T) {
	other := trace.NewFlightRecorder(trace.FlightRecorderConfig{})
	if err := other.Start(); err != nil {
		t.Skip(err)
	}
	defer other.Stop()
	degrees := openSources(1<<20, 1<<16, blind{switches: true})
	defer closeSources()
	if len(degrees) != 2 || !strings.Contains(degrees[0], "flight recorder is missing") || !strings.Contains(degrees[0], "already enabled") {
		t.Errorf("%q", degrees)
	}
	if rests, _, degree := thin(time.Now().Add(time.Hour), 0.01); rests || degree != "" {
		t.Errorf("a recorder that is not there rests: %q", degree)
	}
}

// A program's own tracer and a Capturer get along.
func TestATracerOfTheProgramGoesOn(t *testing.T) {
	var out bytes.Buffer
	if err := trace.Start(&out); err != nil {
		t.Skip(err)
	}
	degrees := openSources(1<<20, 1<<16, blind{switches: true})
	closeSources()
	trace.Stop()
	if len(degrees) != 1 || out.Len() == 0 {
		t.Errorf("%d bytes, %q", out.Len(), degrees)
	}
}

// The price of an event is that of a byte times the bytes of a round trip, which are what the recorder writes.
func TestARoundTripHasItsBytes(t *testing.T) {
	r, err := startRecorder(8<<20, time.Second)
	if err != nil {
		t.Skip(err)
	}
	defer r.stop()
	var before, after bytes.Buffer
	if err := r.write(&before); err != nil {
		t.Fatal(err)
	}
	const times = 20
	for range times {
		quickest()
	}
	if err := r.write(&after); err != nil {
		t.Fatal(err)
	}
	bytes := float64(after.Len()-before.Len()) / (times * batches * trips)
	t.Logf("%.1f bytes a trip", bytes)
	if bytes < tripBytes/2 || bytes > tripBytes*2 {
		t.Errorf("a trip takes %.1f bytes, and %d are assumed", bytes, tripBytes)
	}
}
