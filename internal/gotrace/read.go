// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ErrVersion is wrapped by the error of Read for a format that it does not know.
var ErrVersion = errors.New("unknown version of the format; known are those of Go 1.22, 1.23, 1.25 and 1.26, which Go 1.24 and 1.27 write too")

// Read reads a trace. Trace.Stack needs data, which must therefore not be changed; nothing else of the Trace refers to it. Read needs some
// 20 times the memory of data, and for no data more than 100 times.
func Read(data []byte) (*Trace, error) { return ReadBetween(data, math.MinInt64, math.MaxInt64, nil) }

// ReadBetween is as Read, but leaves out what was over before from, which saves memory and time, and ends with the first event after to.
// What went on at from is whole, and so may begin before Trace.From. Goroutines of which nothing happened until to may be missing.
// The clock tells the times; if it is nil, the trace does.
func ReadBetween(data []byte, from, to Time, c *Clock) (*Trace, error) {
	return read(data, from, to, c, false)
}

// ReadLatest is as ReadBetween, but begins with the latest generation that began before from, which saves much time of a large trace. If
// there is an older one, a state that began in it has no Reason, and begins with Trace.From at the latest.
func ReadLatest(data []byte, from, to Time, c *Clock) (*Trace, error) {
	return read(data, from, to, c, true)
}

func read(data []byte, from, to Time, c *Clock, latest bool) (*Trace, error) {
	version, at, err := header(data)
	if err != nil {
		return nil, err
	}
	in := batches{data: data, at: at, version: version, clock: c}
	s := scheduler{from: from, to: to, trace: &Trace{Version: fmt.Sprintf("go1.%d", version), file: new(file)}}
	for g, err := in.generation(); (g != nil || err != nil) && s.last <= to; {
		if err != nil {
			return nil, fmt.Errorf("trace: %w", err)
		}
		var next *generation
		if next, err = in.generation(); latest && next != nil && next.beganBefore(from) {
			g = next
			continue
		}
		s.trace.file.add(g.tables)
		if err := merge(&s, g); err != nil {
			return nil, fmt.Errorf("trace: %w", err)
		}
		g = next
	}
	return s.finish(), nil
}

// Begin returns when the events of a trace begin, without reading them. The clock is that of ReadBetween.
func Begin(data []byte, c *Clock) (Time, error) {
	version, at, err := header(data)
	if err != nil {
		return 0, err
	}
	g, err := (&batches{data: data, at: at, version: version, clock: c}).generation()
	switch {
	case err != nil:
		return 0, fmt.Errorf("trace: %w", err)
	case g == nil || g.begin > lastStamp:
		return 0, errors.New("trace: it has no events")
	}
	return g.clock.time(g.begin), nil
}

// header returns the minor version of Go that a trace names, and where its batches begin.
func header(data []byte) (version, at int, err error) {
	const head, tail = "go 1.", " trace\x00\x00\x00"
	at = len(head) + len("26") + len(tail)
	if len(data) < at {
		return 0, 0, fmt.Errorf("not an execution trace of Go: %d bytes are shorter than its header", len(data))
	}
	minor, ok := strings.CutPrefix(string(data[:at]), head)
	minor, end := strings.CutSuffix(minor, tail)
	number, err := strconv.ParseUint(minor, 10, 8)
	if version = int(number); !ok || !end || err != nil {
		return 0, 0, errors.New("not an execution trace of Go: its header is missing")
	}
	switch version {
	case 22, 23, 25, 26:
		return version, at, nil
	}
	return 0, 0, fmt.Errorf("trace of Go 1.%d: %w", version, ErrVersion)
}
