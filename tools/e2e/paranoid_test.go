// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && arm64

package e2e

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/perf"
)

// asUser runs f on a new thread as an ordinary user.
func asUser(t *testing.T, f func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		runtime.LockOSThread()
		for _, call := range []uintptr{unix.SYS_SETRESGID, unix.SYS_SETRESUID} { // for this thread alone, unlike syscall.Setuid
			if _, _, e := unix.RawSyscall(call, 1000, 1000, 1000); e != 0 {
				t.Error(e)
				return
			}
		}
		f()
	}()
	<-done
}

func TestCountsAtEveryParanoidLevel(t *testing.T) {
	defer sysctl(t, "kernel.perf_event_paranoid", "-1")
	for _, level := range []string{"-1", "0", "1", "2", "3"} {
		sysctl(t, "kernel.perf_event_paranoid", level)
		asUser(t, func() {
			g, err := perf.Open(perf.Thread, perf.Instructions, perf.ContextSwitches, perf.TaskClock, perf.PageFaults)
			if err != nil {
				t.Errorf("level %s: %v", level, err)
				return
			}
			defer g.Close()
			m := g.Start()
			loop(10_000)
			for range 10 {
				unix.Nanosleep(&unix.Timespec{Nsec: 1000}, nil)
			}
			r := m.Stop()
			v := r.Get(perf.Instructions)
			switch level {
			case "2":
				if v.State != perf.Exact || !v.UserOnly || v.Count < 20_000 || !strings.Contains(v.Reason, "perf_event_paranoid is 2") || v.Remedy == "" {
					t.Errorf("level %s: %+v", level, v)
				}
			case "3":
				if v.State != perf.Denied || !strings.Contains(v.Reason, "perf_event_paranoid is 3") || !strings.Contains(v.Remedy, "CAP_PERFMON") {
					t.Errorf("level %s: %+v", level, v)
				}
				if _, err := perf.Open(perf.Thread, perf.Instructions); !errors.Is(err, perf.ErrUnavailable) {
					t.Errorf("level %s: %v", level, err)
				}
			default:
				if v.State != perf.Exact || v.UserOnly || v.Count < 20_000 {
					t.Errorf("level %s: %+v", level, v)
				}
			}
			// These can be counted at every level, and never only in user mode, where the number of switches would be 0.
			for _, e := range []perf.Event{perf.ContextSwitches, perf.TaskClock, perf.PageFaults} {
				v := r.Get(e)
				want := "software"
				if level == "2" || level == "3" {
					want = "rusage"
					if e == perf.TaskClock {
						want = "clock"
					}
				}
				if v.State != perf.Exact || v.UserOnly || v.Source != want {
					t.Errorf("level %s: %+v", level, v)
				}
			}
			if v := r.Get(perf.ContextSwitches); v.Count < 10 {
				t.Errorf("level %s: 10 sleeps, %v", level, v)
			}
			if v := r.Get(perf.TaskClock); v.Count < 20_000 {
				t.Errorf("level %s: 20 000 instructions of a ns, %v", level, v)
			}
		})
	}
}
