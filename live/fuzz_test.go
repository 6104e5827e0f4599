// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

func FuzzCommand(f *testing.F) {
	for _, s := range []string{`{"zone":3,"every":64}`, `{"enabled":false}`, `{"record_bytes":1048576}`, `{"reset":true}`, `{"zone":1}`, `{}{}`, `null`,
		`{"zone":1e99,"every":1}`, `{"reset":false}`, "{\"\n\":1}", `{"Zone":1,"EVERY":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := parseCommand(text)
		if err != nil {
			if l := line(err.Error()); l == "" || strings.ContainsAny(l, "\r\n") {
				t.Errorf("%q", l)
			}
			return
		}
		n := 0
		for _, given := range []bool{c.Zone != nil && c.Every != nil && *c.Every >= -1, c.Enabled != nil, c.Record != nil && *c.Record >= 0, c.Reset != nil && *c.Reset} {
			if given {
				n++
			}
		}
		again, err := json.Marshal(c)
		if n != 1 || err != nil || !json.Valid(text) {
			t.Errorf("%q is %s, %v", text, again, err)
		}
	})
}

// Whatever a reading contains, frames follow each other, contain no more time than passed, and are valid JSON.
func FuzzFrames(f *testing.F) {
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
		paths := []profile.Path{{Parent: -1, Zone: 0}, {Parent: 0, Zone: 1}, {Parent: 5, Zone: 2}, {Parent: 2, Zone: -1}}
		m := newModel(4000)
		now := clock.Instant(0)
		spans, c, sent := 0, cursor{}, cursor{}
		total := map[*kept]bool{}
		for len(b) > 0 {
			now += clock.Instant(next())
			r := profile.Timeline{At: now, Paths: paths, Zones: []profile.ZoneInfo{{Name: "z", Root: true}}, Lost: uint64(next() % 3)}
			for i := range next() % 4 {
				r.Lanes = append(r.Lanes, profile.TimelineLane{LaneInfo: profile.LaneInfo{ID: 7 * i, Name: "\xff\n\""}, Lost: uint64(next() % 3)})
			}
			for range next() % 20 {
				k := next()
				e := profile.Event{Kind: profile.Kind(k % 9), Task: uint64(k >> 12 % 3), Text: "\xff\n\"", Lane: k>>3%6 - 1, Path: k>>6%6 - 1, Depth: k >> 9 % 4, Open: k>>11%2 == 1,
					Name: string(rune('a' + k>>12%12)), Value: float64(k), Start: now - clock.Instant(next()), Took: time.Duration(next() - 1000)}
				if e.Kind == profile.SpanEvent {
					spans++
				}
				r.Events = append(r.Events, e)
			}
			m.read(r)
			for _, l := range m.loops {
				if l.bytes > m.limit && len(l.latest) > 1 {
					t.Fatalf("%d bytes", l.bytes)
				}
				for i, k := range l.latest {
					if total[k] {
						continue
					}
					total[k] = true
					var f []int64
					if err := json.Unmarshal(k.text, &f); err != nil || len(f)%3 != 0 || f[2] < 0 {
						t.Fatalf("%s: %v", k.text, err)
					}
					if i > 0 && k.number <= l.latest[i-1].number {
						t.Fatalf("number %d after %d", k.number, l.latest[i-1].number)
					}
					if k.spans != nil {
						for _, s := range contentsOf(t, k).spans {
							if s.path < 0 || int(s.path) >= len(m.paths.all) || s.end < s.start || s.start > k.end || s.end < k.end-clock.Instant(k.took) {
								t.Fatalf("%s: %+v is not in the frame", k.text, s)
							}
						}
					}
					for x := f[3:]; len(x) > 0; x = x[3:] {
						if x[0] < 0 || x[0] >= int64(len(m.paths.all)) || x[1] < 0 || x[1] > int64(spans) || x[2] < 0 || x[2] > f[2]*int64(spans) || x[1]+x[2] == 0 {
							t.Fatalf("%s: path %d of %d spans", k.text, x[0], spans)
						}
					}
				}
			}
			for _, root := range m.units.keeper.Roots() {
				units, _ := m.appendUnits(nil, &sent, root, 10, 1000)
				if text := m.appendFrames(nil, &sent, nil, units, nil, false); !json.Valid(text) || strings.ContainsAny(string(text), "\r\n") {
					t.Fatalf("%q", text)
				}
				for _, k := range root.After(0) {
					for i, path := range m.unitPaths(&k.Unit) {
						if n := m.paths.all[path]; n.zone != int32(k.Unit.Tree[i].Zone) || n.lane != ownLane && n.lane != linkedLane {
							t.Fatalf("node %d of %+v is path %+v", i, k.Unit.Tree, n)
						}
					}
					for _, l := range m.unitLanes(&k.Unit) {
						if !json.Valid(l.Spans) {
							t.Fatalf("%q", l.Spans)
						}
					}
				}
			}
			if text := m.appendFrames(nil, &c, m.loops[0].from(c.number, 10), nil, nil, false); !json.Valid(text) || strings.ContainsAny(string(text), "\r\n") {
				t.Fatalf("%q", text)
			}
		}
	})
}
