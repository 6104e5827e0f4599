// SPDX-License-Identifier: BSD-3-Clause

package clock

import (
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/internal/child"
)

// The runtime reads the time from the vDSO, without a system call.
func TestTimeIsRightIfTheKernelsClockIsRefused(t *testing.T) {
	for _, e := range []syscall.Errno{unix.EPERM, unix.EACCES, unix.EINVAL, unix.ENOSYS, unix.EINTR} {
		t.Run(unix.ErrnoName(e), func(t *testing.T) {
			if !child.Process(t) {
				return
			}
			child.Refuse(t, e, getTime...)
			keepsTime(t)
			info := Describe()
			if info.Source != referenceName || !strings.Contains(info.Reason, "clock_gettime is refused ("+e.Error()+")") || !strings.Contains(info.Reason, "allow it") {
				t.Errorf("%+v", info)
			}
			for _, s := range Sources() {
				if s.Call && (s.Err == nil || !strings.Contains(s.Err.Error(), "clock_gettime: "+e.Error())) {
					t.Errorf("%s: %v", s.Name, s.Err)
				}
			}
		})
	}
}

// A program may enter a sandbox after it has read the clock.
func TestTimeIsRightIfTheKernelsClockIsRefusedLater(t *testing.T) {
	if !child.Process(t) {
		return
	}
	before := Describe()
	child.Refuse(t, unix.EPERM, getTime...)
	keepsTime(t)
	if after := Describe(); after.Source != before.Source || after.Reason != before.Reason {
		t.Errorf("%+v, before it was refused %+v", after, before)
	}
}

// keepsTime compares the clock with package time.
func keepsTime(t *testing.T) {
	t.Helper()
	const slept = 20 * time.Millisecond
	outer, a, ordered, ticks := time.Now(), Now(), NowOrdered(), Ticks()
	time.Sleep(slept)
	for name, d := range map[string]time.Duration{"Now": Since(a), "NowOrdered": NowOrdered().Sub(ordered), "Ticks": ToDuration(Ticks() - ticks)} {
		if most := time.Since(outer); d < slept-slept/1000 || d > most+most/1000 { // the rate is being refined
			t.Errorf("%s measured %v, between %v and %v", name, d, slept, most)
		}
	}
	if d := Now().Time().Sub(outer); d < slept-slept/1000 || d > time.Minute {
		t.Errorf("%v after %v it is %v", d, outer, Now().Time())
	}
}

// The file is the only source that says whether the counter is reliable.
func TestCounterIsNotUsedIfTheKernelsVerdictIsRefused(t *testing.T) {
	if !child.Process(t) {
		return
	}
	if testing.CoverMode() != "" {
		t.Skip("coverage is written into a file")
	}
	child.Refuse(t, unix.EACCES, openFile...)
	keepsTime(t)
	if ok, _ := steadyCounter(); !ok {
		t.Skip("there is no counter")
	}
	if info := Describe(); info.Source != referenceName || !strings.Contains(info.Reason, clocksourceFile+": permission denied") {
		t.Errorf("%+v", info)
	}
}

// No descriptor is left when the clock is read for the first time, and so the kernel's verdict of the counter is unknown.
func TestTimeIsRightWithoutDescriptors(t *testing.T) {
	for _, limit := range []int{5, 64, 1024} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			if !child.Process(t) {
				return
			}
			giveBack := child.ExhaustDescriptors(t, limit)
			keepsTime(t)
			if ok, _ := steadyCounter(); ok {
				if info := Describe(); info.Source != referenceName || !strings.Contains(info.Reason, clocksourceFile+": too many open files") {
					t.Errorf("%+v", info)
				}
			}
			giveBack()
			keepsTime(t)
		})
	}
}

func TestProbeSaysIfProcessorsCannotBeChosen(t *testing.T) {
	for name, call := range map[string]uint32{"which": unix.SYS_SCHED_GETAFFINITY, "choose": unix.SYS_SCHED_SETAFFINITY} {
		t.Run(name, func(t *testing.T) {
			if !child.Process(t) {
				return
			}
			child.Refuse(t, unix.EPERM, call)
			if g, err := Probe(context.Background(), Sources()[0]); err != nil || g.Pinned || g.Overhead <= 0 {
				t.Errorf("%+v, %v", g, err)
			}
		})
	}
}
