// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"math"
	"strconv"
	"strings"

	"github.com/strobe-go/strobe"
)

const (
	producer = "strobe"
	taken    = "timeline taken" // the instant that carries Timeline.Lost and Timeline.Notes
)

// zoneAt returns what is known of a zone, also of one that is newer than the table.
func zoneAt(zones []strobe.ZoneInfo, i int) strobe.ZoneInfo {
	if i >= 0 && i < len(zones) {
		return zones[i]
	}
	return strobe.ZoneInfo{Name: "zone " + strconv.Itoa(i)}
}

func category(z strobe.ZoneInfo) string {
	if z.Wait {
		return "wait"
	}
	return "zone"
}

// laneAt returns the index of a lane, -1 if there is none.
func laneAt(lanes []strobe.LaneStats, i int) int {
	if i >= 0 && i < len(lanes) {
		return i
	}
	return -1
}

// laneName names the lane of an event, also of one without.
func laneName(lanes []strobe.LaneStats, i int) string {
	if laneAt(lanes, i) < 0 {
		return "no lane"
	}
	return lanes[i].Name
}

// where splits the place of a zone into file and line; the line is 0 if there is none.
func where(z strobe.ZoneInfo) (file string, line uint32) {
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

// used tells which lanes have an event.
func used(t strobe.Timeline) (lanes []bool, none bool) {
	lanes = make([]bool, len(t.Lanes))
	for _, e := range t.Events {
		switch i := laneAt(t.Lanes, e.Lane); {
		case e.Mark == "plot": // belongs to the process
		case i >= 0:
			lanes[i] = true
		default:
			none = true
		}
	}
	return lanes, none
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// valid is s with U+FFFD for what is no UTF-8.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
