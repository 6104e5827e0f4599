// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"math"
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/profile"
)

const (
	producer = "strobe"
	taken    = "timeline taken"            // the instant that carries Timeline.Lost and Timeline.Notes
	beyond   = "(paths beyond the limits)" // the zone of spans whose path did not fit into the call tree
)

// zoneAt returns what is known about a zone, even if it is not in the table.
func zoneAt(zones []profile.ZoneInfo, i int) profile.ZoneInfo {
	switch {
	case i >= 0 && i < len(zones):
		return zones[i]
	case i == profile.Other:
		return profile.ZoneInfo{Name: beyond}
	}
	return profile.ZoneInfo{Name: "zone " + strconv.Itoa(i)}
}

func category(z profile.ZoneInfo) string {
	switch {
	case z.Wait:
		return "wait"
	case z.Root:
		return "unit"
	}
	return "zone"
}

// laneAt returns the index of a lane, -1 if there is none.
func laneAt(lanes []profile.TimelineLane, i int) int {
	if i >= 0 && i < len(lanes) {
		return i
	}
	return -1
}

// laneName returns the name of the lane of an event, or a name for events without a lane.
func laneName(lanes []profile.TimelineLane, i int) string {
	if laneAt(lanes, i) < 0 {
		return "no lane"
	}
	return lanes[i].Name
}

// where splits the place of a zone into file and line; the line is 0 if there is none.
func where(z profile.ZoneInfo) (file string, line uint32) {
	i := strings.LastIndexByte(z.Where, ':')
	if i < 0 {
		return z.Where, 0
	}
	n, err := strconv.ParseUint(z.Where[i+1:], 10, 31)
	if err != nil {
		return z.Where, 0
	}
	return z.Where[:i], uint32(n)
}

// used reports which lanes have events, and whether events belong to none.
func used(t profile.Timeline) (lanes []bool, none bool) {
	lanes = make([]bool, len(t.Lanes))
	for _, e := range t.Events {
		switch i := laneAt(t.Lanes, e.Lane); {
		case e.Kind == profile.PlotEvent: // belongs to the process
		case e.Kind != profile.SpanEvent && !isMark(e.Kind):
		case i >= 0:
			lanes[i] = true
		default:
			none = true
		}
	}
	return lanes, none
}

// isMark reports whether an event is shown by itself. Tasks and links show as arrows between spans.
func isMark(k profile.Kind) bool {
	return k != profile.SpanEvent && k != profile.TaskEvent && k != profile.LinkEvent
}

// markCategory is the category of a mark; an unknown kind counts as a message.
func markCategory(k profile.Kind) string {
	switch k {
	case profile.FrameEvent, profile.PlotEvent, profile.NoteEvent:
		return k.String()
	}
	return profile.MessageEvent.String()
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// valid returns s with U+FFFD in place of invalid UTF-8.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
