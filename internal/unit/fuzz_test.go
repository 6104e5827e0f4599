// SPDX-License-Identifier: BSD-3-Clause

package unit

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// Whatever a reading contains, the times of a unit are exact, and memory is bounded.
func FuzzRead(f *testing.F) {
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz"))
	f.Add(make([]byte, 400))
	f.Fuzz(func(t *testing.T, b []byte) {
		next := func() int {
			if len(b) < 2 {
				b = nil
				return 0
			}
			x := int(binary.LittleEndian.Uint16(b))
			b = b[2:]
			return x
		}
		c, k := NewCollector(1<<16), NewKeeper(1<<16)
		now := clock.Instant(0)
		paths := []profile.Path{{Parent: -1, Zone: 0}, {Parent: 0, Zone: 2}, {Parent: 1, Zone: 1}, {Parent: 9, Zone: 0}, {Parent: 2, Zone: -1}, {Parent: 2, Zone: 0}, {Parent: 2, Zone: 77}}
		for len(b) > 0 {
			now += clock.Instant(next())
			r := profile.Timeline{At: now, Paths: paths[:1+next()%len(paths)], Zones: simulatedZones, Lost: uint64(next() % 3)}
			for i := range next() % 4 {
				r.Lanes = append(r.Lanes, profile.TimelineLane{LaneInfo: profile.LaneInfo{ID: 7 * i}, Lost: uint64(next() % 3), Parked: next()%2 == 0})
			}
			for range next() % 30 {
				n := next()
				r.Events = append(r.Events, profile.Event{Kind: profile.Kind(n % 9), Lane: n>>3%6 - 1, Path: n>>6%9 - 1, Depth: n >> 9 % 4, Open: n>>11%2 == 1, Task: uint64(n >> 12 % 3),
					Name: string(rune('a' + n>>12%12)), Start: now - clock.Instant(next()), Took: time.Duration(next() - 1000)})
			}
			check := func(u *profile.Unit) {
				exact(t, u)
				if len(u.Spans) > mostSpans || len(u.Notes) > mostNotes {
					t.Fatalf("%+v", u)
				}
			}
			c.Read(r, func(u *profile.Unit) {
				check(u)
				k.Add(u)
			})
			for _, u := range c.Open(10, 5) {
				check(&u)
			}
			if c.Bytes() > 1<<18 || k.Bytes() > 1<<17 {
				t.Fatalf("%d and %d bytes", c.Bytes(), k.Bytes())
			}
		}
	})
}
