// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package capture

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/account"
	"github.com/strobe-go/strobe/internal/switches"
	"github.com/strobe-go/strobe/profile"
)

// descriptors returns how many file descriptors are open; -1 if the system does not tell.
func descriptors() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return -1
	}
	return len(entries)
}

func silent() Options { return Options{Log: slog.New(slog.DiscardHandler)} }

// patient is how long a test waits for a Capturer, which pauses for noTrace if the flight recorder had nothing.
const patient = 2 * time.Minute

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for late := time.Now().Add(patient); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatal(what)
		}
	}
}

func TestStartAndStopLeaveNothing(t *testing.T) {
	Start(silent()).Stop() // what is opened once
	before, files := runtime.NumGoroutine(), descriptors()
	for range 3 {
		a := Start(silent())
		b := Start(silent())
		a.Stop()
		a.Stop()
		c := Start(silent())
		var all sync.WaitGroup
		for range 4 {
			all.Add(1)
			go func() { defer all.Done(); c.Stop(); b.Stop() }()
		}
		all.Wait()
	}
	new(Capturer).Stop()
	eventually(t, "goroutines or descriptors are left", func() bool { return runtime.NumGoroutine() <= before && descriptors() <= files })
	if strobe.Recording() != 0 {
		t.Error("the recording goes on")
	}
	sources.Lock()
	defer sources.Unlock()
	if sources.users != 0 || sources.recorder != nil || sources.switches != nil {
		t.Errorf("%+v", sources.users)
	}
}

func TestRegionsAreOffMeanwhile(t *testing.T) {
	defer strobe.SetTraceRegions(true)
	for _, before := range []bool{true, false} {
		strobe.SetTraceRegions(before)
		openSources(1<<20, 1<<16, blind{})
		if strobe.SetTraceRegions(false) {
			t.Error("regions are on")
		}
		closeSources()
		if strobe.SetTraceRegions(before) != before {
			t.Errorf("were %v and are not restored", before)
		}
	}
}

func TestMissingSourcesAreNamed(t *testing.T) {
	var log bytes.Buffer
	o := Options{Log: slog.New(slog.NewTextHandler(&log, nil)), without: blind{recorder: true, switches: true}, Cost: -1}
	z := strobe.NewRootZone("unexplained")
	reports := make(chan Report, 10)
	o.On = func(r Report) { reports <- r }
	o.Roots = []*strobe.Zone{z}
	o.Budget = time.Millisecond
	c := Start(o)
	z.Do(func() { time.Sleep(20 * time.Millisecond) })
	r := <-reports
	c.Stop()
	if taken := c.Overhead(); taken.Reading <= 0 || taken.Explaining <= 0 || taken != c.Overhead() {
		t.Errorf("it has taken %v after a report, and took %v until then", taken, r.Overhead)
	}
	if taken := new(Capturer).Overhead(); taken != (Overhead{}) {
		t.Errorf("what was not started has taken %v", taken)
	}
	if r.Cause != Unclear || len(r.Degrees) < 2 || !strings.Contains(r.Degrees[0], "flight recorder is missing") || !strings.Contains(r.Degrees[1], "switches are missing") {
		t.Errorf("%v %q", r.Cause, r.Degrees)
	}
	if text := log.String(); !strings.Contains(text, "capture works with fewer sources") || !strings.Contains(text, "unexplained took") {
		t.Error(text)
	}
}

// A report has what the files, the page and the log show.
func TestASlowUnitIsReported(t *testing.T) {
	dir := t.TempDir()
	outer, inner := strobe.NewRootZone("slow unit"), strobe.NewZone("inner")
	reports := make(chan Report, 10)
	c := Start(Options{Roots: []*strobe.Zone{outer}, Budget: 10 * time.Millisecond, Cost: -1, Dir: dir, Log: slog.New(slog.DiscardHandler), On: func(r Report) { reports <- r }})
	time.Sleep(100 * time.Millisecond) // the flight recorder starts
	var lock sync.Mutex
	for range 5 {
		outer.Do(func() {})
	}
	lock.Lock()
	outer.Do(func() {
		strobe.Note("route", "/cart")
		inner.Do(func() {
			time.AfterFunc(60*time.Millisecond, lock.Unlock) // not before the unit, which would be shorter if this thread lost its processor in between
			lock.Lock()
		})
	})
	r := <-reports
	for len(r.Notes) == 0 { // an empty unit may be slow on a busy machine
		r = <-reports
	}
	c.Stop()
	if r.Schema != Schema || r.Root != "slow unit" || r.Unit != "span" || r.Goroutine == 0 || r.Took < 55*time.Millisecond || r.Cost <= 0 || r.Go != runtime.Version() {
		t.Errorf("%+v", r)
	}
	if len(r.Notes) != 1 || r.Notes[0].Value != "/cart" {
		t.Errorf("%+v", r.Notes)
	}
	if age := time.Since(r.At); age < r.Took || age > time.Minute {
		t.Errorf("it began %v ago and took %v", age, r.Took)
	}
	var sum time.Duration
	for _, p := range r.Account {
		sum += p.Took
	}
	if sum != r.Took {
		t.Errorf("the parts add up to %v of %v", sum, r.Took)
	}
	if len(r.Degrees) == 0 { // all sources are there
		at := slices.IndexFunc(r.Account, func(p Part) bool { return p.Cause == Lock && p.Zone == "inner" && p.Object == "sync.Mutex" })
		if at < 0 || r.Account[at].Took < 30*time.Millisecond || !strings.Contains(r.Account[at].Where, "capture_test.go:") {
			t.Errorf("%v: %+v", r, r.Account)
		}
		if at == 0 && r.Cause != Lock && r.Cause != Unclear { // a busy machine may have taken as much
			t.Errorf("%v", r)
		}
		if e := r.Evidence; e == nil || len(e.Tracks) == 0 || e.Tracks[0].Role != "unit" || len(e.Tracks[0].States) == 0 {
			t.Errorf("%+v", e)
		}
	} else {
		t.Log(r.Degrees)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.html"))
	if len(files) != 1 {
		t.Fatal(files)
	}
	data, _ := os.ReadFile(files[0])
	if read, err := Parse(data); err != nil || read.String() != r.String() {
		t.Errorf("%v: %v", read, err)
	}
	latest := Reports(0)
	if n := len(latest); n == 0 || latest[n-1].String() != r.String() || len(Reports(latest[n-1].Number)) != 0 {
		t.Errorf("%d reports", n)
	}
}

func TestReportsAreBounded(t *testing.T) {
	for range 2 * mostReports {
		publish(Report{Evidence: &Evidence{}})
	}
	all := Reports(0)
	if len(all) != mostReports {
		t.Fatal(len(all))
	}
	for i, r := range all {
		if has := r.Evidence != nil; has != (i >= mostReports-mostEvidence) {
			t.Errorf("report %d of %d: evidence %v", i, len(all), has)
		}
		if i > 0 && r.Number != all[i-1].Number+1 {
			t.Errorf("%d after %d", r.Number, all[i-1].Number)
		}
	}
	if got := Reports(all[3].Number); len(got) != mostReports-4 || got[0].Number != all[4].Number {
		t.Errorf("%d", len(got))
	}
	if text, err := json.Marshal(all[0]); err != nil || !strings.Contains(string(text), `"number":`) || !strings.Contains(string(text), `"took_ns":`) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestTheBudgetIsAShareOfTime(t *testing.T) {
	now := time.Unix(0, 0)
	b := newBudget(0.01, now)
	var spent time.Duration
	for range 10_000 {
		now = now.Add(50 * time.Millisecond)
		if b.allows(now) {
			b.spend(20 * time.Millisecond)
			spent += 20 * time.Millisecond
		}
	}
	if share := float64(spent-purse) / float64(10_000*50*time.Millisecond); share > 0.0101 || share < 0.0095 {
		t.Errorf("it allowed a share of %v", share)
	}
	free := newBudget(-1, now)
	free.spend(time.Hour)
	if !free.allows(now) {
		t.Error("no limit is a limit")
	}
}

func TestTheLogIsQuietAboutTheSame(t *testing.T) {
	var log bytes.Buffer
	v := voice{log: slog.New(slog.NewJSONHandler(&log, nil))}
	now := time.Unix(0, 0)
	say := func(root string, c Cause) { v.report(&Report{Root: root, Cause: c, Took: 69053492}, "", now) }
	say("a", Lock)
	for range 5 {
		say("a", Lock)
	}
	say("a", Sleep)
	say("b", Lock)
	now = now.Add(quiet)
	say("a", Lock)
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 4 || !strings.Contains(lines[3], `"not_logged":5`) || strings.Contains(lines[2], "not_logged") || !strings.Contains(lines[0], `"took_ms":69.1,`) ||
		strings.Contains(lines[0], "usual_ms") { // it is not known
		t.Errorf("%s", log.String())
	}
	v.failed(errors.New("full"))
	v.failed(errors.New("full"))
	if n := strings.Count(log.String(), "cannot write"); n != 1 {
		t.Errorf("%d lines", n)
	}
}

func TestSlowIsAgainstTheMedian(t *testing.T) {
	o := Options{}.withDefaults()
	r := &root{}
	for i := range 1000 {
		r.add(turn{took: 10*time.Millisecond + time.Duration(i%100)*time.Microsecond, from: clock.Instant(i) * 1e7})
	}
	r.settle()
	if r.median < 10*time.Millisecond || r.median > 10100*time.Microsecond {
		t.Fatal(r.median)
	}
	if !r.slow(16*time.Millisecond, &o) || r.slow(14*time.Millisecond, &o) {
		t.Error("1.5 times the median is the limit")
	}
	if got := r.ordinary(0, 1e10, 24); len(got) != 24 || got[0].from <= got[1].from {
		t.Errorf("%d ordinary units", len(got))
	}
	if got := r.ordinary(995*1e7, 1e11, 24); len(got) != 5 {
		t.Errorf("%d ordinary units", len(got))
	}
	o.Budget = 12 * time.Millisecond
	if !r.slow(13*time.Millisecond, &o) || r.slow(11*time.Millisecond, &o) {
		t.Error("the budget is the limit")
	}
	quick, o2 := &root{}, Options{}.withDefaults()
	if quick.slow(time.Hour, &o2) {
		t.Error("nothing is known about what is usual")
	}
	for range 100 {
		quick.add(turn{took: 5 * time.Microsecond})
	}
	quick.settle()
	if quick.slow(900*time.Microsecond, &o2) || !quick.slow(1100*time.Microsecond, &o2) {
		t.Error("a millisecond is the least")
	}
}

// What waits for the budget is the slowest.
func TestTheSlowestAreExplained(t *testing.T) {
	w := newWatch(silent().withDefaults())
	defer w.release()
	now := time.Now()
	w.budget = newBudget(0.01, now)
	w.budget.spend(purse + time.Millisecond) // nothing for 100 ms
	r := w.root(rootKey{"r", false}, 0)
	for range 100 {
		w.add(r, turn{took: time.Millisecond, from: 0}, nil)
	}
	w.timeline.At = clock.Instant(time.Second)
	for _, d := range []time.Duration{20, 90, 30, 200, 25, 60, 210, 220, 230, 240, 250} {
		w.add(r, turn{took: d * time.Millisecond, from: w.timeline.At - clock.Instant(d*time.Millisecond)}, nil)
	}
	w.choose(now)
	if len(w.slow) != mostSlow || w.slow[0].turn.took != 250*time.Millisecond || w.slow[7].turn.took != 60*time.Millisecond || r.left != 3 {
		t.Fatalf("%d wait, %d left", len(w.slow), r.left)
	}
	w.timeline.At += clock.Instant(patience + time.Millisecond)
	w.choose(now)
	if len(w.slow) != 0 || r.left != 11 || r.missed < 190*time.Millisecond {
		t.Fatalf("%d wait, %d left, %v missed", len(w.slow), r.left, r.missed)
	}
	w.add(r, turn{took: 10 * time.Millisecond, from: w.timeline.At - 1e7}, nil)
	w.choose(now)
	if len(w.slow) != 0 || r.left != 12 {
		t.Error("a small one takes the budget of the large ones")
	}
}

// Of many slow units in one zone, the least slow ones make room for one that was slow in another zone or is of another root.
func TestOneOfEachShapeIsExplained(t *testing.T) {
	w := newWatch(silent().withDefaults())
	defer w.release()
	often, seldom := w.root(rootKey{"often", false}, 0), w.root(rootKey{"seldom", false}, 5)
	slow := func(r *root, zone int, d time.Duration) {
		u := profile.Unit{Took: d, Tree: profile.Tree{{Parent: -1, Zone: r.zone, Calls: 1, Total: d}, {Parent: 0, Zone: zone, Calls: 1, Total: d, Self: d}}}
		w.wait(candidate{root: r, turn: turn{took: d}, most: -1}, &u)
	}
	slow(seldom, 6, 10*time.Millisecond)
	slow(often, 2, 12*time.Millisecond)
	for i := range 20 {
		slow(often, 1, time.Duration(100+i)*time.Millisecond)
	}
	slow(often, 3, 11*time.Millisecond)
	var got []string
	for i := range w.slow {
		c := &w.slow[i]
		if len(c.unit.Tree) != 2 || c.unit.Took != c.turn.took {
			t.Errorf("unit %d is %+v", i, c.unit)
		}
		got = append(got, fmt.Sprintf("%s %d %v", c.root.name, c.most, c.turn.took))
	}
	want := []string{"often 1 119ms", "often 1 118ms", "often 1 117ms", "often 1 116ms", "often 1 115ms", "often 2 12ms", "often 3 11ms", "seldom 6 10ms"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if often.left != 15 || seldom.left != 0 {
		t.Errorf("%d and %d are left", often.left, seldom.left)
	}
}

func TestTurnsOfLoopsAreUnits(t *testing.T) {
	w := newWatch(silent().withDefaults())
	defer w.release()
	lanes := []profile.TimelineLane{{LaneInfo: profile.LaneInfo{ID: 3}}, {LaneInfo: profile.LaneInfo{ID: 5}}}
	frame := func(lane int, at clock.Instant, goroutine int64) profile.Event {
		return profile.Event{Kind: profile.FrameEvent, Lane: lane, Zone: -1, Path: -1, Start: at, Goroutine: goroutine, Name: "loop"}
	}
	w.loops(&profile.Timeline{Lanes: lanes, Events: []profile.Event{frame(0, 100, 9), frame(1, 150, 11), frame(0, 200, 9)}})
	w.loops(&profile.Timeline{Lanes: lanes, Events: []profile.Event{frame(0, 350, 9), frame(1, 151, 11), frame(-1, 400, 12), frame(-1, 500, 12), frame(0, 360, 13)}})
	r := w.roots[rootKey{"loop", true}]
	if r == nil {
		t.Fatal("no root")
	}
	want := []turn{{3, 9, 100, 100}, {3, 9, 200, 150}, {5, 11, 150, 1}, {-1, 12, 400, 100}, {3, several, 350, 10}}
	if got := r.known(); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestSpansOfATurnAreCutAtItsBorders(t *testing.T) {
	s := &spans{ended: []span{{3, 9, 1, 0, 0, 50}, {3, 9, 2, 0, 90, 20}, {3, 9, 4, 1, 95, 5}, {4, 9, 2, 0, 90, 20}, {3, 9, 5, 0, 190, 100}}}
	u := s.unit(turn{3, 9, 100, 100})
	if len(u.Spans) != 2 || u.Spans[0].Start != 100 || u.Spans[0].Took != 10 || u.Spans[1].Took != 10 || u.Zone != -1 || u.Took != 100 {
		t.Errorf("%+v", u)
	}
}

func TestByNamesTheWakerAndWhatItDid(t *testing.T) {
	s := &scene{watch: &watch{spans: spans{zones: []profile.ZoneInfo{{Name: "flush"}}}}}
	p := s.part(&account.Part{Key: account.Key{Cause: account.Lock, Zone: 0, Where: "a.go:1 (main.f)"}, Took: time.Second,
		By: account.Waker{Goroutine: 35, Where: "b.go:2 (main.g)", Main: account.Key{Cause: account.Syscall, Zone: 0, Where: "c.go:3 (main.h)"}, Took: 58 * time.Millisecond}})
	if want := "goroutine 35 at b.go:2 (main.g), which was in a system call at c.go:3 (main.h) in zone flush for 58 ms"; p.By != want || p.Zone != "flush" || p.Cause != Lock {
		t.Errorf("%+v, want %s", p, want)
	}
	if p := s.part(&account.Part{Key: account.Key{Cause: account.Own, Zone: 7, Goroutine: 12}}); p.By != "goroutine 12" || p.Zone != "" {
		t.Errorf("%+v", p)
	}
}

func TestRecordsOfSwitchesThatAreIncompleteAreNamed(t *testing.T) {
	if got := doubts(&switches.Records{}, nil); got != nil {
		t.Errorf("nothing is missing, and yet: %q", got)
	}
	if got := doubts(&switches.Records{Lost: 3}, nil); len(got) != 1 || !strings.Contains(got[0], "lack at least 3 switches") {
		t.Errorf("%q", got)
	}
	if got := doubts(nil, errors.New("closed")); len(got) != 1 || !strings.HasSuffix(got[0], "cannot be read: closed") {
		t.Errorf("%q", got)
	}
}
