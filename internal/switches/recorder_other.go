// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package switches

import (
	"errors"
	"runtime"
)

// A Recorder records on Linux only.
type Recorder struct{}

// Open returns an error: only Linux has such records.
func Open(o Options) (*Recorder, error) {
	return nil, errors.New("switches: " + runtime.GOOS + " has no records of context switches for an ordinary program; Linux has")
}

// Read returns an error.
func (r *Recorder) Read(from, to int64) (*Records, error) { return nil, errors.ErrUnsupported }

// Pause returns an error.
func (r *Recorder) Pause(yes bool) error { return errors.ErrUnsupported }

// Options returns the zero Options.
func (r *Recorder) Options() Options { return Options{} }

// Left returns nothing.
func (r *Recorder) Left() []string { return nil }

// Close does nothing.
func (r *Recorder) Close() error { return nil }
