// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/account"
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
	trace    tape
	bytes    int64         // of the recorder
	age      time.Duration // up to which it keeps events
	duty     duty
}

// A tape holds a copy of the trace. Unlike a bytes.Buffer, it does not clear the room that it makes for later: it takes the system long to
// provide some MB.
type tape []byte

func (t *tape) Write(p []byte) (int, error) {
	if n := len(*t) + len(p); n > cap(*t) {
		*t = append(make(tape, 0, max(2*cap(*t), n)), *t...)
	}
	*t = append(*t, p...)
	return len(p), nil
}

// blind is set in tests: a source that is not to be used.
type blind struct {
	recorder, switches bool
	processors         bool // records of whole processors
}

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
	if without.recorder {
		err = errors.New("left out")
	} else if _, err = readMoment(); err == nil {
		quick := quickest()
		if s.recorder, err = startRecorder(recorderBytes, time.Second); err == nil {
			s.bytes, s.age, s.duty = recorderBytes, time.Second, duty{since: time.Now(), price: eventPrice(quick, quickest())}
		}
	}
	if err != nil {
		s.recorder = nil
		s.degrees = append(s.degrees, "the runtime's flight recorder is missing, so that waits are not explained: "+err.Error())
	}
	if err = errors.New("left out"); !without.switches {
		s.switches, err = switches.Open(switches.Options{Bytes: int(switchBytes), Threads: without.processors})
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
	s.recorder, s.switches, s.trace, s.bytes, s.age, s.duty = nil, nil, nil, 0, 0, duty{}
}

// thin lets the recorder and the records of switches rest, so that they take no more than a share of a processor, or wakes them. It returns whether it rests, what
// events have cost, and a degree if it rests at times.
func thin(now time.Time, share float64) (rests bool, spent time.Duration, degree string) {
	s := &sources
	s.Lock()
	defer s.Unlock()
	d := &s.duty
	if s.bytes > 0 {
		d.look(now)
	}
	switch {
	case s.bytes == 0:
	case s.recorder == nil && d.resting:
		if d.rested(now) {
			var err error
			if s.recorder, err = startRecorder(s.bytes, s.age); err != nil {
				s.recorder = nil
				d.rest(now)
			} else if s.switches != nil {
				s.switches.Pause(false)
			}
		}
	case s.recorder != nil && d.due(now):
		s.trace = s.trace[:0]
		if err := s.recorder.write(&s.trace); err == nil {
			window := min(now.Sub(d.since), time.Second) // that it has at least, unless there are very many events
			var switching float64
			if m, unknown := readMoment(); unknown == nil {
				if begin, err := gotrace.Begin(s.trace, m.stamps); err == nil {
					window = time.Duration(m.trace - begin)
				}
				switching = switchCost(s.switches, m.trace)
			}
			if d.measured(now, len(s.trace), window, switching); share >= 0 {
				d.limit(share)
			}
		}
	case s.recorder != nil && d.tired(now):
		s.recorder.stop()
		s.recorder = nil
		if s.switches != nil {
			s.switches.Pause(true)
		}
		d.rest(now)
	}
	return d.resting, d.spent(), d.degree(share)
}

// switchCost returns what the records of switches of this program take at a time, as a share of a processor, by those of a moment before.
func switchCost(r *switches.Recorder, at account.Time) float64 {
	if r == nil {
		return 0
	}
	got, err := r.Read(int64(at)-int64(switchWindow), int64(at))
	if err != nil {
		return 0
	}
	price := switchOfProcessor
	if r.Options().Threads {
		price = switchOfThread
	}
	return float64(len(got.Off)) * price.Seconds() / max(time.Millisecond, time.Duration(got.To-max(got.From, got.Covered))).Seconds()
}

// longestAge is the largest age of what the recorder keeps.
const longestAge = time.Minute

// lengthen lets the recorder keep units of a duration that began so long ago, for which it begins anew, unless the events, at rate bytes a
// second, would be too many to be kept, or those of a unit too many to be read. It returns the age up to which events are kept from now on.
func lengthen(took, ago time.Duration, rate float64) time.Duration {
	s := &sources
	s.Lock()
	defer s.Unlock()
	withRest := func(d time.Duration) time.Duration { return d + d/2 + time.Second }
	age := min(longestAge, withRest(ago))
	if s.recorder == nil || age <= s.age || rate*age.Seconds() > float64(s.bytes) || rate*min(age, withRest(took)).Seconds() > 2*muchTrace {
		return s.age
	}
	s.age = age
	s.recorder.stop()
	var err error
	if s.recorder, err = startRecorder(s.bytes, age); err != nil {
		s.recorder = nil
		s.duty.rest(time.Now())
	}
	return s.age
}

// ageKept returns the age up to which the recorder keeps events; 0 if there is none.
func ageKept() time.Duration {
	s := &sources
	s.Lock()
	defer s.Unlock()
	return s.age
}

// records are what the sources had.
type records struct {
	trace    *gotrace.Trace
	switches *switches.Records
	options  switches.Options
	degrees  []string
	bytes    int           // of the trace
	rate     float64       // bytes of the trace a second; 0: unknown
	copied   clock.Instant // when the trace had been copied
	age      time.Duration // up to which the recorder kept events
}

// muchTrace is the size of a trace of which only the latest part is read for an explanation: reading costs time for each event.
const muchTrace = 1 << 20

// rateOf returns how many bytes of a trace there are in a second; 0 if that is unknown: a small trace that has just begun is mostly tables.
func rateOf(data []byte, now moment) float64 {
	begin, err := gotrace.Begin(data, now.stamps)
	window := time.Duration(now.trace - begin)
	if err != nil || window <= 0 || window < time.Second/2 && len(data) < muchTrace {
		return 0
	}
	return float64(len(data)) / window.Seconds()
}

// traceRate returns how many bytes of the trace there are in a second; 0 if that is unknown.
func traceRate() float64 {
	s := &sources
	s.Lock()
	defer s.Unlock()
	if s.recorder == nil {
		return 0
	}
	s.trace = s.trace[:0]
	if s.recorder.write(&s.trace) != nil {
		return 0
	}
	now, unknown := readMoment()
	if unknown != nil {
		return 0
	}
	return rateOf(s.trace, now)
}

// affordable returns from when on a trace with so many bytes in a second is read to have no more of it than is asked for, if that is possible.
func affordable(rate float64, asked reach[account.Time]) account.Time {
	if rate == 0 {
		return asked.from
	}
	return max(asked.from, min(asked.least, asked.to-account.Time(float64(asked.much)/rate*float64(time.Second))))
}

// doubts says what makes the records of switches less certain, if anything.
func doubts(r *switches.Records, err error) []string {
	switch {
	case err != nil:
		return []string{"the kernel's records of switches cannot be read: " + err.Error()}
	case r.Lost > 0:
		return []string{fmt.Sprintf("the kernel's records lack at least %d switches, so that a thread may seem to have a processor while it has none", r.Lost)}
	}
	return nil
}

// snapshot copies what the sources have, now, of a time. The trace is valid until release.
func snapshot(now moment, asked reach[account.Time]) (r records, release func()) {
	s := &sources
	s.Lock()
	if s.recorder != nil {
		s.trace = s.trace[:0]
		err := s.recorder.write(&s.trace)
		r.bytes, r.copied, r.age = len(s.trace), clock.NowOrdered(), s.age
		if err == nil {
			read := gotrace.ReadBetween
			r.rate = rateOf(s.trace, now)
			if r.bytes > asked.much {
				read = gotrace.ReadLatest
				asked.from = affordable(r.rate, asked)
			}
			r.trace, err = read(s.trace, asked.from, asked.to, now.stamps)
		}
		if err != nil {
			r.degrees = append(r.degrees, "the runtime's trace cannot be read, so that waits are not explained: "+err.Error())
		}
	}
	if s.switches != nil {
		var err error
		r.switches, err = s.switches.Read(int64(asked.from), int64(asked.to))
		r.degrees = append(r.degrees, doubts(r.switches, err)...)
		r.options = s.switches.Options()
	}
	return r, s.Unlock
}
