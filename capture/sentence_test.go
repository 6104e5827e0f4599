// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/account"
)

func TestAReportIsASentence(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		r    Report
		want string
	}{
		{Report{Root: "request", Took: 69*ms + 4321, Usual: 9 * ms, Cause: Lock, Spent: 58 * ms, Where: "store.go:41 (main.save)",
			By: "goroutine 35, which was in a system call in zone flush"},
			"request took 69 ms, 60 ms more than usual: 58 ms waiting for a lock at store.go:41 (main.save), held by goroutine 35, which was in a system call in zone flush"},
		{Report{Root: "request", Took: 69 * ms, Cause: Lock, Spent: 58 * ms, Where: "value.go:729 (v4.Wait)", Object: "sync.WaitGroup", By: "goroutine 177"},
			"request took 69 ms: 58 ms waiting for a sync.WaitGroup at value.go:729 (v4.Wait), ended by goroutine 177"},
		{Report{Root: "tick", Took: 30 * ms, Usual: 10 * ms, Cause: Own, Spent: 1234567, Where: "main.sort", Zone: "ai"},
			"tick took 30 ms, 20 ms more than usual: 1.23 ms of its own code in main.sort in zone ai"},
		{Report{Root: "tick", Took: 30 * ms, Usual: 10 * ms, Cause: Own, Spent: 20 * ms, Where: "main.sort", Zone: "tick"},
			"tick took 30 ms, 20 ms more than usual: 20 ms of its own code in main.sort"},
		{Report{Root: "tick", Took: 30 * ms, Usual: 11 * ms, Cause: Sleep, Spent: 19 * ms, Where: "main.wait", Account: []Part{{Cause: Sleep, Where: "main.wait", Took: 29 * ms, Usual: 10 * ms}}},
			"tick took 30 ms, 19 ms more than usual: 19 ms asleep until a timer in main.wait, beyond the usual 10 ms"},
		{Report{Root: "tick", Took: 90 * ms, Usual: 10 * ms, Cause: Preempted, Spent: 50 * ms, Account: []Part{{Cause: Preempted, Took: 50 * ms}, {Cause: Own, Took: 31 * ms, Usual: 3 * ms, Where: "main.sort"}, {Cause: GC, Took: 9 * ms}}},
			"tick took 90 ms, 80 ms more than usual: 50 ms ready to run while other programs had the processors; and 28 ms of its own code in main.sort"},
		{Report{Root: "tick", Took: 90 * ms, Usual: 10 * ms, Cause: Preempted, Spent: 50 * ms, Account: []Part{{Cause: Preempted, Took: 50 * ms}, {Cause: Own, Took: 31 * ms, Usual: 13 * ms}, {Cause: GC, Took: 9 * ms}}},
			"tick took 90 ms, 80 ms more than usual: 50 ms ready to run while other programs had the processors"},
		{Report{Root: "tick", Took: 90 * ms, Usual: 10 * ms, Cause: Allocation, Spent: 80 * ms, Account: []Part{{Cause: GC, Took: 48 * ms}, {Cause: Allocation, Took: 32 * ms}}},
			"tick took 90 ms, 80 ms more than usual: 80 ms allocating memory"},
		{Report{Root: "tick", Took: 90 * ms, Usual: 10 * ms, Cause: Own, Spent: 70 * ms, Account: []Part{{Cause: Own, Took: 70 * ms}, {Cause: Preempted, Took: 40 * ms}, {Cause: Network, Took: 0, Usual: 30 * ms}}},
			"tick took 90 ms, 80 ms more than usual: 70 ms of its own code; and 40 ms ready to run while other programs had the processors"},
		{Report{Root: "tick", Took: 90 * ms, Usual: 10 * ms, Cause: Lock, Spent: 50 * ms, By: "goroutine 4", Account: []Part{{Cause: Lock, Took: 50 * ms}, {Cause: Unclear, Took: 30 * ms}}},
			"tick took 90 ms, 80 ms more than usual: 50 ms waiting for a lock, held by goroutine 4; and 30 ms are not accounted for"},
		{Report{Root: "tick", Took: 30 * ms}, "tick took 30 ms: the cause is unclear"},
		{Report{Root: "tick", Took: 30 * ms, Usual: ms, Account: []Part{{Cause: Own, Took: 12 * ms}, {Cause: Channel, Took: 11 * ms, By: "goroutine 9"}, {}}},
			"tick took 30 ms, 29 ms more than usual: the cause is unclear; 12 ms of its own code and 11 ms waiting for a channel, ended by goroutine 9"},
		{Report{Root: "screenshot", Took: 1520 * ms, Usual: 9 * ms, Cause: Syscall, Spent: 1500 * ms, Where: "save.go:7 (main.save)"},
			"screenshot took 1.52 s, 1.51 s more than usual: 1.5 s in a system call at save.go:7 (main.save)"},
		{Report{Root: "draw", Took: 50 * ms, Usual: 2 * ms, Cause: Syscall, Spent: 48 * ms, Where: "draw.go:23 (C.draw)"},
			"draw took 50 ms, 48 ms more than usual: 48 ms in C code at draw.go:23 (C.draw)"},
		{Report{Root: "backup", Took: 83_456 * ms, Usual: 61 * time.Second, Cause: Network, Spent: 22_456 * ms},
			"backup took 83.5 s, 22.5 s more than usual: 22.5 s waiting for a connection or a pipe"},
		{Report{Root: "tick", Cause: 99, Took: time.Hour, Spent: time.Hour}, "tick took 3600 s: 3600 s are not accounted for"},
	} {
		if got := c.r.String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestEveryCauseHasItsWords(t *testing.T) {
	for c := range Capture + 1 {
		if phrases[c] == "" || doing[c] == "" || next[c] == "" {
			t.Errorf("%v has no words", c)
		}
		var read Cause
		if text, _ := c.MarshalText(); read.UnmarshalText(text) != nil || read != c {
			t.Errorf("%v is read as %v", c, read)
		}
	}
}

func TestDurationsInSentencesHaveAtMostThreeDigits(t *testing.T) {
	for d, want := range map[time.Duration]string{1234 * time.Microsecond: "1.23 ms", 12345 * time.Microsecond: "12.3 ms", 123456 * time.Microsecond: "123 ms", 999999 * time.Nanosecond: "1 ms",
		999_600 * time.Microsecond: "1 s", 1519 * time.Millisecond: "1.52 s", 59_960 * time.Millisecond: "60 s", 61_234 * time.Millisecond: "61.2 s", 999 * time.Second: "999 s"} {
		if got := short(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// A report never leaves open how many of the slow units it speaks for.
func TestCoverageSaysHowManyOfHowMany(t *testing.T) {
	for _, c := range []struct {
		slow, explained uint64
		want            string
	}{
		{0, 0, ""},
		{3, 3, "until then, all 3 slow ones of request were explained"},
		{340, 12, "until then, 12 of 340 slow ones of request were explained, within Options.Cost: the slowest, and some that took long in another zone"},
	} {
		if got := (Report{Root: "request", Slow: c.slow, Explained: c.explained}).Coverage(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestOverheadIsInPercent(t *testing.T) {
	if got, want := (Overhead{Explaining: 0.0081, Reading: 0.002, Events: 0.031}).String(), "capture has taken 0.81 % of a processor for explaining and 0.2 % for reading; events of the flight recorder have taken some 3.1 %"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := (Overhead{Explaining: 0.01}).String(), "capture has taken 1 % of a processor for explaining and 0 % for reading"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Zones of strobe run have the name of their function, or of a call in it.
func TestAZoneIsNamedUnlessThePlaceSaysItAll(t *testing.T) {
	for _, c := range []struct{ zone, where, want string }{
		{"save", "store.go:41 (main.(*store).save)", " in zone save"},
		{"main.(*store).save", "store.go:41 (main.(*store).save)", ""},
		{"s.mu.Lock in main.(*store).save", "store.go:41 (main.(*store).save)", ""},
		{"s.mu.Lock in main.(*store).save", "store.go:41 (main.save)", " in zone s.mu.Lock in main.(*store).save"},
		{"main.save", "main.save", ""},
		{"main.save", "", " in zone main.save"},
		{"write in ", "", " in zone write in "},
		{"", "store.go:41 (main.save)", ""},
	} {
		if got := inZone(c.zone, c.where); got != c.want {
			t.Errorf("%q at %q: %q, want %q", c.zone, c.where, got, c.want)
		}
	}
}

func TestItIsSaidWhyAWaitMayHaveEndedLate(t *testing.T) {
	for _, c := range []struct {
		late account.Late
		want string
	}{
		{account.Late{Of: account.Sleep, Cause: account.NoProcessor, Took: time.Second}, "nothing looked at timers while all processors were busy, so that the sleep may have been meant to be shorter"},
		{account.Late{Of: account.Network, Cause: account.Preempted, Took: time.Second}, "nothing looked at connections while all processors were busy, so that what the unit waited for may have been there before"},
		{account.Late{Of: account.Syscall, Cause: account.Throttled, Took: 57 * time.Millisecond}, "the quota of the control group was used up for up to 57 ms meanwhile, so that the system call may have been over before"},
		{account.Late{Of: account.Sleep, Cause: account.Stopped, Took: 57 * time.Millisecond}, "the process may not have run for up to 57 ms of that time, as if it had been frozen, so that the sleep may have been meant to be shorter"},
		{account.Late{Of: account.Channel, Cause: account.Unclear, Took: 57 * time.Millisecond}, "nothing may have looked at what ended the wait for up to 57 ms, so that it may have come late"},
	} {
		if got := lateness(c.late); got != c.want {
			t.Errorf("%+v: %q, want %q", c.late, got, c.want)
		}
	}
}

// Of several that waited for a lock one after the other, the sentence has who began it.
func TestASentenceFollowsWaits(t *testing.T) {
	first := account.Waker{Goroutine: 32, Where: "a.go:30 (main.put)", Main: account.Key{Cause: account.Allocation, Zone: -1, Where: "a.go:9 (main.save)"}, Took: 1730 * time.Microsecond}
	by := account.Waker{Goroutine: 33, Where: "a.go:30 (main.put)", Main: account.Key{Cause: account.Lock, Zone: -1, Where: "a.go:24 (main.put)"}, Took: 3360 * time.Microsecond}
	const waited = "goroutine 33 at a.go:30 (main.put), which waited for a lock at a.go:24 (main.put) for 3.36 ms"
	const saved = "goroutine 32 at a.go:30 (main.put), which allocated memory at a.go:9 (main.save) for 1.73 ms"
	for waits, want := range []string{waited, waited + ", ended by " + saved, waited + ", the last of 2 such waits in a row; the first was ended by " + saved} {
		if by.Waits = waits; waits > 0 {
			by.First = &first
		}
		if got := new(scene).waker(&by, true); got != want {
			t.Errorf("%d waits: %q, want %q", waits, got, want)
		}
	}
	if got := new(scene).waker(&account.Waker{Goroutine: 5, Where: "a.go:1 (main.f)"}, false); got != "goroutine 5" {
		t.Errorf("%q", got)
	}
}
