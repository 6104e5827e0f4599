// SPDX-License-Identifier: BSD-3-Clause

package view

import (
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/program"
)

func TestTheSlowestFrameIsSaidWithItsCause(t *testing.T) {
	const ms = 1_000_000
	lane := int64(0)
	for want, parts := range map[string][]int64{
		"slowest 90 ms, frame 99, 0.0 s ago; tick +79.2 ms":               {0, 1, 85 * ms, 1, 1, 1 * ms},
		"slowest 90 ms, frame 99, 0.0 s ago; work +78.21 ms, join waited": {0, 1, 85 * ms, 1, 1, 81 * ms, 2, 1, 80 * ms},
		"slowest 90 ms, frame 99, 0.0 s ago; outside any zone +79.2 ms":   {0, 1, 5 * ms, 1, 1, 1 * ms},
		"slowest 90 ms, frame 99, 0.0 s ago; in no zone":                  {0, 1, 85 * ms, 1, 1, 28 * ms, 3, 1, 29 * ms},
		"slowest 90 ms, frame 99, 0.0 s ago; join +79.2 ms":               {0, 1, 85 * ms, 1, 1, 81 * ms, 2, 1, 1 * ms},
	} {
		var p program.Program
		p.Add(feed.Message{Hello: &feed.Hello{Version: 1, Run: "r", Loop: "l", Lane: &lane, Zones: []feed.Zone{{Name: "tick"}, {Name: "join", Wait: true}, {Name: "work"}, {Name: "draw"}}}})
		m := &feed.Frames{Paths: []feed.Path{{Number: 0, Parent: -1, Zone: 0}, {Number: 1, Parent: 0, Zone: 1}, {Number: 2, Lane: 1, Parent: -1, Zone: 2}, {Number: 3, Parent: 0, Zone: 3}}}
		for n := range int64(99) {
			m.Frames = append(m.Frames, feed.Frame{Number: n, Took: 10 * ms, Parts: []int64{0, 1, 5 * ms, 1, 1, 1 * ms, 2, 1, 1 * ms}})
		}
		m.Frames = append(m.Frames, feed.Frame{Number: 99, Took: 90 * ms, Parts: parts})
		p.Add(feed.Message{Frames: m})
		if got := Slowest(&p, 120); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
