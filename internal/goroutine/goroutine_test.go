// SPDX-License-Identifier: BSD-3-Clause

package goroutine

import (
	"runtime"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		stack  string
		number uint64
		locked bool
	}{
		{"goroutine 7 [running]:\nmain.main()", 7, false},
		{"goroutine 123456789012 [running, locked to thread]:\n", 123456789012, true},
		{"goroutine 8 [running]:\nlocked to thread", 8, false},
		{"", 0, false},
		{"goroutine", 0, false},
		{"goroutine x [running]:", 0, false},
	} {
		if n, locked := parse([]byte(c.stack)); n != c.number || locked != c.locked {
			t.Errorf("%q: %d %v, want %d %v", c.stack, n, locked, c.number, c.locked)
		}
	}
}

func TestGoroutinesHaveNumbers(t *testing.T) {
	mine := Number()
	other := make(chan uint64)
	go func() { other <- Number() }()
	if theirs := <-other; mine == 0 || theirs == 0 || mine == theirs {
		t.Errorf("numbers %d and %d", mine, theirs)
	}
}

func TestTheThreadIsThatOfALockedGoroutine(t *testing.T) {
	if _, thread := Describe(); thread != 0 {
		t.Errorf("thread %d without LockOSThread", thread)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	number, thread := Describe()
	if number != Number() || thread != threadID() {
		t.Errorf("goroutine %d thread %d, want %d and %d", number, thread, Number(), threadID())
	}
}
