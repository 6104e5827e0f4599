// SPDX-License-Identifier: BSD-3-Clause

package pressure

import (
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/internal/procstat"
)

// Lag is by how much ProcessTime may lack the latest time of another thread that runs.
const Lag = time.Duration(0)

// A system reads what the kernel counts.
type system struct {
	usage   unix.Rusage
	time    unix.Timespec
	threads threads
	groups  []group
	memory  *os.File // nil if the kernel does not tell of stalls
	stat    *os.File // nil if Stolen is not wanted or not there
	text    [4096]byte
}

func (s *system) open(o Options, refuse refuse) {
	if !askUsage(unix.RUSAGE_SELF, &s.usage) {
		refuse("getrusage is refused", "allow it in the sandbox's filter", ProcessTime, MinorFaults, MajorFaults, ThreadMinorFaults, ThreadMajorFaults)
	}
	if _, ok := askClock(unix.CLOCK_THREAD_CPUTIME_ID, &s.time); !ok {
		refuse("clock_gettime is refused", "allow it in the sandbox's filter", ThreadTime, Suspended)
	}
	if reason, remedy := s.threads.open(&s.text); reason != "" {
		refuse(reason, remedy, Waited)
	}
	if s.groups = openGroups(); len(s.groups) == 0 {
		refuse("there is no control group of processors whose quota could be used up, or it is not visible here", "mount /proc and /sys/fs/cgroup if there is one", Throttled, Throttlings)
	}
	if s.memory = openStalls(); s.memory == nil {
		refuse("the kernel does not tell how long programs wait for memory", "start it with psi=1 if it can, and mount /proc", Stalled)
	}
	if !o.Stolen {
		refuse("it was not asked for", "set Options.Stolen", Stolen)
		return
	}
	var err error
	if s.stat, err = os.Open("/proc/stat"); err != nil {
		refuse(err.Error(), "mount /proc", Stolen)
	}
}

func (s *system) threadTime() (time.Duration, bool) {
	t, ok := askClock(unix.CLOCK_THREAD_CPUTIME_ID, &s.time)
	return time.Duration(t), ok
}

func (s *system) read(into *Reading) {
	into.thread = unix.Gettid()
	if askUsage(unix.RUSAGE_SELF, &s.usage) {
		into.set(ProcessTime, s.usage.Utime.Nano()+s.usage.Stime.Nano())
		into.set(MinorFaults, int64(s.usage.Minflt))
		into.set(MajorFaults, int64(s.usage.Majflt))
	}
	if askUsage(unix.RUSAGE_THREAD, &s.usage) {
		into.set(ThreadMinorFaults, int64(s.usage.Minflt))
		into.set(ThreadMajorFaults, int64(s.usage.Majflt))
	}
	if t, ok := s.threadTime(); ok {
		into.set(ThreadTime, int64(t))
	}
	if t, ok := s.suspended(); ok {
		into.set(Suspended, t)
	}
	if t, ok := s.threads.waited(&s.text); ok {
		into.set(Waited, t)
	}
	s.readGroups(into)
	if s.memory != nil {
		if n, ok := pread(s.memory, s.text[:256]); ok {
			if t, ok := parseStall(s.text[:n]); ok {
				into.set(Stalled, t)
			}
		}
	}
	if s.stat == nil {
		return
	}
	if n, err := unix.Pread(int(s.stat.Fd()), s.text[:512], 0); err == nil {
		if t, ok := procstat.Parse(s.text[:n]); ok {
			into.set(Stolen, int64(t.Steal))
		}
	}
}

// readGroups adds up the control groups of this process: each may have a quota of its own.
func (s *system) readGroups(into *Reading) {
	var sum throttle
	for i := range s.groups {
		n, ok := pread(s.groups[i].stat, s.text[:])
		if !ok {
			return // the group is gone
		}
		t, ok := parseThrottle(s.text[:n])
		if !ok {
			return
		}
		sum.took += t.took
		sum.periods += t.periods
	}
	if len(s.groups) > 0 {
		into.set(Throttled, sum.took)
		into.set(Throttlings, sum.periods)
	}
}

func (s *system) quota() (processors float64, ok bool) { return smallest(os.DirFS("/"), s.groups) }

func (s *system) close() {
	s.threads.close()
	for _, g := range s.groups {
		g.stat.Close()
	}
	for _, f := range []*os.File{s.memory, s.stat} {
		if f != nil {
			f.Close()
		}
	}
}

// suspended returns how long the machine has been suspended: by so much the clock that counts such times is ahead of the one that
// does not. A thread that was interrupted between reading the two tries again.
func (s *system) suspended() (t int64, ok bool) {
	for range 4 {
		before, ok1 := askClock(unix.CLOCK_MONOTONIC, &s.time)
		with, ok2 := askClock(unix.CLOCK_BOOTTIME, &s.time)
		after, ok3 := askClock(unix.CLOCK_MONOTONIC, &s.time)
		if !ok1 || !ok2 || !ok3 {
			return 0, false
		}
		if after-before < int64(time.Millisecond)/4 {
			return (with - before + int64(time.Millisecond)/2) / int64(time.Millisecond) * int64(time.Millisecond), true
		}
	}
	return 0, false
}
