// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"bytes"
	"runtime/trace"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/account"
	"github.com/strobe-go/strobe/internal/gotrace"
	"github.com/strobe-go/strobe/internal/pressure"
)

// What waits for a processor, as explaining does on a busy machine, spends no budget.
func TestTheBudgetIsProcessorTime(t *testing.T) {
	w := &watch{pressure: pressure.Open(pressure.Options{})}
	defer w.pressure.Close()
	const d = 100 * time.Millisecond
	spent := w.processorTime(func() { time.Sleep(d) })
	if _, known := w.pressure.ThreadTime(); known && spent > d/2 || !known && spent < d || spent < 0 {
		t.Errorf("sleeping for %v costs %v", d, spent)
	}
	if least := w.processorTime(func() { // until the clock has advanced, which may be in steps of a tick
		for began := time.Now(); time.Since(began) < d; {
		}
	}); least <= 0 {
		t.Errorf("computing for %v costs %v", d, least)
	}
}

// Of the time before a unit only as much is read as has the ordinary units to compare with, back to a reading of the counters.
func TestOnlyTheTimeThatIsNeededIsRead(t *testing.T) {
	at := func(d time.Duration) clock.Instant { return clock.Instant(10*time.Second + d) }
	w := &watch{}
	for i := range 100 {
		w.readings = append(w.readings, reading{at: at(time.Duration(i-80) * 50 * time.Millisecond)})
	}
	busy, quiet := new(root), new(root)
	for i := range window {
		busy.add(turn{from: at(time.Duration(i-window) * time.Millisecond), took: 200 * time.Microsecond})
		quiet.add(turn{from: at(time.Duration(i-window) * 100 * time.Millisecond), took: 200 * time.Microsecond})
	}
	busy.settle()
	quiet.settle()
	for _, tt := range []struct {
		name string
		root *root
		from time.Duration
		want time.Duration
	}{
		{"many units: the reading before the nearest time", busy, 0, -50 * time.Millisecond},
		{"the unit began long ago, before those that are kept", busy, -400 * time.Millisecond, -450 * time.Millisecond},
		{"few units", quiet, 0, -before},
	} {
		c := candidate{root: tt.root, turn: turn{from: at(tt.from), took: 30 * time.Millisecond}}
		if got := w.reachOf(&c, at(time.Second)).from; got != at(tt.want) {
			t.Errorf("%s: %v before the unit, want %v", tt.name, c.turn.from.Sub(got), c.turn.from.Sub(at(tt.want)))
		}
	}
	// Long after a unit, only a short time after it is read, unless units to compare with came later.
	late, long := new(root), at(3*time.Second)
	for i := range window {
		late.add(turn{from: at(time.Duration(200+i) * time.Millisecond), took: 200 * time.Microsecond})
	}
	late.settle()
	for _, tt := range []struct {
		name string
		root *root
		want time.Duration
	}{
		{"units before it are compared with", busy, 130 * time.Millisecond},
		{"units after it are compared with", late, 3 * time.Second},
		{"none is known", new(root), 130 * time.Millisecond},
	} {
		c := candidate{root: tt.root, turn: turn{from: at(0), took: 30 * time.Millisecond}}
		if got := w.reachOf(&c, long).to; got != at(tt.want) {
			t.Errorf("%s: until %v after the unit began, want %v", tt.name, got.Sub(c.turn.from), tt.want)
		}
	}
	// Of units that are explained long after they ended, the root has forgotten those before them.
	w.slow, w.options = nil, silent().withDefaults()
	w.wait(candidate{root: busy, turn: turn{from: at(0), took: 30 * time.Millisecond}}, nil)
	for i := range window {
		busy.add(turn{from: at(time.Duration(1000+i) * time.Millisecond), took: 200 * time.Microsecond})
	}
	if c := w.slow[0]; w.reachOf(&c, long).to != at(130*time.Millisecond) || w.reachOf(&c, long).from != at(-50*time.Millisecond) {
		t.Errorf("of a busy program, %v are read for a unit of 30 ms that ended long ago", w.reachOf(&c, long))
	}
	if c := w.slow[0]; len(c.ordinary(at(-before), at(0))) != mostUsual || len(c.longer(at(-before), at(0), &w.options)) != 0 || len(c.ordinary(at(-5*time.Millisecond), at(0))) != 5 {
		t.Errorf("the slow unit is compared with %v and %v", c.near, c.nearLong)
	}
	if c := (candidate{root: busy, turn: turn{from: at(0), took: 2 * time.Second}}); w.reachOf(&c, long).to != long {
		t.Error("the counters have not been read since the unit ended, and yet what came after it is left out")
	}
	w.readings = nil
	if c := (candidate{root: busy, turn: turn{from: at(0)}}); w.reachOf(&c, at(time.Second)).from != at(-before) {
		t.Error("without readings, less is read than there may be")
	}
}

// What the root has forgotten is compared with all the same.
func TestAUnitIsComparedWithThoseNearIt(t *testing.T) {
	s := &scene{watch: &watch{}, now: clock.Instant(20 * time.Second), window: account.NewWindow(account.Sources{})}
	c := candidate{root: new(root), turn: turn{from: clock.Instant(10 * time.Second), took: 30 * time.Millisecond}}
	for i := range mostUsual {
		c.near = append(c.near, turn{goroutine: 1, from: c.turn.from - clock.Instant(i+1)*1e6, took: 200 * time.Microsecond})
	}
	if s.compare(&c); len(c.root.usual) != mostUsual {
		t.Errorf("%d units are compared with", len(c.root.usual))
	}
}

// Of a dense trace no more is read than is affordable, but always the unit and what was just before it.
func TestOfADenseTraceLessIsRead(t *testing.T) {
	const now, rate, asked = account.Time(1e9), 1e7, 1 << 20
	much := account.Time(asked * 100) // in ns
	for _, c := range []struct {
		name        string
		from, least account.Time // before to
		want        account.Time
	}{
		{"all of it is affordable", much / 2, 10, much / 2},
		{"a part of it is", 10 * much, 10, much},
		{"the unit has more", 10 * much, 3 * much, 3 * much},
	} {
		if got := now - affordable(rate, reach[account.Time]{now - c.from, now - c.least, now, asked}); got != c.want {
			t.Errorf("%s: %d ns before the end, want %d", c.name, got, c.want)
		}
	}
	if got := affordable(0, reach[account.Time]{7, 8, 9, asked}); got != 7 {
		t.Errorf("of a trace of unknown size from %d on", got)
	}
}

// The size of a trace tells how much there is in a second, unless it has just begun.
func TestTheRateOfATrace(t *testing.T) {
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skip("something else traces: ", err)
	}
	trace.Stop()
	begin, err := gotrace.Begin(b.Bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for took, want := range map[time.Duration]float64{4 * time.Second: float64(b.Len()) / 4, time.Second / 4: 0, -1: 0} {
		if got := rateOf(b.Bytes(), moment{trace: begin + account.Time(took)}); got != want {
			t.Errorf("after %v there are %v bytes in a second, want %v", took, got, want)
		}
	}
	dense := append(b.Bytes(), make([]byte, muchTrace)...) // so many events that they were recorded in a short time
	if got, want := rateOf(dense, moment{trace: begin + account.Time(time.Second/10)}), 10*float64(len(dense)); got < 0.99*want || got > 1.01*want {
		t.Errorf("of a dense trace there are %v bytes in a second, want %v", got, want)
	}
	if got := rateOf(dense, moment{trace: begin}); got != 0 {
		t.Errorf("of no time there are %v bytes in a second", got)
	}
	if got := rateOf(nil, moment{trace: begin}); got != 0 {
		t.Errorf("what is no trace has %v bytes in a second", got)
	}
}

// Where there are many events, short stretches are looked at. They do not become longer when there are few: that time would count more.
func TestStretchesAreAsShortAsTheTraceIsDense(t *testing.T) {
	s := newSurvey(0.01, time.Unix(1000, 0))
	for _, step := range []struct {
		rate float64
		want time.Duration
	}{{1 << 10, stretch}, {surveyed, stretch}, {4 * surveyed, stretch / 2}, {1 << 10, stretch / 2}, {1e12, leastStretch}, {1 << 10, leastStretch}} {
		if s.measured(step.rate); s.length != step.want {
			t.Errorf("with %v bytes a second, stretches of %v, want %v", step.rate, s.length, step.want)
		}
	}
}
