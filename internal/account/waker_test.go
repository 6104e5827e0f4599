// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"fmt"
	"testing"
	"time"
)

// Many wait for the same lock. Who had it last is not to blame.
func TestTheFirstOfSeveralWaitsIsFollowed(t *testing.T) {
	const unit = "1: run 0, wait 1 sync 1, ready 58 by 2, run 58.1"
	for _, c := range []struct {
		name   string
		others []string
		first  int64 // 0 for none
		waits  int
		did    Cause
		took   time.Duration
	}{
		{"the holder computes", []string{"2: run 0, wait 59 sync 1"}, 0, 0, 0, 0},
		{"the holder had waited for one that computes", []string{"2: run 0, wait 2 sync 1, ready 57 by 3, run 57.1, wait 59 sync 1", "3: run 0, wait 58 sync 1"}, 3, 1, Own, 55 * ms},
		{"the holder had waited for one that waits for a disk", []string{"2: run 0, wait 2 sync 1, ready 57 by 3, run 57.1, wait 59 sync 1", "3: run 0, call 3 3, run 56.5, wait 58 sync 1"}, 3, 1, Syscall, 53500 * time.Microsecond},
		{"three in a row", []string{"2: run 0, wait 2 sync 1, ready 57 by 3, run 57.1, wait 59 sync 1", "3: run 0, wait 3 sync 1, ready 56.5 by 4, run 56.6, wait 58 sync 1", "4: run 0, wait 57 sync 1"}, 4, 2, Own, 53500 * time.Microsecond},
		{"the holder had waited for less than half of the time", []string{"2: run 0, wait 2 sync 1, ready 29 by 3, run 29.1, wait 59 sync 1", "3: run 0, wait 58 sync 1"}, 0, 0, 0, 0},
		{"the holder had waited for a bit more than half of the time", []string{"2: run 0, wait 2 sync 1, ready 31 by 3, run 31.1, wait 59 sync 1", "3: run 0, wait 58 sync 1"}, 3, 1, Own, 29 * ms},
		{"the holder had waited several times", []string{"2: run 0, wait 2 sync 1, ready 20 by 3, run 20.1, wait 21 sync 1, ready 40 by 3, run 40.1, wait 59 sync 1", "3: run 0"}, 0, 0, 0, 0},
		{"the holder had waited, and who ended that is not known", []string{"2: run 0, wait 2 sync 1, ready 57, run 57.1, wait 59 sync 1"}, 0, 0, 0, 0},
		{"the holder had slept", []string{"2: run 0, wait 2 sleep 4, ready 57, run 57.1, wait 59 sync 1"}, 0, 0, 0, 0},
		{"the holder had waited for a connection", []string{"2: run 0, wait 2 network 4, ready 57 by 3, run 57.1, wait 59 sync 1", "3: run 0"}, 0, 0, 0, 0},
	} {
		a := newScene(t, append(c.others, unit)...).exact().of(1, 0, 60)
		by := a.Parts[0].By
		if a.Parts[0].Cause != Lock || by.Goroutine != 2 || by.Waits != c.waits || (by.First != nil) != (c.first != 0) {
			t.Errorf("%s: %+v", c.name, a.Parts[0])
			continue
		}
		if f := by.First; f != nil && (f.Goroutine != c.first || f.Main.Cause != c.did || f.Took != c.took || f.First != nil) {
			t.Errorf("%s: the first is %+v", c.name, f)
		}
	}
}

func TestTheWaitsThatAreFollowedAreBounded(t *testing.T) {
	lines := []string{"1: run 0, wait 1 sync 1, ready 900 by 2, run 900.1"}
	for g := 2; g < 100; g++ {
		lines = append(lines, fmt.Sprintf("%d: run 0, wait %d sync 1, ready %d by %d, run %d.1, wait %d sync 1", g, g, 901-g, g+1, 901-g, 902-g))
	}
	lines = append(lines, "100: run 0")
	by := newScene(t, lines...).exact().of(1, 0, 901).Parts[0].By
	if by.Waits != mostWaits || by.First == nil || by.First.Goroutine != 2+mostWaits {
		t.Errorf("%d waits: %+v", by.Waits, by.First)
	}
}

func TestWhoBeganSeveralWaitsMayHaveBeenThrottled(t *testing.T) {
	a := Account{Quota: Bounds{60 * ms, 60 * ms, true}}
	by := Waker{Main: Key{Cause: Lock}, Took: 50 * ms, First: &Waker{Main: Key{Cause: Preempted}, Took: 50 * ms}}
	if a.throttledWaker(&by); by.First.Main.Cause != Throttled || by.Main.Cause != Lock {
		t.Errorf("%+v, the first %+v", by, by.First)
	}
}
