// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.25

package capture

import (
	"io"
	"runtime/trace"
	"time"
)

// A recorder is the runtime's flight recorder.
type recorder struct{ *trace.FlightRecorder }

// startRecorder starts the flight recorder, which keeps events up to an age, and of up to a second before it, within a number of bytes.
// The error says why it cannot, and what to do.
func startRecorder(bytes int64, age time.Duration) (*recorder, error) {
	r := &recorder{trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: age, MaxBytes: uint64(bytes)})}
	if err := r.Start(); err != nil {
		return nil, err
	}
	return r, nil
}

func (r *recorder) write(w io.Writer) error {
	_, err := r.WriteTo(w)
	return err
}

func (r *recorder) stop() { r.Stop() }
