// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"encoding/json"
	"fmt"
	"slices"
)

// marked collects the marks of loops from the JSON of profile.Timeline, or from the output of trace.WriteChrome. The time between
// two marks of a loop is a frame.
type marked struct {
	names []string             // of loops, in the order of their first mark
	at    map[string][]float64 // ms
	count int
	seen  bool // there was a list of events
	lost  int  // marks and spans that the recording had no room for
}

// An event has the fields of both formats. Times of the timeline are in ns, those of the trace in µs.
type event struct {
	Kind, Name string
	Start      *float64 `json:"start_ns"`

	Phase    string          `json:"ph"`
	Category string          `json:"cat"`
	Stamp    *float64        `json:"ts"`
	Args     json.RawMessage // its form depends on the writer
}

// event reads an element of the list of events.
func (s *session) event() error {
	var e event
	if err := s.dec.Decode(&e); err != nil {
		return err
	}
	m := &s.marks
	var ms float64
	switch {
	case e.Category == "strobe":
		var args struct{ Lost int }
		err := json.Unmarshal(e.Args, &args)
		m.lost += args.Lost
		return err
	case e.Kind == "frame" && e.Start != nil:
		ms = *e.Start / 1e6
	case e.Phase == "i" && e.Category == "frame" && e.Stamp != nil:
		ms = *e.Stamp / 1e3
	default:
		return nil
	}
	if len(e.Name) > maxName {
		return fmt.Errorf("the name of a loop has %d bytes", len(e.Name))
	}
	if _, known := m.at[e.Name]; !known {
		if len(m.names) == maxCaptures {
			return fmt.Errorf("more than %d loops", maxCaptures)
		}
		if m.at == nil {
			m.at = map[string][]float64{}
		}
		m.names = append(m.names, e.Name)
	}
	if most := s.rd.o.MaxFrames; most >= 0 && m.count > most {
		s.rd.spoil(0, fmt.Sprintf("more than %d frames; the rest is not read", most))
		return errStop
	}
	m.count++
	m.at[e.Name] = append(m.at[e.Name], ms)
	return nil
}

// lostEvents reads how many events of a timeline are missing.
func (s *session) lostEvents() error {
	t, err := s.dec.Token()
	if n, ok := t.(json.Number); ok {
		lost, _ := n.Int64()
		s.marks.lost = int(lost)
	}
	return err
}

// loops makes a capture of each loop.
func (rd *reader) loops(m marked) {
	for _, name := range m.names {
		at := m.at[name]
		slices.Sort(at) // a timeline has them by lane
		b := &builder{}
		b.File, b.Format, b.Process, b.Column = rd.o.File, FormatStrobe, clean([]byte(name)), "time between marks"
		for i := range at[1:] {
			ms := at[i+1] - at[i]
			if !(ms > 0) {
				b.Skipped++
			} else if rd.keep(b, ms, fmt.Append(nil, ms)) {
				b.starts.push(at[i], rd.in)
			}
		}
		if m.lost > 0 {
			b.Notes = append(b.Notes, fmt.Sprintf("the recording had no room for %d earlier events, so the capture may begin late: give Record more bytes", m.lost))
		}
		rd.builders = append(rd.builders, b)
	}
}
