// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.25

package gotrace

import (
	"bytes"
	"io"
	"runtime/trace"
	"testing"
	"time"
)

// record returns the trace of f, which gets a function that begins a generation.
func record(t testing.TB, f func(generation func())) []byte {
	r := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: time.Minute, MaxBytes: 32 << 20})
	if err := r.Start(); err != nil {
		t.Skip("a flight recorder is running: ", err)
	}
	defer r.Stop()
	f(func() { r.WriteTo(io.Discard) })
	var b bytes.Buffer
	if _, err := r.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
