// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/child"
	"github.com/strobe-go/strobe/internal/race"
)

// The other system calls of this package cannot be refused: the runtime ends or hangs without futex, read and close.
func TestRefusedCallIsNamedAndWaitsGoOn(t *testing.T) {
	const futexInstead, thread = "futex", "clock_nanosleep on a locked thread"
	const fcntl64 = 221 // of 386 and arm
	for _, c := range []struct {
		name    string
		calls   []uint32
		mode    Mode
		backend string
		reason  string // if the call fails with EPERM
	}{
		{"timerfd_create", []uint32{unix.SYS_TIMERFD_CREATE}, Yield, futexInstead, "timerfd: operation not permitted"},
		{"timerfd_settime", []uint32{unix.SYS_TIMERFD_SETTIME}, Yield, futexInstead, "timerfd: operation not permitted"},
		{"fcntl", []uint32{unix.SYS_FCNTL, fcntl64}, Yield, futexInstead, "timerfd: operation not permitted"},
		{"clock_nanosleep", []uint32{unix.SYS_CLOCK_NANOSLEEP}, Lock, "time.Timer on a locked thread", "clock_nanosleep: operation not permitted"},
		{"prctl", []uint32{unix.SYS_SCHED_SETATTR, unix.SYS_PRCTL}, Realtime, thread,
			"prctl(PR_SET_TIMERSLACK): operation not permitted; sleeps end some 50 µs later; sched_setattr(SCHED_FIFO): operation not permitted"},
		{"sched_setattr", []uint32{unix.SYS_SCHED_SETATTR}, Realtime, thread, "sched_setattr(SCHED_FIFO): operation not permitted"},
		{"sched_getattr", []uint32{unix.SYS_SCHED_GETATTR}, Realtime, thread, "sched_getattr: operation not permitted"},
		{"all", []uint32{unix.SYS_TIMERFD_CREATE, unix.SYS_TIMERFD_SETTIME, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_SCHED_SETATTR, unix.SYS_CLOCK_GETTIME},
			Yield, futexInstead, "timerfd: operation not permitted"},
	} {
		for _, e := range child.Errors(!testing.Short() && !race.Enabled) {
			t.Run(c.name+" "+unix.ErrnoName(e), func(t *testing.T) {
				if !child.Process(t) {
					return
				}
				child.Refuse(t, e, c.calls...)
				waitsWithAReason(t, c.mode, c.backend, strings.ReplaceAll(c.reason, unix.EPERM.Error(), e.Error()))
			})
		}
	}
}

func waitsWithAReason(t *testing.T, mode Mode, backend, reason string) {
	lim := NewLimiter(Options{Rate: 100, Mode: mode})
	begin := clock.Now()
	used, _ := processTime()
	for range 31 {
		if err := lim.Wait(context.Background()); err != nil {
			t.Error(err)
		}
	}
	now, _ := processTime()
	took := clock.Since(begin)
	lim.Close()
	if took < 300*time.Millisecond {
		t.Errorf("30 periods of 10 ms took %v", took)
	}
	if now-used > took/2 {
		t.Errorf("used %v of processor time in %v: it spins", now-used, took)
	}
	if s := lim.Stats(); s.Backend != backend || !strings.HasPrefix(s.Reason, reason) {
		t.Errorf("%q, %q", s.Backend, s.Reason)
	}
}

func TestProcessorTimeThatIsRefusedIsNotKnown(t *testing.T) {
	if !child.Process(t) {
		return
	}
	child.Refuse(t, unix.EPERM, unix.SYS_CLOCK_GETTIME)
	w := Ways()[3]
	w.N, w.Period = 3, 5*time.Millisecond
	l, err := Probe(context.Background(), w)
	if err != nil || l.CPU.Known() || l.CPU.Reason != "the system does not report how much processor time a process has used: clock_gettime: operation not permitted" {
		t.Errorf("%+v, %v", l, err)
	}
}
