// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"bytes"
	"errors"
	"slices"
	"sync"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/gotrace"
	"github.com/strobe-go/strobe/internal/switches"
)

// sources are what a process has only one of, for all Capturers: the runtime's flight recorder, the kernel's records, and whether
// spans become regions of the runtime's trace.
var sources struct {
	sync.Mutex
	users    int
	recorder *recorder
	switches *switches.Recorder
	degrees  []string // what is missing, and why
	regions  bool     // to be restored
	trace    bytes.Buffer
}

// blind is set in tests: a source that is not to be used.
type blind struct{ recorder, switches bool }

// open starts the sources for the first user, and returns what is missing.
func openSources(recorderBytes, switchBytes int64, without blind) []string {
	s := &sources
	s.Lock()
	defer s.Unlock()
	if s.users++; s.users > 1 {
		return slices.Clone(s.degrees)
	}
	s.degrees = nil
	s.regions = strobe.SetTraceRegions(false) // they would cost many times as much as spans, and the recording has the spans
	var err error
	if err = errors.New("left out"); !without.recorder {
		s.recorder, err = startRecorder(recorderBytes)
	}
	if err != nil {
		s.recorder = nil
		s.degrees = append(s.degrees, "the runtime's flight recorder is missing, so that waits are not explained: "+err.Error())
	}
	if err = errors.New("left out"); !without.switches {
		s.switches, err = switches.Open(switches.Options{Bytes: int(switchBytes)})
	}
	if err != nil {
		s.switches = nil
		s.degrees = append(s.degrees, "the kernel's records of switches are missing, so that own code is less certain: "+err.Error())
	} else {
		for _, left := range s.switches.Left() {
			s.degrees = append(s.degrees, "the kernel's records lack "+left)
		}
	}
	return slices.Clone(s.degrees)
}

// closeSources ends the sources with the last user.
func closeSources() {
	s := &sources
	s.Lock()
	defer s.Unlock()
	if s.users--; s.users > 0 {
		return
	}
	if s.recorder != nil {
		s.recorder.stop()
	}
	if s.switches != nil {
		s.switches.Close()
	}
	if s.regions {
		strobe.SetTraceRegions(true)
	}
	s.recorder, s.switches, s.trace = nil, nil, bytes.Buffer{}
}

// records are what the sources had.
type records struct {
	trace    *gotrace.Trace
	switches *switches.Records
	options  switches.Options
	degrees  []string
	bytes    int // of the trace
}

// snapshot copies what the sources have; the kernel's records from a time on. The trace is valid until release.
func snapshot(from int64) (r records, release func()) {
	s := &sources
	s.Lock()
	if s.recorder != nil {
		s.trace.Reset()
		err := s.recorder.write(&s.trace)
		if r.bytes = s.trace.Len(); err == nil {
			r.trace, err = gotrace.Read(s.trace.Bytes())
		}
		if err != nil {
			r.degrees = append(r.degrees, "the runtime's trace cannot be read, so that waits are not explained: "+err.Error())
		}
	}
	if s.switches != nil {
		_, now, _ := moment()
		if r.trace != nil {
			from = int64(r.trace.From)
		}
		var err error
		if r.switches, err = s.switches.Read(from, now); err != nil {
			r.degrees = append(r.degrees, "the kernel's records of switches cannot be read: "+err.Error())
		}
		r.options = s.switches.Options()
	}
	return r, s.Unlock
}
