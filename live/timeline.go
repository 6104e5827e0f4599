// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// mostShown is the number of lanes in a timeline; the others are counted.
const mostShown = 64

// A timelineMessage is the answer at spans: the timeline of a frame, or the reason why there is none.
type timelineMessage struct {
	Version int    `json:"version"`
	Run     string `json:"run"`
	Loop    string `json:"loop,omitempty"`
	Frame   uint64 `json:"frame,omitempty"`
	Root    *int   `json:"root,omitempty"`
	Unit    uint64 `json:"unit,omitempty"`
	Reason  string `json:"reason,omitempty"`
	*timelineOf
}

type timelineOf struct {
	Start   clock.Instant  `json:"start_ns"`
	Took    time.Duration  `json:"duration_ns"`
	Lanes   []timelineLane `json:"lanes"`
	More    int            `json:"more_lanes,omitempty"`
	Still   int            `json:"still_lanes,omitempty"`
	Left    uint64         `json:"left_out,omitempty"`
	Longest time.Duration  `json:"left_out_ns,omitempty"`
	Lost    uint64         `json:"lost,omitempty"`
	Missing []string       `json:"missing,omitempty"`
}

type timelineLane struct {
	ID    int32           `json:"id"`
	Name  string          `json:"name"`
	Own   bool            `json:"own,omitempty"`
	Spans json.RawMessage `json:"spans"`

	list []span
	busy time.Duration
}

// spans answers with the timeline of a frame.
func (s *Server) spans(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.ParseUint(r.FormValue("frame"), 10, 53)
	if err != nil {
		http.Error(w, "frame must be the number of a frame", http.StatusBadRequest)
		return
	}
	asked := allLanes
	if text := r.FormValue("lane"); text != "" {
		if asked, err = strconv.Atoi(text); err != nil {
			http.Error(w, "lane must be the number of a lane", http.StatusBadRequest)
			return
		}
	}
	answer(w, s.timeline(r.FormValue("loop"), number, asked))
}

// answer answers with JSON.
func answer(w http.ResponseWriter, m timelineMessage) {
	text, err := marshal(m)
	if err != nil {
		http.Error(w, line(err.Error()), http.StatusInternalServerError)
		return
	}
	unhurried(w)
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(text, '\n'))
}

// timeline returns the timeline of a frame of a loop, with a lane that was asked for.
func (s *Server) timeline(loop string, number uint64, asked int) timelineMessage {
	c := s.collector
	c.mu.Lock()
	l := c.model.find(loop)
	m := timelineMessage{Version: 1, Run: s.run, Loop: l.loop, Frame: number}
	k, own, paths, zones, room := l.frame(number), l.turns.lane(), c.model.paths.all, c.model.zones, len(l.latest)-l.bare
	var spans []byte
	if k != nil {
		spans = k.spans
	}
	c.mu.Unlock() // what was taken out does not change
	switch {
	case k == nil:
		m.Reason = fmt.Sprintf("this frame is not kept: only the latest frames and the %d longest are", worstKept)
		return m
	case spans == nil:
		m.Reason = fmt.Sprintf("the spans of this frame are no longer kept: live.Options.StoreBytes has room for those of the latest %d frames and of the longest", room)
		return m
	}
	start := k.end - clock.Instant(k.took)
	contents, names := parseContents(spans, start)
	m.timelineOf = &timelineOf{Start: start, Took: k.took, Still: contents.still, Left: contents.left, Longest: contents.longest, Lost: contents.lost}
	m.Lanes = arrange(contents.spans, names, own, asked, &frame{start: start, end: k.end}, paths, zones)
	if n := len(m.Lanes) - mostShown; n > 0 {
		m.More, m.Lanes = n, m.Lanes[:mostShown]
	}
	for i := range m.Lanes {
		m.Lanes[i].Spans = appendSpans(nil, m.Lanes[i].list, start)
	}
	return m
}

// arrange returns the lanes of a frame, each with its spans by the time they began: first the loop's own lane, then the one
// that was asked for, then those that worked longest.
func arrange(spans []span, names map[int32]string, own, asked int, f *frame, paths []pathNode, zones []profile.ZoneInfo) []timelineLane {
	slices.SortStableFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.lane, b.lane), cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	work := make(map[int32]int) // by path: how the time in it counts
	lanes := []timelineLane{}
	for i := range spans {
		s := &spans[i]
		if i == 0 || s.lane != spans[i-1].lane {
			lanes = append(lanes, timelineLane{ID: s.lane, Name: names[s.lane], Own: int(s.lane) == own})
		}
		sign, found := work[s.path]
		if !found {
			sign = workOf(s.path, paths, zones)
			work[s.path] = sign
		}
		l := &lanes[len(lanes)-1]
		l.list = append(l.list, *s)
		l.busy += time.Duration(sign) * f.inside(s)
	}
	slices.SortStableFunc(lanes, func(a, b timelineLane) int {
		rank := func(l *timelineLane) int {
			switch int(l.ID) {
			case own:
				return 0
			case asked:
				return 1
			}
			return 2
		}
		return cmp.Or(rank(&a)-rank(&b), cmp.Compare(b.busy, a.busy))
	})
	return lanes
}

// workOf returns 1 for the path of an outermost zone, less 1 for that of a zone that waits, the outermost of these, so that the
// sum over the spans of a lane is the time in which it worked.
func workOf(path int32, paths []pathNode, zones []profile.ZoneInfo) (sign int) {
	if paths[path].parent < 0 {
		sign++
	}
	if waiting(path, paths, zones) == path {
		sign--
	}
	return sign
}

// appendSpans appends spans as they are sent: [path, start, duration, path, start, duration, ...]. The start counts from the
// start of the frame; the duration of a span that had not ended is null.
func appendSpans(b []byte, spans []span, start clock.Instant) []byte {
	b = append(b, '[')
	for i := range spans {
		s := &spans[i]
		b = strconv.AppendInt(b, int64(s.path), 10)
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(s.start-start), 10)
		b = append(b, ',')
		if s.end == never {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendInt(b, int64(s.end-s.start), 10)
		}
		b = append(b, ',')
	}
	return end(b)
}
