// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/child"
)

// left is the environment variable with the number of free descriptors in a process that TestPollerThatCannotStartIsNotStarted
// starts.
const left = "STROBE_PACE_DESCRIPTORS"

// The timers of package testing would start the poller.
func TestMain(m *testing.M) {
	if n, err := strconv.Atoi(os.Getenv(left)); err == nil {
		os.Exit(sleepWithDescriptors(n))
	}
	os.Exit(m.Run())
}

// sleepWithDescriptors sleeps in a process with the given number of free descriptors, and returns the exit code.
func sleepWithDescriptors(left int) int {
	clock.Now() // the first reading reads a file
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

// The runtime ends the program if its poller cannot get the descriptors that it needs.
func TestPollerThatCannotStartIsNotStarted(t *testing.T) {
	for n := range 5 {
		cmd := child.Command()
		cmd.Env = append(os.Environ(), fmt.Sprint(left, "=", n))
		out, err := cmd.CombinedOutput()
		if child.SkipIfNotStarted(t, err); err != nil {
			t.Errorf("with %d descriptors left: %v\n%.300s", n, err, out)
		}
	}
}

// The child stops itself and is continued a second later.
func TestStopOfTheProcessShowsInFull(t *testing.T) {
	if !child.Process(t, func(p *os.Process) { go sendOn(p) }) {
		return
	}
	shows := func(what string, max func() time.Duration) {
		t.Helper()
		var got time.Duration
		for range 20 { // on a busy machine the stop may come before or after what is measured
			go func() {
				time.Sleep(200 * time.Millisecond)
				unix.Kill(unix.Getpid(), unix.SIGSTOP)
			}()
			if got = max(); got >= 980*time.Millisecond {
				return
			}
		}
		t.Errorf("stopped for a second, and %s says %v", what, got)
	}
	shows("Stats", func() time.Duration {
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer cancel()
		lim := NewLimiter(Options{Rate: 60})
		for range lim.Turns(ctx) {
		}
		lim.Close()
		return lim.Stats().max
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

// sendOn continues p a second after each stop.
func sendOn(p *os.Process) {
	for {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Pid))
		if err != nil {
			return
		}
		if _, state, _ := strings.Cut(string(stat), ") "); strings.HasPrefix(state, "T") {
			time.Sleep(time.Second)
			p.Signal(unix.SIGCONT)
		}
		time.Sleep(time.Millisecond)
	}
}

func descriptors(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	return len(entries) - 1 // one descriptor reads the list
}

func TestProgramNearItsLimitOfDescriptorsIsUnharmed(t *testing.T) {
	if !child.Process(t) {
		return
	}
	const limit, most = 64, 17 + 3 + 2 // the runtime's poller: epoll, eventfd, a pipe; and those of spare
	child.LimitDescriptors(t, limit)
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

func TestWithoutDescriptorsSleepsStillEnd(t *testing.T) {
	for _, limit := range []int{5, 64, 1024} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			if child.Process(t) {
				child.ExhaustDescriptors(t, limit)
				sleepsEnd(t)
			}
		})
	}
}

func sleepsEnd(t *testing.T) {
	begin := clock.Now()
	Sleep(5 * time.Millisecond)
	if d := clock.Since(begin); d < 5*time.Millisecond || d > 2*time.Minute {
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

// While it has work, the monitor thread of the runtime sleeps for 20 µs at a time, and each sleep is a voluntary switch. A wait
// that keeps it awake makes it compete with the spin for the processor.
func TestWaitsDoNotKeepTheRuntimesMonitorAwake(t *testing.T) {
	if !child.Process(t) {
		return
	}
	const most = 15 // 1 and 4 to 8 are usual, and some 50 in a period of 5 ms if the monitor stays awake
	for _, mode := range []Mode{Yield, Lock} {
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
