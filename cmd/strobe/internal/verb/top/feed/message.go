// SPDX-License-Identifier: BSD-3-Clause

package feed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/profile"
)

// These limit what is kept of one message. Longer messages are cut.
const (
	maxZones  = 20_000
	maxNames  = 1000 // loops, plots, notes
	maxFrames = 10_000
	maxParts  = 3 * 4096 // numbers in the parts of a frame or unit
	maxNotes  = 32
	maxText   = 200 // characters of a name

	maxSentence = 1000 // characters of a report
)

// A Message is a message from a program: one field is set.
type Message struct {
	Hello   *Hello
	Frames  *Frames
	State   *State
	Figures *Figures // asked for, once a second if there are root zones
	Bye     bool
}

// A Hello describes the program. It is the first message, and comes again when zones or loops are added.
type Hello struct {
	Version int      `json:"version"`
	Program string   `json:"program"`
	PID     int      `json:"pid"`
	Run     string   `json:"run"` // differs each time that the program starts
	Loops   []string `json:"loops"`
	Loop    string   `json:"loop"`      // loop of the frames; empty if there is none, and frames are slices of time
	Root    *int     `json:"root"`      // number of the root zone about whose calls the stream is; nil if it is about frames
	Lane    *int64   `json:"lane"`      // on which the loop's frames are marked; nil if unknown
	Slice   int64    `json:"slice_ns"`  // length of such a slice
	Budget  *int64   `json:"budget_ns"` // nil if none is set
	Enabled bool     `json:"enabled"`
	Zones   []Zone   `json:"zones"`
}

// A Zone is one of the program's zones. Its number is its index.
type Zone struct {
	Name string `json:"name"`
	Wait bool   `json:"wait"`
	Root bool   `json:"root"`
}

// A Frames has the frames that ended since the previous one.
type Frames struct {
	At      int64    `json:"at_ns"`
	Paths   []Path   `json:"paths"`
	Frames  []Frame  `json:"frames"`
	Units   []Unit   `json:"units"`
	Gone    []int64  `json:"gone"`  // numbers of units that the program no longer keeps
	Reset   bool     `json:"reset"` // the program sends all units that it keeps anew
	Reports []Report `json:"reports"`
	Runtime *Runtime `json:"runtime"`
	Plots   []Plot   `json:"plots"`
	Lost    uint64   `json:"lost"` // spans
	Backlog bool     `json:"backlog"`
}

// A Frame is one iteration of the loop. Instants are nanoseconds since the zero of the program's clock.
type Frame struct {
	Number, Start, Took int64
	Parts               []int64 // three numbers for each path with time: its number, the calls, the time in ns
}

// A Unit is a call of a root zone.
type Unit struct {
	Frame
	Slow, Sampled bool           // why it is kept: it took long, it is in the random sample
	Notes         []profile.Note // at most maxNotes
}

// A Report says why a frame or a unit was slow, in a sentence of package capture.
type Report struct {
	Number uint64 `json:"number"`
	Text   string `json:"text"`
	Start  int64  `json:"start_ns"`
	Took   int64  `json:"duration_ns"`

	Slow      uint64 `json:"slow"`      // slow ones of its root until then
	Explained uint64 `json:"explained"` // those of them that have a report
}

// A Path is a zone within the zones around it. Its number stays the same for the run.
type Path struct{ Number, Lane, Parent, Zone int64 }

// A Runtime is what Go's runtime did since the previous message.
type Runtime struct {
	Collections, Pause float64  // garbage collections and their pauses in ns
	Latency            *float64 // 99th percentile of how long goroutines waited for a processor in ns; nil if none waited
	Heap, Goroutines   float64  // bytes, number
}

// A Plot is a value of a plotted quantity.
type Plot struct {
	Name  string
	Value float64
}

// A State is what a program has measured so far.
type State struct {
	At     int64    `json:"at_ns"`
	Rate   *float64 `json:"rate_hz"`  // of the last 1000 frames, like the next two; nil if unknown
	P99    *float64 `json:"p99_ns"`   //
	Low1   *float64 `json:"low1_fps"` //
	Notes  []string `json:"notes"`
	Totals []Total  `json:"totals"`
	Open   []Unit   `json:"open"` // units that take long and have not ended
}

// A Total is what was spent in a zone since the program started.
type Total struct {
	Zone  int
	Calls uint64
	Total int64  // ns
	Self  *int64 // ns; nil if unknown
	Sum   *int64 // sum of the durations of all calls in ns; nil if the program does not send it
}

var errTuple = errors.New("a list has too few whole numbers")

// UnmarshalJSON reads [number,start,duration,path,calls,time,...].
func (f *Frame) UnmarshalJSON(text []byte) error {
	if err := integers(text, &f.Number, &f.Start, &f.Took); err != nil {
		return err
	}
	var all []int64
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	f.Parts = all[3:min(len(all)/3*3, maxParts)]
	return nil
}

// UnmarshalJSON reads [number,start,duration,lane,goroutine,slow,sampled,[key,value,...],path,calls,time,...].
func (u *Unit) UnmarshalJSON(text []byte) error {
	var lane, goroutine, slow, sampled int64
	if err := integers(text, &u.Number, &u.Start, &u.Took, &lane, &goroutine, &slow, &sampled); err != nil {
		return err
	}
	u.Slow, u.Sampled = slow != 0, sampled != 0
	var all []json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil || len(all) < 8 {
		return errors.Join(err, errTuple)
	}
	var notes []string
	if err := json.Unmarshal(all[7], &notes); err != nil {
		return err
	}
	for len(notes) > 1 && len(u.Notes) < maxNotes {
		u.Notes, notes = append(u.Notes, profile.Note{Key: clean(notes[0]), Value: clean(notes[1])}), notes[2:]
	}
	for _, x := range all[8:min(len(all), 8+maxParts)] {
		n, err := strconv.ParseInt(string(bytes.TrimSpace(x)), 10, 64)
		if err != nil {
			return errTuple
		}
		u.Parts = append(u.Parts, n)
	}
	u.Parts = u.Parts[:len(u.Parts)/3*3]
	return nil
}

// UnmarshalJSON reads [path,lane,parent,zone].
func (p *Path) UnmarshalJSON(text []byte) error {
	return integers(text, &p.Number, &p.Lane, &p.Parent, &p.Zone)
}

// UnmarshalJSON reads [collections,pause,latency,heap,goroutines].
func (r *Runtime) UnmarshalJSON(text []byte) error {
	var v []*float64
	if err := json.Unmarshal(text, &v); err != nil || len(v) < 5 {
		return errors.Join(err, errTuple)
	}
	for i, to := range []*float64{&r.Collections, &r.Pause, nil, &r.Heap, &r.Goroutines} {
		if to != nil && v[i] != nil {
			*to = *v[i]
		}
	}
	r.Latency = v[2]
	return nil
}

// UnmarshalJSON reads ["name",at,value].
func (p *Plot) UnmarshalJSON(text []byte) error {
	var at float64
	v := []any{&p.Name, &at, &p.Value}
	return json.Unmarshal(text, &v)
}

// UnmarshalJSON reads [zone,calls,total,self,sum].
func (t *Total) UnmarshalJSON(text []byte) error {
	var zone, calls int64
	if err := integers(text, &zone, &calls, &t.Total); err != nil {
		return err
	}
	t.Zone, t.Calls = int(zone), uint64(calls)
	var all []*int64
	if err := json.Unmarshal(text, &all); err != nil || len(all) < 4 {
		return errors.Join(err, errTuple)
	}
	if t.Self = all[3]; len(all) > 4 {
		t.Sum = all[4]
	}
	return nil
}

// integers reads the first numbers of a list, which is valid JSON, without reading the rest.
func integers(list []byte, to ...*int64) error {
	rest, ok := bytes.CutPrefix(list, []byte("["))
	for _, p := range to {
		end := bytes.IndexAny(rest, ",]")
		if !ok || end < 0 {
			return errTuple
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(rest[:end])), 10, 64)
		if err != nil {
			return errTuple
		}
		*p, rest, ok = n, rest[end+1:], rest[end] == ','
	}
	return nil
}

// read reads the message of an event. If the kind of event is unknown, no field is set.
func read(ev event) (m Message, err error) {
	switch ev.name {
	case "hello":
		m.Hello = new(Hello)
		if err = json.Unmarshal(ev.data, m.Hello); err == nil {
			err = m.Hello.tidy()
		}
	case "frames":
		m.Frames = new(Frames)
		err = json.Unmarshal(ev.data, m.Frames)
		m.Frames.tidy()
	case "state":
		m.State = new(State)
		err = json.Unmarshal(ev.data, m.State)
		m.State.tidy()
	case "bye":
		m.Bye = true
	}
	if err != nil {
		return Message{}, fmt.Errorf("a message %q cannot be read: %w", ev.name, err)
	}
	return m, nil
}

func (h *Hello) tidy() error {
	if h.Version != 1 {
		return fmt.Errorf("version %d is not known to this strobe, which reads version 1", h.Version)
	}
	h.Program, h.Run, h.Loop = clean(h.Program), clean(h.Run), clean(h.Loop)
	h.Loops = cleanAll(h.Loops)
	h.Zones = h.Zones[:min(len(h.Zones), maxZones)]
	for i := range h.Zones {
		h.Zones[i].Name = clean(h.Zones[i].Name)
	}
	return nil
}

func (f *Frames) tidy() {
	f.Frames = f.Frames[max(0, len(f.Frames)-maxFrames):]
	f.Units = f.Units[max(0, len(f.Units)-maxFrames):]
	f.Reports = f.Reports[max(0, len(f.Reports)-maxNames):]
	for i := range f.Reports {
		f.Reports[i].Text = cleanTo(f.Reports[i].Text, maxSentence)
	}
	f.Plots = f.Plots[max(0, len(f.Plots)-maxNames):]
	for i := range f.Plots {
		f.Plots[i].Name = clean(f.Plots[i].Name)
	}
}

func (s *State) tidy() {
	s.Notes = cleanAll(s.Notes)
	s.Totals = s.Totals[:min(len(s.Totals), maxZones)]
	s.Open = s.Open[:min(len(s.Open), maxNames)]
}

// clean makes a name of the program safe to show.
func clean(text string) string { return cleanTo(text, maxText) }

// cleanTo makes a text of at most that many characters safe to show.
func cleanTo(text string, most int) string {
	if r := []rune(text); len(r) > most {
		text = string(r[:most-1]) + "…"
	}
	return plain.Text(text)
}

func cleanAll(texts []string) []string {
	texts = texts[:min(len(texts), maxNames)]
	for i := range texts {
		texts[i] = clean(texts[i])
	}
	return texts
}
