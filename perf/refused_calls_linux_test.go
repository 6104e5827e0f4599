// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/internal/child"
)

// The other system calls of this package, read, close and mmap, cannot be refused, since the runtime needs them.
func TestRefusedCallIsNamedAndTheOthersCount(t *testing.T) {
	const getTime64 = 403 // of 32-bit systems
	for _, c := range []struct {
		name    string
		calls   []uint32
		missing map[Event]string // events that need the call, and part of the reason
	}{
		{"perf_event_open", nil, map[Event]string{"cpu-migrations": "("}},
		{"getrusage", []uint32{unix.SYS_GETRUSAGE}, map[Event]string{PageFaults: "getrusage is refused"}},
		{"clock_gettime", []uint32{unix.SYS_CLOCK_GETTIME, getTime64}, map[Event]string{TaskClock: "clock_gettime is refused"}},
		{"openat", []uint32{unix.SYS_OPENAT}, map[Event]string{"cpu-migrations": "("}},
		{"all", []uint32{unix.SYS_GETRUSAGE, unix.SYS_CLOCK_GETTIME}, map[Event]string{PageFaults: "getrusage is refused", TaskClock: "clock_gettime is refused"}},
	} {
		for _, e := range []syscall.Errno{unix.EPERM, unix.EACCES, unix.EINVAL, unix.ENOSYS, unix.EINTR} {
			if c.name == "openat" && e == unix.EINTR {
				continue // package os opens a file again until that is not interrupted
			}
			t.Run(c.name+" "+unix.ErrnoName(e), func(t *testing.T) {
				if !child.Process(t) {
					return
				}
				if c.name == "openat" && testing.CoverMode() != "" {
					t.Skip("coverage is written into a file")
				}
				child.Refuse(t, e, append(c.calls, unix.SYS_PERF_EVENT_OPEN)...)
				events := []Event{PageFaults, TaskClock, "cpu-migrations"}
				g, err := Open(Thread, events...)
				if c.name == "all" {
					if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "getrusage is refused ("+unix.ErrnoName(e)+"); allow") {
						t.Errorf("%v", err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				defer g.Close()
				m := g.Start()
				time.Sleep(5 * time.Millisecond)
				r := m.Stop()
				if r.Elapsed < 5*time.Millisecond-5*time.Microsecond {
					t.Errorf("5 ms took %v", r.Elapsed)
				}
				c.missing["cpu-migrations"] = "("
				for v := range r.All() {
					want, missing := c.missing[v.Event]
					if v.Known() == missing || !strings.Contains(v.Reason, want) {
						t.Errorf("%v", v)
					}
					if missing && want != "(" && (v.State != Denied && v.State != Unsupported || !strings.Contains(v.Reason, unix.ErrnoName(e)) || v.Remedy == "") {
						t.Errorf("%+v", v)
					}
				}
			})
		}
	}
}

func TestCountersThatCannotBeStartedSayWhy(t *testing.T) {
	if !child.Process(t) {
		return
	}
	if g, err := Open(Thread, "cpu-migrations"); err != nil {
		t.Skip(err)
	} else {
		g.Close()
	}
	child.Refuse(t, unix.EPERM, unix.SYS_IOCTL)
	if _, err := Open(Thread, "cpu-migrations"); !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "seccomp (EPERM); allow perf_event_open and ioctl") {
		t.Errorf("%v", err)
	}
}

func TestWithoutDescriptorsEventsAreDeniedAndTheOthersCount(t *testing.T) {
	for _, limit := range []int{5, 64, 1024} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			if !child.Process(t) {
				return
			}
			giveBack := child.ExhaustDescriptors(t, limit)
			if g, err := Open(Thread, "cpu-migrations"); err == nil {
				g.Close()
				t.Error("an event is open without a descriptor")
			} else if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "EMFILE") && !strings.Contains(err.Error(), "seccomp") {
				t.Error(err)
			}
			g, err := Open(Thread, TaskClock, "cpu-migrations")
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			m := g.Start()
			time.Sleep(5 * time.Millisecond)
			for v := range m.Stop().All() {
				if counts := v.Event == TaskClock; v.Known() != counts || !counts && v.Remedy == "" {
					t.Errorf("%+v", v)
				}
			}
			giveBack()
			if g, err := Open(Thread, "cpu-migrations"); err == nil {
				g.Close()
			} else if limit > 5 && strings.Contains(err.Error(), "EMFILE") { // 5 were open before
				t.Error(err)
			}
		})
	}
}

func TestWhatIsRefusedInTheMiddleIsNotCounted(t *testing.T) {
	for name, c := range map[string]struct {
		call uint32
		of   Event
	}{"getrusage": {unix.SYS_GETRUSAGE, PageFaults}, "clock_gettime": {unix.SYS_CLOCK_GETTIME, TaskClock}} {
		t.Run(name, func(t *testing.T) {
			if !child.Process(t) {
				return
			}
			child.Refuse(t, unix.EPERM, unix.SYS_PERF_EVENT_OPEN)
			g, err := Open(Thread, PageFaults, TaskClock)
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			before, middle := g.Start(), g.Start()
			if v := before.Stop().Get(c.of); !v.Known() {
				t.Errorf("%v before it is refused", v)
			}
			child.Refuse(t, unix.EPERM, c.call)
			if v := middle.Stop().Get(c.of); v.Known() || v.Reason == "" {
				t.Errorf("%v though %s was refused in the middle", v, name)
			}
		})
	}
}

func TestAnEventThatCannotBeReadAnyMoreIsNotCounted(t *testing.T) {
	g, err := Open(Thread, "cpu-migrations")
	if err != nil {
		t.Skip(err)
	}
	defer g.Close()
	m := g.Start()
	if v := m.Stop().Get("cpu-migrations"); !v.Known() {
		t.Fatal(v)
	}
	null, err := unix.Open("/dev/null", unix.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(null)
	if err := unix.Dup3(null, g.counters.sets[0].fd, 0); err != nil {
		t.Fatal(err)
	}
	if v := m.Stop().Get("cpu-migrations"); v.Known() || v.Reason == "" {
		t.Errorf("%v though its descriptor reads nothing", v)
	}
}
