// SPDX-License-Identifier: BSD-3-Clause

package open

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// A chromeEvent is an event of Chrome's format, as package trace and other programs write it. Times are in microseconds.
type chromeEvent struct {
	Phase string          `json:"ph"`
	Name  string          `json:"name"`
	Cat   string          `json:"cat"`
	PID   json.RawMessage `json:"pid"`
	TID   json.RawMessage `json:"tid"`
	At    float64         `json:"ts"`
	Took  float64         `json:"dur"`
	Args  struct {
		Name  any `json:"name"`
		Value any `json:"value"`
		Lost  any `json:"lost"`
		Notes any `json:"notes"`
	} `json:"args"`
}

// readChrome reads spans, in one event or two, instants, plots, and the names of threads. The events are a list, or that of an object. A
// span that has not ended is left out.
func readChrome(text []byte) (t profile.Timeline, err error) {
	var file struct {
		Events []chromeEvent `json:"traceEvents"`
	}
	if bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("[")) {
		err = json.Unmarshal(text, &file.Events)
	} else {
		err = json.Unmarshal(text, &file)
	}
	if err != nil {
		return t, err
	}
	zones, lanes, begun := make(map[string]int), make(map[string]int), make(map[int][]profile.Event)
	laneOf := func(e *chromeEvent) int {
		key := string(e.PID) + "/" + string(e.TID)
		k, known := lanes[key]
		if !known {
			k = len(t.Lanes)
			lanes[key] = k
			t.Lanes = append(t.Lanes, profile.TimelineLane{LaneInfo: profile.LaneInfo{ID: k, Name: "thread " + string(e.TID)}})
		}
		return k
	}
	for i := range file.Events {
		e := &file.Events[i]
		if math.Abs(e.At) > math.MaxInt64/2000 || math.Abs(e.Took) > math.MaxInt64/2000 {
			return t, errors.New("the time of event " + strconv.Itoa(i) + " is out of range")
		}
		start := clock.Instant(math.Round(e.At * 1000))
		switch {
		case e.Phase == "M" && e.Name == "thread_name":
			if name, ok := e.Args.Name.(string); ok {
				t.Lanes[laneOf(e)].Name = name
			}
		case e.Phase == "E":
			k := laneOf(e)
			if n := len(begun[k]) - 1; n >= 0 {
				span := begun[k][n]
				begun[k] = begun[k][:n]
				span.Took = max(0, time.Duration(start-span.Start))
				t.Events = append(t.Events, span)
			}
		case e.Phase == "X", e.Phase == "B":
			z, known := zones[e.Name]
			if !known {
				z = len(t.Zones)
				zones[e.Name] = z
				t.Zones = append(t.Zones, profile.ZoneInfo{Name: e.Name, Every: 1, Wait: e.Cat == "wait"})
			}
			span := profile.Event{Kind: profile.SpanEvent, Lane: laneOf(e), Zone: z, Path: -1, Start: start, Took: max(0, time.Duration(math.Round(e.Took*1000)))}
			if e.Phase == "B" {
				begun[span.Lane] = append(begun[span.Lane], span)
			} else {
				t.Events = append(t.Events, span)
			}
		case e.Phase == "i" && e.Cat == rootName && e.Name == takenName:
			e.taken(&t)
		case e.Phase == "i" || e.Phase == "I":
			t.Events = append(t.Events, e.mark(start))
		case e.Phase == "C":
			if value, ok := e.Args.Value.(float64); ok {
				t.Events = append(t.Events, profile.Event{Kind: profile.PlotEvent, Lane: -1, Zone: -1, Path: -1, Start: start, Name: e.Name, Value: value})
			}
		}
	}
	nest(t.Events)
	return t, nil
}

// taken reads what concerns the whole timeline.
func (e *chromeEvent) taken(t *profile.Timeline) {
	t.At = clock.Instant(math.Round(e.At * 1000))
	if lost, ok := e.Args.Lost.(float64); ok && lost > 0 && lost < math.MaxUint64 {
		t.Lost = uint64(lost)
	}
	notes, _ := e.Args.Notes.([]any)
	for _, note := range notes {
		if text, ok := note.(string); ok {
			t.Notes = append(t.Notes, text)
		}
	}
}

// mark returns a frame, a note of strobe, or else a message.
func (e *chromeEvent) mark(at clock.Instant) profile.Event {
	mark := profile.Event{Kind: profile.MessageEvent, Lane: -1, Zone: -1, Path: -1, Start: at, Name: e.Name}
	switch text, is := e.Args.Value.(string); {
	case e.Cat == profile.FrameEvent.String():
		mark.Kind = profile.FrameEvent
	case e.Cat == profile.NoteEvent.String() && is:
		mark.Kind, mark.Text = profile.NoteEvent, text
	}
	return mark
}

// nest sets the depths of spans: in which others of their lane they are.
func nest(events []profile.Event) {
	order := make([]int, 0, len(events))
	for i := range events {
		if events[i].Kind == profile.SpanEvent {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &events[i], &events[j]
		return cmp.Or(cmp.Compare(a.Lane, b.Lane), cmp.Compare(a.Start, b.Start), cmp.Compare(b.Took, a.Took))
	})
	var ends []clock.Instant // of the spans around, outermost first
	lane := -1
	for _, i := range order {
		e := &events[i]
		if e.Lane != lane {
			lane, ends = e.Lane, ends[:0]
		}
		end := e.Start + clock.Instant(e.Took)
		for n := len(ends); n > 0 && (ends[n-1] < end || ends[n-1] <= e.Start); n-- {
			ends = ends[:n-1]
		}
		e.Depth = min(len(ends), 255)
		ends = append(ends, end)
	}
}
