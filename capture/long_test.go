// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/pressure"
	"github.com/strobe-go/strobe/profile"
)

// The line in the log and the page of units that took longer than a second, and than a minute.
func TestLongUnitsAreNamed(t *testing.T) {
	for took, want := range map[time.Duration]struct{ sentence, line, page string }{
		1520 * time.Millisecond:   {"screenshot took 1.52 s, 1.51 s more than usual: 1.5 s in a system call", "took_ms=1520", "<td data-title=\"This time\">1.5 s</td>"},
		83_400 * time.Millisecond: {"screenshot took 83.4 s, 83.4 s more than usual: 83.4 s in a system call", "took_ms=83400", "<td data-title=\"This time\">83.38 s</td>"},
	} {
		spent := took - 20*time.Millisecond
		r := Report{Schema: Schema, Root: "screenshot", Unit: "span", Took: took, Usual: 9 * time.Millisecond, Cause: Syscall, Spent: spent, Notes: []profile.Note{{Value: "save screenshot"}},
			Split: &profile.Split{Running: 20 * time.Millisecond, Waiting: spent}, Account: []Part{{Cause: Syscall, Took: spent}, {Cause: Own, Took: 20 * time.Millisecond}}}
		var log, page bytes.Buffer
		v := voice{log: slog.New(slog.NewTextHandler(&log, nil))}
		v.report(&r, "", time.Now())
		for _, text := range []string{want.sentence, want.line, "usual_ms=9 ", "save screenshot"} {
			if !strings.Contains(log.String(), text) {
				t.Errorf("no %q in %s", text, log.String())
			}
		}
		if err := Write(&page, r); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"<h1>" + want.sentence, want.page, "<p>It was 20 ms running, " + duration(spent) + " waiting.</p>", "save screenshot"} {
			if !strings.Contains(page.String(), text) {
				t.Errorf("no %q in the page of a unit that took %v", text, took)
			}
		}
	}
}

// The flight recorder begins with the latest second, and keeps more once a unit was longer.
func TestTheSecondUnitOfSomeSecondsIsExplained(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seven seconds; runs without -short")
	}
	const length = 2800 * time.Millisecond
	z, inner := strobe.NewRootZone("export"), strobe.NewZone("store")
	reports := make(chan Report, 100)
	c := Start(Options{Cost: -1, Log: slog.New(slog.DiscardHandler), On: func(r Report) { reports <- r }})
	defer c.Stop()
	if degrees := openSources(1<<20, 1<<16, blind{}); sources.recorder == nil {
		defer closeSources()
		t.Skip(degrees)
	}
	defer closeSources()
	for range 200 {
		s := z.Enter()
		time.Sleep(500 * time.Microsecond)
		s.Exit()
		time.Sleep(5 * time.Millisecond)
	}
	var store sync.Mutex
	stored := 0
	slow := func() Report {
		held := make(chan bool)
		go func() {
			store.Lock()
			held <- true
			time.Sleep(length)
			store.Unlock()
		}()
		<-held
		s := z.Enter()
		i := inner.Enter()
		store.Lock()
		stored++
		store.Unlock()
		i.Exit()
		s.Exit()
		for {
			select {
			case r := <-reports:
				if slices.ContainsFunc(r.Account, func(p Part) bool { return p.Zone == "store" && p.Took >= length/4 }) {
					return r
				}
			case <-time.After(20 * time.Second):
				t.Fatal("no report")
			}
		}
	}
	has := func(r Report, text string) bool {
		return slices.ContainsFunc(r.Degrees, func(d string) bool { return strings.Contains(d, text) })
	}
	if r := slow(); r.Cause != Lock && !(has(r, "is longer than what the flight recorder keeps") && has(r, "; from now on it keeps the latest ")) { // a busy machine may have had a long one before
		t.Errorf("%v\n%q", r, r.Degrees)
	}
	time.Sleep(300 * time.Millisecond) // which ordinary units before it would need
	if r := slow(); r.Cause != Lock || r.Zone != "store" || has(r, "is longer") {
		t.Errorf("%v\n%+v\n%q", r, r.Account, r.Degrees)
	}
}

func TestOlderReadingsAreThinnedOut(t *testing.T) {
	var all []reading
	for i := range 20 * 60 * 10 { // of ten minutes, twenty a second
		if len(all) == readingsKept {
			all = thinnedOut(all)
		}
		all = append(all, reading{at: clock.Instant(i) * clock.Instant(50*time.Millisecond)})
	}
	last := all[len(all)-1].at
	for i := 1; i < len(all); i++ {
		if gap, ago := all[i].at.Sub(all[i-1].at), last.Sub(all[i].at); gap <= 0 || gap > 50*time.Millisecond+ago/8 {
			t.Errorf("a gap of %v, %v ago", gap, ago)
		}
	}
	if first := last.Sub(all[0].at); len(all) > readingsKept || first < longestAge || first > 3*longestAge {
		t.Errorf("%d readings of %v", len(all), first)
	}
}

// A reading that waited for a timer knows when that was due; one for an explanation did not wait.
func TestAReadingKnowsWhenItWasDue(t *testing.T) {
	w := newWatch(Options{Cost: 1})
	defer w.release()
	w.pressure = pressure.Open(pressure.Options{})
	defer w.pressure.Close()
	w.due = 5
	w.read()
	w.read()
	if r := w.readings; len(r) != 2 || r[0].due != 5 || r[1].due != 0 || r[0].at <= 5 || r[1].at <= r[0].at || r[0].took <= 0 || w.quickest <= 0 || w.quickest > r[0].took && w.quickest > r[1].took {
		t.Errorf("%+v, %v", r, w.quickest)
	}
}

func TestSpansAreKeptAsLongAsTheRecorderKeepsEvents(t *testing.T) {
	const second = clock.Instant(time.Second)
	reading := func(at clock.Instant, events ...profile.Event) *profile.Timeline {
		return &profile.Timeline{At: at, Lanes: make([]profile.TimelineLane, 1), Events: events}
	}
	var s spans
	s.read(reading(10*second, profile.Event{Kind: profile.SpanEvent, Start: 4 * second, Took: time.Second}), time.Second)
	for _, c := range []struct {
		at   clock.Instant
		age  time.Duration
		kept int
	}{{11 * second, 10 * time.Second, 1}, {17 * second, 10 * time.Second, 1}, {17*second + second/2, time.Second, 0}} {
		if s.read(reading(c.at), c.age); len(s.ended) != c.kept {
			t.Errorf("at %v, with an age of %v: %d spans", c.at, c.age, len(s.ended))
		}
	}
}

func TestItIsSaidWhatTheRecorderKeepsFromNowOn(t *testing.T) {
	degrees := openSources(1<<20, 1<<16, blind{switches: true})
	defer closeSources()
	if sources.recorder == nil {
		t.Skip(degrees)
	}
	for _, c := range []struct {
		took time.Duration
		late time.Duration
		rate float64
		want string
	}{
		{10 * time.Second, 0, 1e6, "; there are too many events to keep more"},
		{60 * time.Millisecond, 2940 * time.Millisecond, 5e5, "; there are too many events to keep more"},
		{60 * time.Millisecond, 2940 * time.Millisecond, 1e5, "; from now on it keeps the latest 5.5 s"},
		{10 * time.Second, 0, 0, "; from now on it keeps the latest 16 s"},
		{5 * time.Second, 0, 1e6, "; from now on it keeps the latest 16 s"}, // as it does already
		{90 * time.Second, 0, 1e6, "; there are too many events to keep more"},
		{90 * time.Second, 0, 1e3, "; it keeps the latest minute at most"},
	} {
		if got := keepFor(c.took, c.took+c.late, c.rate); got != c.want {
			t.Errorf("a unit of %v, read %v later, %v bytes a second: %q, want %q", c.took, c.late, c.rate, got, c.want)
		}
	}
}
