// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// session reads CapFrameX's JSON captures: an object with Info, which describes the machine and the program, and Runs, whose
// CaptureData has a list for each column. Columns are read one number at a time and everything else is skipped, so that only the
// frames are held in memory.
// Source: CXWorld/CapFrameX at 3ba66ff, source/CapFrameX.Data.Session/Classes: Session.cs, SessionInfo.cs, SessionRun.cs,
// SessionCaptureData.cs.
type session struct {
	rd    *reader
	dec   *json.Decoder
	runs  []map[string][]float64
	marks marked
}

// keeps reports whether a column is read.
func (s *session) keeps(column string) bool {
	switch column {
	case "MsBetweenPresents", s.rd.o.Column, "TimeInSeconds", "MsUntilDisplayed", "Dropped", "PcLatency", "AnimationError", "GpuActive":
		return true
	}
	return false
}

var errShape = errors.New("this JSON is neither a capture of CapFrameX, with Runs that have CaptureData, nor a timeline or a Chrome trace of strobe: give one of them, or a CSV file, or a list of frame times")

func (rd *reader) session() {
	s := &session{rd: rd, dec: json.NewDecoder(rd.in.r)}
	s.dec.UseNumber()
	err := s.object(func(key string) error {
		switch key {
		case "Info":
			return s.object(s.info)
		case "Runs":
			return s.list(s.run)
		case "events", "traceEvents":
			s.marks.seen = true
			return s.list(s.event)
		case "lost":
			return s.lostEvents()
		}
		return s.skip()
	})
	rd.loops(s.marks)
	column := "MsBetweenPresents"
	if rd.o.Column != "" {
		column = rd.o.Column
	}
	for i, run := range s.runs {
		rd.sessionRun(fmt.Sprint(i+1), column, run)
	}
	switch {
	case errors.Is(err, errStop):
	case err != nil && !errors.Is(err, errShape):
		rd.spoil(0, fmt.Sprintf("at byte %d: %s", s.dec.InputOffset(), clip(reasonOf(err))))
	case err == nil && s.marks.seen && rd.kept == 0:
		rd.spoil(0, "the trace has no two marks of a loop: call strobe.Frame once in each turn of the loop, while Record is on")
	case err != nil || len(rd.builders) == 0:
		rd.spoil(0, errShape.Error())
	}
}

func reasonOf(err error) string {
	const end = "unexpected end of JSON input" // Go 1.27 and later return this as a json.SyntaxError
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || err.Error() == end {
		return "the file ends in the middle of the capture"
	}
	return err.Error()
}

// sessionRun makes a capture of the columns of a run.
func (rd *reader) sessionRun(number, column string, run map[string][]float64) {
	times := run[column]
	if len(times) == 0 {
		return
	}
	at := func(name string, i int) float64 {
		if x := run[name]; i < len(x) {
			return x[i]
		}
		return math.NaN()
	}
	positive := func(v float64) float32 {
		if v > 0 && v <= longest {
			return float32(v)
		}
		return -1
	}
	b := &builder{run: number}
	b.File, b.Format, b.Column, b.Process = rd.o.File, FormatCapFrameX, column, rd.process
	b.showsDrop = len(run["Dropped"]) > 0
	latency := "PcLatency"
	if len(run[latency]) == 0 {
		latency = "MsUntilDisplayed"
	}
	unit := milliseconds
	if rd.o.Unit != "" {
		unit, _ = unitNamed(rd.o.Unit)
	}
	for i, ms := range times {
		if ms *= unit.factor; !(ms > 0) {
			b.Skipped++
			continue
		}
		if !rd.keep(b, ms, fmt.Append(nil, ms)) {
			if rd.full {
				break
			}
			continue
		}
		stamp := at("TimeInSeconds", i)
		b.noStamp = b.noStamp || math.IsNaN(stamp)
		b.starts.push(1e3*stamp, rd.in)
		b.gpu.push(positive(at("GpuActive", i)), rd.in)
		b.latency[0].push(positive(at(latency, i)), rd.in)
		if e := at("AnimationError", i); math.Abs(e) <= longest {
			b.animation.push(e, rd.in)
		}
		if at("Dropped", i) == 1 {
			b.Dropped++
		}
	}
	if b.Latency = anyOf(b.latency[0].take()); b.Latency != nil {
		b.LatencyColumn = latency
	}
	rd.builders = append(rd.builders, b)
}

// info reads the description of the machine and the program.
func (s *session) info(key string) error {
	t, err := s.dec.Token()
	switch v := t.(type) {
	case json.Delim:
		return s.rest(v)
	case string:
		if key == "ProcessName" {
			s.rd.process = clean([]byte(v))
		}
		s.rd.tell(key, v)
	}
	return err
}

// run reads one run of the list.
func (s *session) run() error {
	columns := map[string][]float64{}
	s.runs = append(s.runs, columns)
	if len(s.runs) > maxCaptures {
		return fmt.Errorf("more than %d runs", maxCaptures)
	}
	return s.object(func(key string) error {
		if key != "CaptureData" {
			return s.skip()
		}
		return s.object(func(key string) error {
			if !s.keeps(key) {
				return s.skip()
			}
			return s.column(key, columns)
		})
	})
}

// column reads a list of numbers or Booleans, or null. Other values count as missing.
func (s *session) column(key string, columns map[string][]float64) error {
	var x []float64
	err := s.list(func() error {
		t, err := s.dec.Token()
		v := math.NaN()
		switch t := t.(type) {
		case json.Delim:
			return errShape
		case json.Number:
			if f, err := t.Float64(); err == nil {
				v = f
			}
		case bool:
			if v = 0; t {
				v = 1
			}
		}
		if most := s.rd.o.MaxFrames; most >= 0 && len(x) > most {
			s.rd.spoil(0, fmt.Sprintf("more than %d frames; the rest is not read", most))
			return errStop
		}
		x = append(x, v)
		return err
	})
	columns[key] = x
	return err
}

// object calls each for every key of an object; each must read the value. null is an object without keys.
func (s *session) object(each func(key string) error) error {
	return s.members('{', func() error {
		key, err := s.dec.Token()
		if err != nil {
			return err
		}
		return each(strings.Clone(key.(string)))
	})
}

// list calls each for every element of a list, to read it. null is a list without elements.
func (s *session) list(each func() error) error { return s.members('[', each) }

func (s *session) members(begin json.Delim, each func() error) error {
	t, err := s.dec.Token()
	if err != nil || t == nil {
		return err
	}
	if t != begin {
		return errShape
	}
	for s.dec.More() {
		if err := each(); err != nil {
			return err
		}
	}
	_, err = s.dec.Token()
	return err
}

// skip reads a value and forgets it.
func (s *session) skip() error {
	t, err := s.dec.Token()
	if d, ok := t.(json.Delim); ok {
		return s.rest(d)
	}
	return err
}

// rest reads up to the closing bracket or brace.
func (s *session) rest(json.Delim) error {
	for depth := 1; depth > 0; {
		t, err := s.dec.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
	return nil
}
