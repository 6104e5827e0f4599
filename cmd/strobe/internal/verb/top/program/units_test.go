// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/profile"
)

// counted is a message after calls of two root zones, in cells of about a millisecond.
func counted(at time.Duration, calls ...uint64) feed.Message {
	s := profile.Snapshot{NsPerTick: 1, Zones: []profile.ZoneInfo{{Root: true}, {}, {Root: true}}, Lanes: []profile.LaneStats{{}}}
	s.At = s.At.Add(at)
	for i, n := range calls {
		s.Lanes[0].Zones = append(s.Lanes[0].Zones, profile.ZoneStats{Zone: 2 * i, Calls: n, Timed: n, Min: 1000000, Max: 1040000,
			Histogram: profile.Histogram{First: 271, Counts: []uint64{n}, NsPerTick: 1}})
	}
	return feed.Message{Figures: &feed.Figures{Snapshot: s}}
}

func serving() *Program {
	p := new(Program)
	m := hello("r", "")
	m.Hello.Zones, m.Hello.Slice = []feed.Zone{{Name: "slow", Root: true}, {Name: "plain"}, {Name: "fast", Root: true}}, 1e8
	p.Add(m)
	return p
}

func TestUnitsAreThoseOfTheLastSeconds(t *testing.T) {
	p := serving()
	if p.Looped() || !p.Rooted() || p.Counted() {
		t.Errorf("loops %v, root zones %v, counted %v", p.Looped(), p.Rooted(), p.Counted())
	}
	p.Add(counted(time.Second, 10, 1000))
	if all, over, err := p.Units(); all != nil || over != 0 || err != nil || p.Counted() {
		t.Errorf("units of one message: %+v over %v, %v", all, over, err)
	}
	p.Add(counted(3*time.Second, 20, 3000))
	all, over, err := p.Units()
	if len(all) != 2 || over != 2*time.Second || err != nil || !p.Counted() || all[0].Name != "fast" || all[0].Rate != 1000 || all[1].Rate != 5 ||
		math.Abs(all[0].P50.Center-1e6) > 5e4 || !all[0].P99.Bounded() || all[0].P999.Known() || all[1].P99.Reason != "needs 368 calls, has 10" {
		t.Errorf("%+v over %v, %v", all, over, err)
	}
	clone := p.Clone()
	for i := range 30 {
		p.Add(counted(time.Duration(4+i)*time.Second, 20, 3000))
	}
	if all, over, _ := p.Units(); over != 10*time.Second || all[0].Calls != 0 {
		t.Errorf("after a pause: %+v over %v", all, over)
	}
	if _, over, _ := clone.Units(); over != 2*time.Second {
		t.Errorf("the copy covers %v", over)
	}
	for i := range 1000 {
		p.Add(counted(time.Minute+time.Duration(i), 20, 3000))
	}
	if len(p.units) > keptUnits {
		t.Errorf("%d are kept", len(p.units))
	}
}

func TestUnitsBeginAnewAfterAReset(t *testing.T) {
	for name, m := range map[string]feed.Message{"fewer calls": counted(4*time.Second, 5, 4000), "an earlier time": counted(time.Second, 30, 4000)} {
		p := serving()
		p.Add(counted(time.Second, 10, 1000))
		p.Add(counted(3*time.Second, 20, 3000))
		p.Add(m)
		if all, _, _ := p.Units(); all != nil {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

func TestWhyUnitsAreNotKnownIsKept(t *testing.T) {
	p := serving()
	p.Add(feed.Message{Figures: &feed.Figures{Err: errors.New("refused")}})
	if _, _, err := p.Units(); err == nil || !p.Counted() {
		t.Errorf("%v, %v", err, p.Counted())
	}
	p.Add(counted(time.Second, 10, 1000))
	if _, _, err := p.Units(); err != nil || p.Counted() {
		t.Errorf("%v, %v", err, p.Counted())
	}
}

func TestTheSlowestUnitIsThatOfTheLatestMinuteThatIsStillKept(t *testing.T) {
	p := serving()
	root := 2
	lane := int64(-2)
	h := p.Hello
	h.Root, h.Lane, h.Slice = &root, &lane, 0
	p.Add(feed.Message{Hello: &h})
	if p.Looped() || p.Root() != "fast" {
		t.Errorf("loops %v, root zone %q", p.Looped(), p.Root())
	}
	if _, ok := p.SlowestUnit(); ok {
		t.Error("a unit of nothing")
	}
	unit := func(number, start, took int64, slow, sampled bool) feed.Unit {
		return feed.Unit{Frame: feed.Frame{Number: number, Start: start, Took: took, Parts: []int64{0, 1, took, 1, 1, took - 2}}, Slow: slow, Sampled: sampled}
	}
	p.Add(feed.Message{Frames: &feed.Frames{At: 50e9, Reset: true, Paths: []feed.Path{{Number: 0, Lane: -2, Parent: -1, Zone: 2}, {Number: 1, Lane: -2, Parent: 0, Zone: 1}},
		Units: []feed.Unit{unit(1, 10e9, 500, true, false), unit(2, 45e9, 100, true, true), unit(3, 46e9, 10, false, true), unit(4, 47e9, 90, true, false)}}})
	slowest := func() int64 { u, _ := p.SlowestUnit(); return u.Number }
	if slowest() != 1 {
		t.Errorf("the slowest is %d", slowest())
	}
	p.Add(feed.Message{Frames: &feed.Frames{At: 75e9}})
	u, _ := p.SlowestUnit()
	if c, ok := p.Cause(u.Frame); u.Number != 2 || u.Parts != nil || !ok || c.Zone != "plain" || c.More != 45 {
		t.Errorf("%+v: %+v, %v", u, c, ok)
	}
	clone := p.Clone()
	p.Add(feed.Message{Frames: &feed.Frames{At: 76e9, Gone: []int64{2}}})
	if slowest() != 4 {
		t.Errorf("the slowest that is left is %d", slowest())
	}
	if u, _ := clone.SlowestUnit(); u.Number != 2 {
		t.Errorf("the copy has %d", u.Number)
	}
	p.Add(feed.Message{Frames: &feed.Frames{At: 77e9, Reset: true}})
	if _, ok := p.SlowestUnit(); ok {
		t.Error("a unit after all were taken back")
	}
	for i := range int64(3000) {
		p.Add(feed.Message{Frames: &feed.Frames{At: 78e9, Units: []feed.Unit{unit(i, 78e9, 5, true, true)}}})
	}
	if len(p.slow) > keptSlow || len(p.why.frames) > keptSlow {
		t.Errorf("%d units are kept, %d with their zones", len(p.slow), len(p.why.frames))
	}
}

func TestUnitsThatHangAreThoseOfTheLatestState(t *testing.T) {
	p := serving()
	if _, n := p.Hanging(); n != 0 {
		t.Errorf("%d hang", n)
	}
	m := state(9e9)
	m.State.Open = []feed.Unit{{Frame: feed.Frame{Took: 2e9}}, {Frame: feed.Frame{Took: 3e9}}, {Frame: feed.Frame{Took: 1e9}}}
	p.Add(m)
	if u, n := p.Hanging(); n != 3 || u.Took != 3e9 {
		t.Errorf("%d hang, one for %d", n, u.Took)
	}
	p.Add(state(10e9))
	if _, n := p.Hanging(); n != 0 {
		t.Errorf("%d hang", n)
	}
}

// A short delay by another program must not hide, for a minute, what a long one was about.
func TestTheReportOnTheSlowestUnitOfAMinuteIsShown(t *testing.T) {
	p := serving()
	if _, ok := p.Report(); ok {
		t.Error("a report of nothing")
	}
	add := func(at int64, all ...feed.Report) {
		p.Add(feed.Message{Frames: &feed.Frames{At: at, Reports: all}})
	}
	want := func(text string) {
		t.Helper()
		if r, ok := p.Report(); r.Text != text || ok != (text != "") {
			t.Errorf("%+v, %v, want %q", r, ok, text)
		}
	}
	add(20e9, feed.Report{Number: 6, Text: "six", Start: 9e9, Took: 1e9}, feed.Report{Number: 7, Text: "seven", Start: 10e9, Took: 5e9})
	want("seven")
	add(30e9, feed.Report{Number: 8, Text: "eight", Start: 29e9, Took: 1e9}, feed.Report{Number: 9, Text: "nine", Start: 28e9, Took: 2e9})
	want("seven")
	if len(p.reports) != 2 { // six and eight ended no later than a slower one
		t.Errorf("%d reports are kept, of which 2 may be shown", len(p.reports))
	}
	add(76e9)
	want("nine")
	add(89.5e9)
	want("nine")
	add(91e9)
	want("")
	for n := range uint64(10 * keptReports) {
		add(100e9, feed.Report{Number: 10 + n, Text: "many", Start: 100e9 + int64(n), Took: 1e9 - 2*int64(n)})
	}
	if len(p.reports) > keptReports {
		t.Errorf("%d reports are kept", len(p.reports))
	}
}
