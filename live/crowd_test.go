// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/profile"
)

// parks makes readings leave out lanes on which nothing begins or ends, after one reading that says so, like a TimelineReader. It
// returns how often a lane is left out.
func (w *world) parks(r *rand.Rand, readings []profile.Timeline) (out int) {
	parked := map[int]bool{}
	before := clock.Instant(-1)
	for i := range readings {
		t := &readings[i]
		moves := map[int]bool{}
		for _, s := range w.spans {
			if s.from > before && s.from <= t.At || s.to > before && s.to <= t.At {
				moves[10+s.lane] = true
			}
		}
		before = t.At
		var lanes []profile.TimelineLane
		var events []profile.Event
		for j, l := range t.Lanes {
			open := slices.ContainsFunc(t.Events, func(e profile.Event) bool { return e.Lane == j && e.Open })
			if parked[l.ID] && !moves[l.ID] {
				out++
				continue
			}
			parked[l.ID] = open && r.IntN(3) > 0
			l.Parked = parked[l.ID]
			for _, e := range t.Events {
				if e.Lane == j {
					e.Lane = len(lanes)
					events = append(events, e)
				}
			}
			lanes = append(lanes, l)
		}
		for _, e := range t.Events {
			if e.Lane < 0 {
				events = append(events, e)
			}
		}
		t.Lanes, t.Events = lanes, events
	}
	return out
}

func TestLanesThatReadingsLeaveOutWhileTheyAreParkedCountInFull(t *testing.T) {
	race.Sequential(t)
	out, crowds := 0, 0
	seeds := uint64(60)
	if testing.Short() {
		seeds = 15
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 3))
		length := us * clock.Instant(1000+r.Int64N(20_000))
		w := randomWorld(r, 40, length)
		var readings []profile.Timeline
		before := clock.Instant(-1)
		for at := clock.Instant(0); at < length+10*us; at += random(r, length/50) + us {
			readings = append(readings, w.reading(before, at, func(int) clock.Instant { return 0 }))
			before = at
		}
		out += w.parks(r, readings)
		m := newModel(1 << 30)
		if seed%2 > 0 { // all lanes are added up
			for i := range mostLanes {
				m.early[-2-i] = true
			}
		}
		for i, x := range readings {
			if m.read(x); i%5 == 4 {
				m.tellApart(10 + r.IntN(w.lanes)) // this takes the lane out of the crowd
			}
			crowds = max(crowds, m.tracks.crowd.size)
		}
		added := func(all map[sum]figures) map[sum]figures { // summed over lanes
			sums := make(map[sum]figures)
			for k, f := range all {
				k.lane = 0
				s := sums[k]
				sums[k] = figures{s.calls + f.calls, s.total + f.total}
			}
			return sums
		}
		got := m.framesOf(t, readings[0].Paths, m.tracks.done)
		if compare(t, added(got), added(w.oracle(m.tracks.done))); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if out < 1000 || crowds < 5 {
		t.Errorf("lanes were left out %d times, crowds have up to %d lanes", out, crowds)
	}
}

// Cutting a frame does not take longer if the crowd has more lanes.
func TestOnlyTheNumberOfLanesOfACrowdCosts(t *testing.T) {
	m := newModel(1 << 20)
	const lanes = 3000
	read := func(s *script, parked bool) {
		for i := range s.t.Lanes {
			s.t.Lanes[i].Parked = parked
		}
		m.play(s)
	}
	first := at(ms).frame("l", ms)
	for id := range lanes {
		first.open(id, 0)
	}
	read(first, true)
	for i := clock.Instant(2); i < 6; i++ {
		read(at(i*ms).frame("l", i*ms), false)
	}
	if n := len(m.tracks.order); n > mostLanes+2*mostStill || m.tracks.crowd.size != lanes-n {
		t.Errorf("%d lanes are treated singly, %d are a crowd", n, m.tracks.crowd.size)
	}
	check := func(want clock.Instant, moved int) {
		t.Helper()
		k := m.find("l").latest
		last := k[len(k)-1]
		var f []int64
		if err := json.Unmarshal(last.text, &f); err != nil {
			t.Fatal(err)
		}
		sum := int64(0)
		for f = f[3:]; len(f) > 0; f = f[3:] {
			sum += f[2]
		}
		if c, _ := parseContents(last.spans, last.end-clock.Instant(last.took)); sum != int64(want) || c.still+len(c.spans) != lanes-moved {
			t.Errorf("%d ns, want %d; of %d lanes %d have spans, %d are counted", sum, want, lanes, len(c.spans), c.still)
		}
	}
	check(lanes*ms, 0)
	read(at(6*ms).span(lanes-1, 0, 5*ms+ms/2).frame("l", 6*ms), false)
	for i := clock.Instant(7); i < 9; i++ {
		read(at(i*ms).frame("l", i*ms), false)
	}
	if m.tracks.late > 0 || m.tracks.crowd.on[0] != m.tracks.crowd.size {
		t.Errorf("%d spans are late, %d of %d are on the path", m.tracks.late, m.tracks.crowd.on[0], m.tracks.crowd.size)
	}
	check((lanes-1)*ms, 1)
	m.tellApart(lanes - 2) // somebody looks at this lane
	for i := clock.Instant(9); i < 12; i++ {
		read(at(i*ms).frame("l", i*ms), false)
	}
	check((lanes-1)*ms, 1)
	if m.paths.lanes[lanes-2] == nil {
		t.Error("a lane of the crowd that somebody looks at has no paths of its own")
	}
}
