// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/clock"
)

// What changes a whole process is tried in one of its own: the test runs itself again, with the name of the child.
const childName = "STROBE_PACE_CHILD"

func child(t *testing.T, name string, started func(*os.Process)) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestChild$/^"+name+"$", "-test.v", "-test.timeout=120s")
	cmd.Env = append(os.Environ(), childName+"="+name)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if started != nil {
		started(cmd.Process)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	} else if strings.Contains(out.String(), "SKIP") {
		t.Skip(out.String())
	}
}

// TestMain is also the program of TestPollerThatCannotStartIsNotStarted: package testing, by its timers, would start the poller.
func TestMain(m *testing.M) {
	if left, err := strconv.Atoi(os.Getenv(childName)); err == nil {
		os.Exit(sleepWithDescriptors(left))
	}
	os.Exit(m.Run())
}

// sleepWithDescriptors sleeps in a process that has so many descriptors left, and returns the exit code.
func sleepWithDescriptors(left int) int {
	clock.Now() // which reads a file the first time
	next, err := unix.FcntlInt(0, unix.F_DUPFD_CLOEXEC, 0)
	if err != nil || unix.Close(next) != nil || unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(next + left), Max: uint64(next + left)}) != nil {
		fmt.Println("the number of descriptors cannot be limited:", err)
		return 3
	}
	for range 3 {
		begin := clock.Now()
		if Sleep(time.Millisecond); clock.Since(begin) < time.Millisecond {
			fmt.Println("a sleep ended early")
			return 4
		}
	}
	return 0
}

// The runtime ends the program if its poller cannot have the descriptors it needs.
func TestPollerThatCannotStartIsNotStarted(t *testing.T) {
	for left := range 5 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), fmt.Sprint(childName, "=", left))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("with %d descriptors left: %v\n%.300s", left, err, out)
		}
	}
}

func TestChild(t *testing.T) {
	name := os.Getenv(childName)
	if name == "" {
		t.Skip("a part of another test: runs in processes that " + childName + " is set for")
	}
	t.Run(name, map[string]func(*testing.T){
		"limit": nearTheLimit, "none": withoutDescriptors, "stop": stopped, "timer": timerRefused, "nanosleep": nanosleepRefused,
		"switches": switches, "slack": slackRefused, "realtime": realtimeRefused,
	}[name])
}

func TestProgramNearItsLimitOfDescriptorsIsUnharmed(t *testing.T) { child(t, "limit", nil) }
func TestWithoutDescriptorsSleepsStillEnd(t *testing.T)           { child(t, "none", nil) }
func TestRefusedTimerIsNamed(t *testing.T)                        { child(t, "timer", nil) }
func TestRefusedSleepIsNamed(t *testing.T)                        { child(t, "nanosleep", nil) }

func TestRefusedSlackIsNamed(t *testing.T)                   { child(t, "slack", nil) }
func TestRefusedPriorityIsNamed(t *testing.T)                { child(t, "realtime", nil) }
func TestWaitsDoNotKeepTheRuntimesMonitorAwake(t *testing.T) { child(t, "switches", nil) }

// The child stops itself, and is sent on half a second later.
func TestStopOfTheProcessShowsInFull(t *testing.T) {
	child(t, "stop", func(p *os.Process) {
		go func() {
			for {
				stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid))
				if err != nil {
					return
				}
				if _, state, _ := strings.Cut(string(stat), ") "); strings.HasPrefix(state, "T") {
					time.Sleep(500 * time.Millisecond)
					p.Signal(unix.SIGCONT)
				}
				time.Sleep(time.Millisecond)
			}
		}()
	})
}

func stopped(t *testing.T) {
	shows := func(what string, max func() time.Duration) {
		t.Helper()
		var got time.Duration
		for range 5 { // on a busy machine the stop may come before or after what is measured
			go func() {
				time.Sleep(200 * time.Millisecond)
				unix.Kill(unix.Getpid(), unix.SIGSTOP)
			}()
			if got = max(); got >= 480*time.Millisecond {
				return
			}
		}
		t.Errorf("stopped for 500 ms, and %s says %v", what, got)
	}
	shows("Stats", func() time.Duration {
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer cancel()
		lim := NewLimiter(Options{Rate: 60})
		for range lim.Turns(ctx) {
		}
		lim.Close()
		return lim.Stats().LatenessMax
	})
	for _, i := range []int{3, 4} { // spinning and not
		w := Ways()[i]
		w.N = 40
		shows("Probe", func() time.Duration {
			l, err := Probe(context.Background(), w)
			if err != nil {
				t.Error(err)
			}
			return l.Max
		})
	}
}

func descriptors(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	return len(entries) - 1 // the one that reads the list
}

func limitDescriptors(t *testing.T, n int) {
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(n), Max: uint64(n)}); err != nil {
		t.Skip(err)
	}
}

func nearTheLimit(t *testing.T) {
	const limit, most = 64, 17 + 3 + 2 // the runtime's poller: epoll, eventfd, a pipe; and those of spare
	limitDescriptors(t, limit)
	before := descriptors(t)
	mustOpen := func(when string) {
		f, err := os.Open("/dev/null")
		if err != nil {
			t.Error(when, err)
			return
		}
		f.Close()
	}
	var wg sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	for range 500 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			lim := NewLimiter(Options{Rate: 50})
			defer lim.Close()
			for range lim.Turns(ctx) {
			}
		}()
		wg.Add(1)
		go func() {
			defer wg.Done()
			for ctx.Err() == nil {
				Sleep(20 * time.Millisecond)
			}
		}()
	}
	for range 50 {
		time.Sleep(10 * time.Millisecond)
		mustOpen("while they wait:")
		if n := descriptors(t); n > before+most {
			t.Errorf("%d descriptors for 1000 that wait", n-before)
			break
		}
	}
	cancel()
	wg.Wait()
	mustOpen("after they have returned:")
	eventually(t, "the return of the descriptors", func() bool { return descriptors(t) <= before+spares+3 })
}

func withoutDescriptors(t *testing.T) {
	n := descriptors(t)
	limitDescriptors(t, n) // the runtime's poller may not have started yet, and could not
	begin := clock.Now()
	Sleep(5 * time.Millisecond)
	if d := clock.Since(begin); d < 5*time.Millisecond || d > 20*time.Second {
		t.Errorf("a sleep of 5 ms took %v", d)
	}
	lim := NewLimiter(Options{Rate: 500})
	var wg sync.WaitGroup
	for range 40 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			Sleep(10 * time.Millisecond)
		}()
	}
	for range 5 {
		if err := lim.Wait(context.Background()); err != nil {
			t.Error(err)
		}
	}
	wg.Wait()
	lim.Close()
	if s := lim.Stats(); s.Backend != "futex" || !strings.Contains(s.Reason, "too many open files") {
		t.Errorf("%q, %q", s.Backend, s.Reason)
	}
}

// refuse makes a system call fail with EPERM in this process, as a sandbox would.
func refuse(t *testing.T, call uint32) {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		t.Skip(err)
	}
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // the number of the call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: call, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if _, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&filter))); e != 0 {
		t.Skip("seccomp: ", e)
	}
}

func timerRefused(t *testing.T) {
	refuse(t, unix.SYS_TIMERFD_SETTIME)
	waitsWithAReason(t, Yield, "futex", "timerfd: operation not permitted")
}

func nanosleepRefused(t *testing.T) {
	refuse(t, unix.SYS_CLOCK_NANOSLEEP)
	waitsWithAReason(t, Lock, "time.Timer on a locked thread", "clock_nanosleep: operation not permitted")
}

func slackRefused(t *testing.T) {
	refuse(t, unix.SYS_SCHED_SETATTR)
	refuse(t, unix.SYS_PRCTL)
	waitsWithAReason(t, Realtime, "clock_nanosleep on a locked thread",
		"prctl(PR_SET_TIMERSLACK): operation not permitted; sleeps end some 50 µs later; sched_setattr(SCHED_FIFO): operation not permitted")
}

func realtimeRefused(t *testing.T) {
	refuse(t, unix.SYS_SCHED_SETATTR)
	waitsWithAReason(t, Realtime, "clock_nanosleep on a locked thread", "sched_setattr(SCHED_FIFO): operation not permitted")
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

func TestLockedThreadIsGivenBackAsItWas(t *testing.T) {
	for _, mode := range []Mode{Lock, Realtime} {
		t.Run(mode.String(), func(t *testing.T) {
			runtime.LockOSThread() // and never unlocked: the thread ends with this goroutine
			attr, err := unix.SchedGetAttr(0, 0)
			if err != nil {
				t.Skip(err)
			}
			attr.Policy, attr.Nice = unix.SCHED_BATCH, attr.Nice+3
			if err := unix.SchedSetAttr(0, attr, 0); err != nil {
				t.Skip(err)
			}
			if err := unix.Prctl(unix.PR_SET_TIMERSLACK, 200_000, 0, 0, 0); err != nil {
				t.Skip(err)
			}
			state := func() string {
				a, err := unix.SchedGetAttr(0, 0)
				slack, err2 := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0)
				return fmt.Sprint(a.Policy, a.Nice, a.Priority, a.Flags, slack, err, err2)
			}
			before := state()
			lim := NewLimiter(Options{Rate: 1000, Mode: mode})
			for range 3 {
				if err := lim.Wait(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			during := state()
			lim.Close()
			if after := state(); after != before {
				t.Errorf("policy, nice, priority, flags, slack were %s, are %s", before, after)
			}
			if during == before {
				t.Logf("nothing was changed meanwhile: %s", lim.Stats().Reason)
			}
		})
	}
}

// The monitor thread of the runtime sleeps for 20 µs at a time while it has work: each time is a voluntary switch. A wait that
// keeps it awake has it compete for the processor with the spin.
func switches(t *testing.T) {
	for mode, most := range map[Mode]float64{Yield: 2, Lock: 6.5} { // 1.0 and 4 are usual
		least := math.Inf(1)
		for try := 0; try < 5 && least > most; try++ { // other programs may cause some
			l := NewLimiter(Options{Rate: 200, Mode: mode})
			before := voluntarySwitches(t)
			for range 100 {
				l.Wait(context.Background())
			}
			after := voluntarySwitches(t)
			l.Close()
			least = min(least, float64(after-before)/float64(l.Stats().Wakeups))
			t.Logf("%v: %.2f", mode, float64(after-before)/float64(l.Stats().Wakeups))
		}
		if least > most {
			t.Errorf("%v: %.2f voluntary switches of all threads for each sleep, want at most %v", mode, least, most)
		}
	}
}

func voluntarySwitches(t *testing.T) int64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		t.Skip(err)
	}
	return int64(u.Nvcsw)
}
