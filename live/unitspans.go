// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/unit"
	"github.com/strobe-go/strobe/profile"
)

// unit answers with the spans of a unit.
func (s *Server) unit(w http.ResponseWriter, r *http.Request) {
	zone, err := strconv.ParseUint(r.FormValue("root"), 10, 31)
	number, wrong := strconv.ParseUint(r.FormValue("unit"), 10, 53)
	if err != nil || wrong != nil {
		http.Error(w, "root must be the number of a root zone, and unit the number of one of its units", http.StatusBadRequest)
		return
	}
	answer(w, s.timelineOfUnit(int(zone), number))
}

// timelineOfUnit returns the timeline of a unit.
func (s *Server) timelineOfUnit(zone int, number uint64) timelineMessage {
	c := s.collector
	c.mu.Lock()
	defer c.mu.Unlock()
	m := timelineMessage{Version: 1, Run: s.run, Root: &zone, Unit: number}
	root := c.model.units.keeper.Root(zone)
	var k *unit.Kept
	if root != nil {
		k = root.Unit(number)
	}
	if k == nil {
		m.Reason = fmt.Sprintf("this unit is not kept: only the slowest %d, the slowest of each minute and a sample are", unit.Slowest)
		return m
	}
	u := &k.Unit
	if len(u.Spans) == 0 && u.Left > 0 {
		m.Reason = "the spans of this unit are not kept: those of slow ones are, as long as live.Options.StoreBytes has room for them"
		return m
	}
	m.timelineOf = &timelineOf{Start: u.Start, Took: u.Took, Lanes: c.model.unitLanes(u), Left: u.Left, Missing: u.Missing}
	if u.Left > 0 {
		for i, s := range u.Spans {
			if i == 0 || s.Took < m.Longest {
				m.Longest = s.Took
			}
		}
	}
	return m
}

// unitLanes returns the lanes of a unit with their spans: its own, then the others in the order in which they began.
func (m *model) unitLanes(u *profile.Unit) (lanes []timelineLane) {
	var rows []*unitLane
	own := &unitLane{id: u.Lane, as: ownLane}
	own.add(m, &profile.UnitSpan{Lane: u.Lane, Zone: u.Zone, Start: u.Start, Took: u.Took})
	rows = append(rows, own)
	for i := range u.Spans {
		s := &u.Spans[i]
		linked := s.Linked || s.Lane != u.Lane
		k := slices.IndexFunc(rows, func(l *unitLane) bool { return l.id == s.Lane && (l != own) == linked })
		if k < 0 {
			k = len(rows)
			rows = append(rows, &unitLane{id: s.Lane, as: linkedLane})
		}
		rows[k].add(m, s)
	}
	for _, l := range rows[:min(len(rows), mostShown)] {
		name := "lane " + strconv.Itoa(l.id)
		if l.id >= 0 && l.id < len(m.called) {
			name = cmp.Or(m.called[l.id], name)
		}
		lanes = append(lanes, timelineLane{ID: int32(l.id), Name: name, Own: l == own, Spans: appendSpans(nil, l.spans, u.Start)})
	}
	return lanes
}

// A unitLane is the spans of a unit on a lane.
type unitLane struct {
	id    int
	as    int // ownLane or linkedLane
	spans []span
	stack []int32 // the paths of the spans around the next one
}

// add adds a span, after those that began before it and around it.
func (l *unitLane) add(m *model, s *profile.UnitSpan) {
	l.stack = l.stack[:min(len(l.stack), s.Depth)]
	n := pathNode{l.as, -1, int32(s.Zone)}
	if len(l.stack) > 0 {
		n.parent = l.stack[len(l.stack)-1]
	}
	path := m.paths.in(n)
	l.stack = append(l.stack, path)
	l.spans = append(l.spans, span{lane: int32(l.id), path: path, start: s.Start, end: s.Start + clock.Instant(s.Took)})
}
