// SPDX-License-Identifier: BSD-3-Clause

package switches

import (
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sys/unix"
)

// A Recorder records until it is closed. It is safe for concurrent use.
type Recorder struct {
	options Options
	left    []string
	process uint32
	opened  int64

	mu        sync.Mutex
	paused    bool
	fds       []int
	rings     []*ring
	copied    []byte // of a ring
	collector collector
}

// Options returns what is recorded: the options of Open, with the defaults and what the system granted.
func (r *Recorder) Options() Options { return r.options }

// Left returns what is left out, with the reasons and remedies: nothing, as a rule.
func (r *Recorder) Left() []string { return r.left }

// Read returns what happened between two instants of CLOCK_MONOTONIC, in nanoseconds, as far as the rings still have it. It does not
// stop the recording. It fails if to is before from, or after Close.
func (r *Recorder) Read(from, to int64) (*Records, error) {
	if to < from {
		return nil, fmt.Errorf("switches: a window from %d to %d", from, to)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rings == nil {
		return nil, errors.New("switches: Read after Close")
	}
	if r.copied == nil {
		r.copied = make([]byte, r.options.Bytes)
	}
	read, opened := now(), r.opened
	if r.paused {
		opened = read
	}
	r.collector.begin(r.process, from, read, opened)
	for _, ring := range r.rings {
		r.collector.add(ring.copyTo(r.copied))
	}
	return r.collector.records(to), nil
}

// Pause ends the recording for a while, in which it costs much less, or continues it. What was before that is forgotten then.
func (r *Recorder) Pause(yes bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	request := uint(unix.PERF_EVENT_IOC_ENABLE)
	if yes {
		request = unix.PERF_EVENT_IOC_DISABLE
	}
	var err error
	for _, fd := range r.fds { // and those that new threads have inherited
		err = errors.Join(err, unix.IoctlSetInt(fd, request, 0))
	}
	r.paused, r.opened = yes, now()
	return err
}

// Close ends the recording and frees all that Open took. Closing again does nothing.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, ring := range r.rings {
		ring.close()
	}
	var err error
	for _, fd := range r.fds {
		err = errors.Join(err, unix.Close(fd))
	}
	r.rings, r.fds, r.copied = nil, nil, nil
	return err
}

// now returns the time of CLOCK_MONOTONIC.
func now() int64 {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) != nil {
		return 0
	}
	return t.Nano()
}
