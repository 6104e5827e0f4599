// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument"
	"github.com/strobe-go/strobe/internal/tether"
	"github.com/strobe-go/strobe/profile"
)

// interpreter is a program in which 1 calls 2, which calls 3 and 6, which call 1 again. 4 and 5 are called by these, and call nothing. 0 calls
// 1 from the outside, and 7 is called by it alone.
func interpreter(every ...int) *simulated {
	const ns = time.Nanosecond
	s := simulate(every...)
	var evaluate func(n int)
	clean := func(n int) {
		s.call(3, func() {
			s.work(50 * ns)
			s.call(5, func() { s.work(90 * ns) })
			evaluate(n)
		})
	}
	evaluate = func(n int) {
		s.call(1, func() {
			s.work(40 * ns)
			s.call(2, func() {
				s.work(150 * ns)
				for range 2 {
					s.call(4, func() { s.work(60 * ns) })
				}
				if n > 0 {
					s.call(6, func() {
						s.work(30 * ns)
						if s.random.IntN(3) == 0 {
							clean(n - 1)
						}
					})
					clean(n - 1)
				}
				if n > 1 {
					clean(n - 2)
				}
			})
		})
	}
	s.call(0, func() {
		for range 20 {
			s.work(1000 * ns)
			s.call(7, func() { s.work(10_000 * ns) })
			evaluate(11)
		}
	})
	return s
}

// Of functions that call each other, a few timed calls tell nothing: 0 once had all of the time, in which it did nothing.
func TestOfFunctionsThatCallEachOtherTheSelfTimeIsKnownTogether(t *testing.T) {
	for name, c := range map[string]struct {
		every  []int
		mutual []int
	}{
		"all but the first are sampled": {[]int{1, 64, 64, 64, 64, 64, 64, 1}, []int{0, 1, 2, 3, 6}},
		"some rarely":                   {[]int{1, 256, 256, 16, 256, 16, 16, 1}, []int{0, 1, 2, 3, 6}},
		"one of them":                   {[]int{1, 1, 64, 1, 64, 1, 1, 1}, []int{1, 2}},
		"those that they call":          {[]int{1, 1, 1, 1, 64, 64, 1, 1}, nil},
		"none":                          {[]int{1, 1, 1, 1, 1, 1, 1, 1}, nil},
	} {
		s := interpreter(c.every...)
		before := s.lane()
		zones, m := settled(before)
		together := time.Duration(0)
		for _, z := range c.mutual {
			together += s.true[z]
			if !m.zones[z] || !zones[z].SelfUnknown || zones[z].Self != 0 {
				t.Errorf("%s: zone %d: %+v", name, z, zones[z])
			}
		}
		if len(m.zones) != len(c.mutual) {
			t.Errorf("%s: %v call each other", name, m.zones)
		}
		sum := m.self
		for i, z := range zones {
			sum += z.Self
			if off := math.Abs(float64(z.Self-s.true[i])) / float64(s.now); !m.zones[i] && (off > 0.06 || z.SelfUnknown) {
				t.Errorf("%s: zone %d has %v, it took %v of %v", name, i, z.Self, s.true[i], s.now)
			}
		}
		if off := math.Abs(float64(m.self-together)) / float64(s.now); off > 0.06 {
			t.Errorf("%s: they have %v together, they took %v of %v", name, m.self, together, s.now)
		}
		if math.Abs(float64(sum-s.now)) > 0.02*float64(s.now) {
			t.Errorf("%s: %v passed, and the self times are %v", name, s.now, sum)
		}
	}
}

// A call tree has a node for the paths for which there was no room. Who called what is below it is not known.
func TestCallsOnPathsWithoutRoomAreNotTakenFromWhatIsKnown(t *testing.T) {
	s := interpreter(1, 64, 64, 64, 64, 64, 64, 1)
	l := s.lane()
	want, _ := settled(l)
	rest := len(l.Nodes)
	l.Nodes = append(l.Nodes, profile.Node{Parent: 0, Zone: -1}, profile.Node{Parent: rest, Zone: 4, Calls: 50, Total: time.Millisecond, Self: time.Millisecond})
	z := &l.Zones[4]
	z.Total, z.Self, z.Calls, z.Timed = z.Total+64*time.Millisecond, z.Self+64*time.Millisecond, z.Calls+3200, z.Timed+50
	if got, _ := settled(l); got[4].Self < want[4].Self+50*time.Millisecond {
		t.Errorf("%v, and without these calls %v", got[4].Self, want[4].Self)
	}
}

func TestTheReportHasFunctionsThatCallEachOtherTogether(t *testing.T) {
	s := interpreter(1, 64, 64, 64, 64, 64, 64, 1)
	other := simulate(1, 1, 1, 1, 1, 1, 1, 1)
	other.call(0, func() { other.work(time.Second); other.call(7, func() { other.work(time.Second) }) })
	var r tether.Reading
	for _, name := range []string{"main", "evaluate", "raw", "clean", "look", "new", "thunk", "step"} {
		r.Snapshot.Zones = append(r.Snapshot.Zones, profile.ZoneInfo{Name: name, Every: 1})
	}
	one, two := s.lane(), other.lane()
	one.Name, two.Name, two.ID = "g1", "g2", 1
	r.Snapshot.Lanes, r.Last = []profile.LaneStats{one, two}, true
	x := newReport(".", ending{}, r, time.Now(), true)
	if want := other.true[0] + x.lanes[1].mutual.self; len(x.mutual.zones) != 5 || x.mutual.self < want || len(x.lanes[0].mutual.zones) != 0 {
		t.Errorf("%+v of both goroutines, want at least %v", x.mutual, want) // main is one of them, and did something else on the other one
	}
	sum := x.mutual.share
	for _, f := range x.functions {
		sum += f.share
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the shares are %v", sum)
	}
	text := strings.Join(strings.Fields(textOf(x, 24)), " ")
	for _, want := range []string{"5 functions that call each other", " raw unknown ", " look ", "g1 5 functions that call each other",
		"5 functions that call each other, with those that call them, have a self time of ", "8 of 8 functions that were called, with 100.0 % of their self time"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, textOf(x, 24))
		}
	}
	if strings.Contains(text, "the next run") {
		t.Error("it says that the next run is different")
	}
	x.tooCostly = []instrument.Costly{{Name: "raw"}}
	if text := strings.Join(strings.Fields(textOf(x, 24)), " "); !strings.Contains(text, "since some are sampled; the next run tells more") {
		t.Error(text)
	}
	o := x.object(&instrument.Plan{}, 24)
	if o.Mutual == nil || o.Mutual.Functions != 5 || o.Mutual.Self != int64(x.mutual.self) || o.Lanes[0].Mutual != nil || o.Lanes[1].Mutual == nil || len(o.Functions) != 8 ||
		len(o.Lanes[1].Functions) != 3 || o.Lanes[1].Functions[0].Mutual || len(x.object(&instrument.Plan{}, -1).Lanes[1].Functions) != 8 {
		t.Errorf("%+v", o)
	}
	for _, f := range o.Functions {
		if known := f.Name == "look" || f.Name == "new" || f.Name == "step"; f.Mutual == known || (f.Self != nil) != known || (f.Share != nil) != known {
			t.Errorf("%+v", f)
		}
	}
}

// Of many that call each other, those with the most calls are shown, so that there is room for what is known.
func TestOfManyThatCallEachOtherSomeAreShown(t *testing.T) {
	x := newReport(".", ending{}, measured(100, 1), time.Now(), true)
	x.mutual = mutual{zones: map[int]bool{}, self: time.Hour}
	for i := range x.functions {
		if f := &x.functions[i]; f.stats.Zone < 50 {
			f.mutual, f.stats.SelfUnknown, f.stats.Self, f.stats.Calls = true, true, 0, uint64(f.stats.Zone)
			x.mutual.zones[f.stats.Zone] = true
		}
	}
	divide(x.functions, &x.mutual)
	text := strings.Join(strings.Fields(textOf(x, 20)), " ")
	for want, there := range map[string]bool{"f49 unknown": true, "f42 unknown": true, "f41 unknown": false, "f99 ": true, "f88 ": true, "20 of 100 functions": true, "50 functions that call each other 3600 s": true} {
		if strings.Contains(text, want) != there {
			t.Errorf("%q: %v\n%s", want, !there, textOf(x, 20))
		}
	}
	if all := textOf(x, -1); !strings.Contains(all, "f0 ") {
		t.Error("not all are shown")
	}
}
