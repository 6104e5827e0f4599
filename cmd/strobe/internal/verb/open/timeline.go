// SPDX-License-Identifier: BSD-3-Clause

package open

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/markup"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/page"
	"github.com/strobe-go/strobe/profile"
)

const (
	mostSpans = 4000 // in a stretch of time: the longest
	mostLanes = 40   // with the most time in zones
	mostMarks = 2000 // frames and messages in a stretch of time
)

//go:embed timeline.html
var timelineBody string

//go:embed timeline.js
var timelineScript string

// A timeline is a file with spans. Its times count from its first event.
type timeline struct {
	profile.Timeline
	start clock.Instant
	took  time.Duration
}

// readTimeline reads a timeline in JSON or as package trace writes it for Perfetto, or one in Chrome's format.
func readTimeline(text []byte) (*timeline, error) {
	if isPerfetto(text) {
		t, err := readPerfetto(text)
		if err != nil {
			return nil, err
		}
		return newTimeline(t)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	var t profile.Timeline
	var err error
	if list := bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("[")); !list {
		err = json.Unmarshal(text, &t)
	}
	if err == nil && t.Events == nil {
		t, err = readChrome(text)
	}
	if err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	return newTimeline(t)
}

// newTimeline checks a timeline, so that all its indices can be used.
func newTimeline(t profile.Timeline) (*timeline, error) {
	x := &timeline{Timeline: t}
	end := clock.Instant(0)
	for i, e := range t.Events {
		if e.Kind == profile.SpanEvent && (e.Lane < 0 || e.Lane >= len(t.Lanes) || e.Zone < -1 || e.Zone >= len(t.Zones)) || e.Took < 0 {
			return nil, fmt.Errorf("it is damaged: its event %d refers to what it does not have", i)
		}
		if i == 0 || e.Start < x.start {
			x.start = e.Start
		}
		end = max(end, e.Start+clock.Instant(e.Took))
	}
	if len(t.Events) == 0 {
		return nil, errors.New("nothing is recorded in it")
	}
	x.took = max(1, end.Sub(x.start))
	return x, nil
}

// A stretch is what the page shows of a timeline.
type stretch struct {
	From  int64      `json:"from"`
	To    int64      `json:"to"`
	Lanes []lane     `json:"lanes"`
	Marks []markName `json:"marks"`
	Left  int        `json:"left"` // shorter spans, and marks, that are not shown
	More  int        `json:"more"` // lanes that are not shown
}

type lane struct {
	Name string    `json:"name"`
	Rows [][]int64 `json:"rows"` // by depth: zone, start and duration of each span
}

// A markName is a loop, with the instants of its frames, or a lane with the messages set there.
type markName struct {
	Name  string   `json:"name"`
	At    []int64  `json:"at"`
	Texts []string `json:"texts,omitempty"`
}

// within returns what lies between two instants.
func (x *timeline) within(from, to time.Duration) stretch {
	s := stretch{From: int64(from), To: int64(to), Lanes: []lane{}, Marks: []markName{}}
	type found struct {
		event  int
		inside time.Duration
	}
	var spans []found
	busy := make(map[int]time.Duration)
	marks, at := 0, make(map[string]int)
	for i := range x.Events {
		e := &x.Events[i]
		begin := e.Start.Sub(x.start)
		inside := min(begin+e.Took, to) - max(begin, from)
		if begin > to || begin+e.Took < from {
			continue
		}
		switch e.Kind {
		case profile.SpanEvent:
			spans = append(spans, found{i, inside})
			if e.Depth == 0 {
				busy[e.Lane] += inside
			}
		case profile.FrameEvent, profile.MessageEvent:
			if marks == mostMarks {
				s.Left++
				continue
			}
			marks++
			name := "messages"
			if e.Kind == profile.FrameEvent {
				name = "frames of " + e.Name
			}
			k, known := at[name]
			if !known {
				k = len(s.Marks)
				at[name] = k
				s.Marks = append(s.Marks, markName{Name: name})
			}
			m := &s.Marks[k]
			m.At = append(m.At, int64(begin))
			if e.Kind == profile.MessageEvent {
				m.Texts = append(m.Texts, e.Name)
			}
		}
	}
	lanes := make([]int, 0, len(busy))
	for l := range busy {
		lanes = append(lanes, l)
	}
	slices.SortFunc(lanes, func(a, b int) int { return cmp.Or(cmp.Compare(busy[b], busy[a]), cmp.Compare(a, b)) })
	s.More = max(0, len(lanes)-mostLanes)
	place := make(map[int]int)
	for k, l := range lanes[:min(len(lanes), mostLanes)] {
		place[l] = k
		s.Lanes = append(s.Lanes, lane{Name: x.Lanes[l].Name, Rows: [][]int64{}})
	}
	slices.SortFunc(spans, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.inside, a.inside), cmp.Compare(a.event, b.event))
	})
	n := 0
	for _, f := range spans {
		e := &x.Events[f.event]
		k, kept := place[e.Lane]
		if !kept || n == mostSpans {
			s.Left++
			continue
		}
		n++
		l := &s.Lanes[k]
		for len(l.Rows) <= min(max(e.Depth, 0), 255) {
			l.Rows = append(l.Rows, []int64{})
		}
		row := &l.Rows[min(max(e.Depth, 0), 255)]
		*row = append(*row, int64(e.Zone), int64(e.Start.Sub(x.start)), int64(e.Took))
	}
	return s
}

// write writes the page.
func (x *timeline) write(w io.Writer, file string) error {
	view := struct {
		File  string
		Took  string
		Spans string
		Lanes string
		Notes []string
		Lost  uint64
	}{File: file, Took: duration(x.took), Notes: x.Notes, Lost: x.Lost}
	spans, lanes := uint64(0), make(map[int]bool)
	for i := range x.Events {
		if e := &x.Events[i]; e.Kind == profile.SpanEvent {
			spans++
			lanes[e.Lane] = true
		}
	}
	view.Spans, view.Lanes = layout.Plural(spans, "span"), layout.Plural(uint64(len(lanes)), "lane")
	body, err := markup.Of(timelineBody, view)
	if err != nil {
		return err
	}
	type zone struct {
		Name string `json:"name"`
		Wait bool   `json:"wait,omitempty"`
	}
	data := struct {
		Took  int64   `json:"took"`
		Zones []zone  `json:"zones"`
		First stretch `json:"first"`
	}{Took: int64(x.took), Zones: []zone{}, First: x.within(0, x.took)}
	for _, z := range x.Zones {
		data.Zones = append(data.Zones, zone{z.Name, z.Wait})
	}
	return page.Write(w, page.Page{Title: "Timeline", Version: session.Version(), Body: body, Data: data, Connect: true, Style: style, Script: page.Lanes() + timelineScript})
}
