// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"slices"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/looks"
	"github.com/strobe-go/strobe/internal/unit"
	"github.com/strobe-go/strobe/profile"
)

// mostDivided is how many frames and units are kept of which it became known what they did: for viewers that have them already.
const mostDivided = 4096

// A divided frame or unit is one of which it became known what it did.
type divided struct {
	loop   *loop
	root   *unit.Root
	number uint64
	profile.Split
}

// divide notes what frames and units did, as package capture has seen.
func (m *model) divide(fresh []looks.Unit) {
	of := make(map[int][]unit.Divided) // by root zone
	for i := range fresh {
		switch u := &fresh[i]; {
		case u.Zone >= 0:
			of[u.Zone] = append(of[u.Zone], unit.Divided{Lane: u.Lane, Start: u.Start, Took: u.Took, Split: u.Split})
		case m.find(u.Loop).loop == u.Loop:
			l := m.find(u.Loop)
			if k := l.lasted(u.Start, u.Took); k != nil && k.split == nil {
				split := u.Split
				k.split = &split
				m.divided.add(divided{loop: l, number: k.number, Split: split})
			}
		}
	}
	for _, r := range m.units.keeper.Roots() {
		for _, k := range r.Divide(of[r.Zone]) {
			m.divided.add(divided{root: r, number: k.Number, Split: *k.Split})
		}
	}
}

// lasted returns the frame that began at a time and took so long, to within what two readings may differ; nil if it is not kept.
func (s *store) lasted(start clock.Instant, took time.Duration) *kept {
	i, _ := slices.BinarySearchFunc(s.latest, start+clock.Instant(took), func(k *kept, at clock.Instant) int {
		if k.end < at-slack-clock.Instant(took)/4096 {
			return -1
		}
		return 1
	})
	if i == len(s.latest) {
		return nil
	}
	k := s.latest[i]
	off := took/4096 + time.Duration(slack)
	if begun := k.end - clock.Instant(k.took); max(begun-start, start-begun) > clock.Instant(off) || max(k.took-took, took-k.took) > off {
		return nil
	}
	return k
}

// appendExtras appends what is known of frames or units beside their times: what they did, of those that are sent with this message
// and of those that the viewer has, and the notes of frames.
func (m *model) appendExtras(b []byte, c *cursor, l *loop, r *unit.Root, frames []*kept, units []*unit.Kept) []byte {
	b = append(b, `,"splits":[`...)
	empty := len(b)
	add := func(number uint64, s *profile.Split) {
		b = append(strconv.AppendUint(append(b, '['), number, 10), ',')
		for _, d := range []time.Duration{s.Running, s.Ready, s.Waiting, s.Unknown} {
			b = append(strconv.AppendInt(b, int64(d), 10), ',')
		}
		b = append(end(b), ',')
	}
	for _, k := range frames {
		if k.split != nil {
			add(k.number, k.split)
		}
	}
	for _, k := range units {
		if k.Split != nil {
			add(k.Number, k.Split)
		}
	}
	later, next := m.divided.from(c.divided, mostDivided)
	if !c.fresh {
		later = nil // what is known already comes with its frame or unit
	}
	for i := range later {
		if d := &later[i]; d.loop == l && d.root == r {
			add(d.number, &d.Split)
		}
	}
	c.divided = next
	if len(b) == empty {
		b = b[:empty-len(`,"splits":[`)]
	} else {
		b = end(b)
	}
	return appendNotes(b, frames)
}

// appendNotes appends the notes of frames: [number, key, value, ...].
func appendNotes(b []byte, frames []*kept) []byte {
	begun := false
	for _, k := range frames {
		if len(k.notes) == 0 {
			continue
		}
		if b = append(b, ','); !begun {
			begun, b = true, append(b, `"notes":[`...)
		}
		b = strconv.AppendUint(append(b, '['), k.number, 10)
		for _, n := range k.notes {
			b = appendText(append(appendText(append(b, ','), n.Key), ','), n.Value)
		}
		b = append(b, ']')
	}
	if begun {
		b = append(b, ']')
	}
	return b
}
