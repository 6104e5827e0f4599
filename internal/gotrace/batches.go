// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"errors"
	"fmt"
	"io"
)

const (
	longestBatch = 64 << 10
	noThread     = ^uint64(0) // writes tables, and the states of goroutines that did nothing
)

// batches reads the batches of a trace: the events that a thread wrote, or a table.
type batches struct {
	data    []byte
	at      int
	version int
	number  uint64 // of the latest generation
	clock   *Clock // if the trace is not to tell its times itself
}

// A generation is a piece of a trace with its own tables and clock, in which the state of all that exists is told once.
type generation struct {
	streams []*stream
	samples []batch
	clock   clock
	tables  *tables
	begin   uint64 // the first stamp of an event
	max     byte   // kinds of events beyond this one do not exist in this version
}

// A stream is the events of a thread.
type stream struct {
	thread  uint64
	batches []batch
}

// A batch is some events or a part of a table.
type batch struct {
	stamp uint64
	data  []byte
	at    int // in the file
}

type batchHeader struct {
	kind       byte
	generation uint64
	thread     uint64
}

// generation returns the next one, or nil after the last.
func (r *batches) generation() (*generation, error) {
	g := &generation{begin: ^uint64(0), max: lastEvent(r.version), tables: &tables{names: make(map[uint64]string)}}
	byThread := make(map[uint64]*stream)
	first := true
	for r.at < len(r.data) {
		if r.version >= 26 && r.data[r.at] == evEndOfGeneration {
			if r.at++; first {
				return nil, fmt.Errorf("byte %d: the end of a generation that has not begun", r.at-1)
			}
			return g, g.check(r)
		}
		begin := r.at
		h, b, err := r.next()
		if err != nil {
			return nil, fmt.Errorf("byte %d: %w", begin, err)
		}
		if first && r.number != 0 && h.generation != r.number+1 || h.generation == 0 {
			return nil, fmt.Errorf("byte %d: generation %d follows generation %d", begin, h.generation, r.number)
		}
		if !first && h.generation != r.number {
			if r.version >= 26 || h.generation != r.number+1 {
				return nil, fmt.Errorf("byte %d: a batch of generation %d is within generation %d", begin, h.generation, r.number)
			}
			r.at = begin
			return g, g.check(r)
		}
		r.number, first = h.generation, false
		if h.kind != evEventBatch || len(b.data) == 0 {
			continue // of an experiment
		}
		switch kind := b.data[0]; {
		case kind == evStrings:
			err = g.tables.addStrings(b)
		case kind == evStacks:
			err = g.tables.addStacks(b)
		case kind == evCPUSamples:
			g.samples = append(g.samples, b)
		case kind == evSync && r.version >= 25, kind == evFrequency && r.version < 25:
			err = g.clock.read(b)
		default:
			g.begin = min(g.begin, b.stamp)
			s := byThread[h.thread]
			if s == nil {
				s = &stream{thread: h.thread}
				byThread[h.thread] = s
				g.streams = append(g.streams, s)
			}
			s.batches = append(s.batches, b)
		}
		if err != nil {
			return nil, err
		}
	}
	if first {
		return nil, nil
	}
	if r.version >= 26 {
		return nil, fmt.Errorf("byte %d: the trace ends within generation %d", r.at, r.number)
	}
	return g, g.check(r)
}

// beganBefore reports whether a generation has events, the first of which was before a time.
func (g *generation) beganBefore(at Time) bool {
	return g.begin <= lastStamp && g.clock.time(g.begin) <= at
}

func (g *generation) check(r *batches) error {
	if !g.clock.known(r.version) {
		return fmt.Errorf("byte %d: generation %d is cut off: it does not say how fast its clock was", r.at, r.number)
	}
	if r.clock != nil {
		return g.clock.follow(r.clock)
	}
	return nil
}

// next reads a batch.
func (r *batches) next() (h batchHeader, b batch, err error) {
	h.kind = r.data[r.at]
	at := r.at + 1
	if h.kind == evExperimentalBatch && r.version >= 23 {
		at++ // the experiment
	} else if h.kind != evEventBatch {
		return h, b, fmt.Errorf("%d is not the begin of a batch", h.kind)
	}
	var length uint64
	for _, v := range [...]*uint64{&h.generation, &h.thread, &b.stamp, &length} {
		if *v, at = uvarint(r.data, at); at < 0 {
			return h, b, fmt.Errorf("a batch is cut off: %w", io.ErrUnexpectedEOF)
		}
	}
	if length > longestBatch {
		return h, b, fmt.Errorf("a batch of %d bytes is longer than any", length)
	}
	if uint64(len(r.data)-at) < length {
		return h, b, fmt.Errorf("a batch of %d bytes is cut off after %d: %w", length, len(r.data)-at, io.ErrUnexpectedEOF)
	}
	if b.stamp > lastStamp {
		return h, b, errors.New("its time is impossible")
	}
	b.at = at
	r.at = at + int(length)
	b.data = r.data[at:r.at:r.at]
	return h, b, nil
}

// readSamples appends the samples of the CPU profiler between two times, in any order.
func (g *generation) readSamples(all []Sample, from, to Time) ([]Sample, error) {
	for _, b := range g.samples {
		for at := 1; at < len(b.data); {
			kind, begin := b.data[at], at
			var v [5]uint64
			if at = uvarints(b.data, at+1, v[:]); kind != evCPUSample || at < 0 || v[0] > lastStamp {
				return nil, fmt.Errorf("byte %d: a sample of the profiler is broken", b.at+begin)
			}
			stack, err := g.tables.stackID(v[4])
			if err != nil {
				return nil, fmt.Errorf("byte %d: %w", b.at+begin, err)
			}
			now := g.clock.time(v[0])
			if now < from || now > to {
				continue
			}
			all = append(all, Sample{At: now, Thread: int64(v[1]), Proc: int32(v[2]), Goroutine: int64(v[3]), Stack: stack})
		}
	}
	return all, nil
}
