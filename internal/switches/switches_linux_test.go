// SPDX-License-Identifier: BSD-3-Clause

package switches

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/internal/planted"
)

// opened opens a recorder for a test, or skips the test where the system refuses it.
func opened(t testing.TB, o Options) *Recorder {
	t.Helper()
	r, err := Open(o)
	if err != nil {
		t.Skip("the system refuses: ", err)
	}
	t.Cleanup(func() { r.Close() })
	for _, left := range r.Left() {
		t.Log("left out: ", left)
	}
	return r
}

// bothWays tests records of whole processors, where the system permits them, and of threads.
func bothWays(t *testing.T, test func(t *testing.T, o Options)) {
	t.Run("processors", func(t *testing.T) {
		if opened(t, Options{}).Options().Threads {
			t.Skip("the system permits no records of whole processors")
		}
		test(t, Options{})
	})
	t.Run("threads", func(t *testing.T) { test(t, Options{Threads: true}) })
}

// onThread runs f on a thread that no other goroutine uses and that ends with it, and returns the thread's number.
func onThread(f func()) (thread int64) {
	done := make(chan int64)
	go func() {
		runtime.LockOSThread() // never unlocked
		f()
		done <- int64(unix.Gettid())
	}()
	return <-done
}

// pin lets the calling thread run on one processor only.
func pin(t testing.TB, processor int) {
	var set unix.CPUSet
	set.Set(processor)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		t.Error("a thread cannot be tied to a processor: ", err)
	}
}

// allowed returns the processors on which threads may run.
func allowed(t testing.TB, threads []int) []int {
	t.Helper()
	list, err := processors(threads)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func read(t testing.TB, r *Recorder, from, to int64) *Records {
	t.Helper()
	got, err := r.Read(from, to)
	if err != nil {
		t.Fatal(err)
	}
	if got.Lost+len(got.Missed) > 0 && len(r.Left()) == 0 {
		t.Errorf("%d switches are missing, and records at %d", got.Lost, got.Missed)
	}
	return got
}

// of returns the times of a thread.
func (r *Records) of(thread int64) []Off {
	return slices.DeleteFunc(slices.Clone(r.Off), func(o Off) bool { return o.Thread != thread })
}

func nanosleep(d time.Duration) {
	left := unix.NsecToTimespec(int64(d))
	for unix.Nanosleep(&left, &left) == unix.EINTR {
	}
}

// eventually calls f until it returns an empty text, at most three times: something else may need the processor at the wrong moment.
func eventually(t *testing.T, f func() (wrong string)) {
	t.Helper()
	for range 3 {
		wrong := f()
		if wrong == "" {
			return
		}
		t.Log(wrong)
	}
	t.Error("three times in a row")
}

func TestAThreadThatSleepsIsOffForThatLong(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		r := opened(t, o)
		eventually(t, func() string {
			var from, to int64
			thread := onThread(func() {
				nanosleep(time.Millisecond)
				from = now()
				nanosleep(20 * time.Millisecond)
				to = now()
			})
			got := read(t, r, from, to)
			var waited, off time.Duration
			for _, o := range got.of(thread) {
				if off += o.Took(from, to); !o.Preempted {
					waited += o.Took(from, to)
				}
				if o.Processor < 0 || o.Earlier || o.Still && o.To <= to {
					t.Errorf("%+v", o)
				}
			}
			if off > time.Duration(to-from) {
				t.Errorf("off for %v of %v", off, time.Duration(to-from))
			}
			if waited < 20*time.Millisecond-100*time.Microsecond {
				return fmt.Sprintf("slept from %d to %d, and waited for %v: %+v", from, to, waited, got.of(thread))
			}
			return ""
		})
	})
}

func TestThreadsThatShareAProcessorAreDisplaced(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		if runtime.GOMAXPROCS(0) < 2 {
			t.Skip("with one P, only one thread is ready at a time")
		}
		r := opened(t, o)
		threads, err := tids()
		if err != nil {
			t.Fatal(err)
		}
		processor := allowed(t, threads)[0]
		const long = 100 * time.Millisecond
		spinner := make(chan int64)
		from := now()
		for range 2 {
			go func() {
				spinner <- onThread(func() {
					pin(t, processor)
					burning(long, unix.CLOCK_MONOTONIC)
				})
			}()
		}
		threads = threads[:0]
		for range 2 {
			threads = append(threads, int(<-spinner))
		}
		to := now()
		got := read(t, r, from, to)
		for _, thread := range threads {
			displaced := 0
			for _, o := range got.of(int64(thread)) {
				if o.Preempted && o.Processor == processor {
					displaced++
				}
			}
			if displaced == 0 {
				t.Errorf("a thread that shared its processor for %v was never displaced: %+v", long, got.of(int64(thread)))
			}
		}
	})
}

// bounce sends a byte there and back n times between two threads on one processor, and returns the threads.
func bounce(t testing.TB, n int) (threads [2]int64) {
	var there, back [2]int
	for _, p := range []*[2]int{&there, &back} {
		if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
			t.Fatal(err)
		}
		defer unix.Close(p[0])
		defer unix.Close(p[1])
	}
	list, err := tids()
	if err != nil {
		t.Fatal(err)
	}
	processor := allowed(t, list)[0]
	other := make(chan int64)
	go func() {
		other <- onThread(func() {
			pin(t, processor)
			var b [1]byte
			for range n {
				unix.Read(there[0], b[:])
				unix.Write(back[1], b[:])
			}
		})
	}()
	threads[0] = onThread(func() {
		pin(t, processor)
		var b [1]byte
		for range n {
			unix.Write(there[1], b[:])
			unix.Read(back[0], b[:])
		}
	})
	threads[1] = <-other
	return threads
}

func TestTwoThreadsAreNeverOnOneProcessorAtATime(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		const n = 500
		r := opened(t, o)
		from := now()
		threads := bounce(t, n)
		got := read(t, r, from, now())
		if got.Covered > from {
			t.Skip("too much happened for the rings")
		}
		a, b := got.of(threads[0]), got.of(threads[1])
		if len(a) < n/2 || len(b) < n/2 { // where a byte is already there, a thread goes on
			t.Fatalf("%d and %d times off in %d turns", len(a), len(b), n)
		}
		// Both are tied to the processor by the middle.
		a, b = a[len(a)/2:], b[len(b)/2:]
		for i := range a[1:] {
			on := Off{From: a[i].To, To: a[i+1].From} // the first thread is on
			j := slices.IndexFunc(b, func(o Off) bool { return o.To > on.From })
			if j < 0 || on.From < b[0].From {
				continue
			}
			if b[j].From > on.From || b[j].To < on.To {
				t.Fatalf("one thread is on from %d to %d, and the other off from %d to %d only", on.From, on.To, b[j].From, b[j].To)
			}
		}
	})
}

func TestNewThreadsAreRecorded(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		r := opened(t, o)
		for range 5 {
			var slept, woke int64
			thread := onThread(func() {
				onThread(func() {
					slept = now()
					nanosleep(5 * time.Millisecond)
					woke = now()
				})
				nanosleep(2 * time.Millisecond)
			})
			got := read(t, r, 0, now())
			if !slices.ContainsFunc(got.of(thread), func(o Off) bool { return o.To-o.From >= int64(time.Millisecond) && !o.Earlier }) {
				t.Errorf("the sleep of a new thread is not recorded: %+v", got.of(thread))
			}
			if !slices.ContainsFunc(got.Off, func(o Off) bool {
				return o.From >= slept && o.To <= woke && o.To-o.From >= int64(4*time.Millisecond)
			}) {
				t.Error("the sleep of a thread that a new thread started is not recorded")
			}
		}
	})
}

func TestOtherProgramsAreLeftOut(t *testing.T) {
	r := opened(t, Options{Samples: 1000, Faults: 1, Bytes: 4 << 20})
	for range 20 {
		from := now()
		busy := exec.Command("sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do (:); done; sleep 0.05")
		if err := busy.Start(); err != nil {
			t.Skip(err)
		}
		own := onThread(func() { nanosleep(20 * time.Millisecond) })
		busy.Wait()
		got := read(t, r, from, now())
		if got.Covered > from { // the page faults of compilers fill the rings
			continue
		}
		if len(got.of(own)) == 0 || len(got.of(int64(busy.Process.Pid))) > 0 {
			t.Errorf("%d times of a thread of the program, %d of another program", len(got.of(own)), len(got.of(int64(busy.Process.Pid))))
		}
		for _, s := range got.Samples {
			if s.Thread == int64(busy.Process.Pid) {
				t.Error("a stack of another program")
			}
		}
		return
	}
	t.Skip("others have so many page faults that the rings do not reach back to a twentieth of a second before")
}

func TestAThreadThatIsStillOffAndOneThatWasBefore(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		r := opened(t, o)
		var files [2]int
		if err := unix.Pipe2(files[:], unix.O_CLOEXEC); err != nil {
			t.Fatal(err)
		}
		defer unix.Close(files[0])
		thread := make(chan int64, 1)
		ended := make(chan struct{})
		go onThread(func() {
			thread <- int64(unix.Gettid())
			var b [1]byte
			unix.Read(files[0], b[:])
			close(ended)
		})
		id := <-thread
		var from int64
		for deadline := time.Now().Add(10 * time.Second); ; {
			from = now()
			time.Sleep(5 * time.Millisecond)
			got := read(t, r, from, now()).of(id)
			if len(got) == 1 && got[0].Still && got[0].From <= from && !got[0].Preempted {
				break
			}
			if time.Now().After(deadline) { // it has long been waiting
				t.Fatalf("a thread waits: %+v", got)
			}
		}
		unix.Close(files[1])
		<-ended
		for _, o := range read(t, r, from, from+1).of(id) {
			if o.Still || o.From > from || o.To < from {
				t.Errorf("%+v", o)
			}
		}
	})
}

func TestAProcessThatIsStoppedIsNotDisplaced(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		i := slices.IndexFunc(planted.Faults(), func(f planted.Fault) bool { return f.Name == "SIGSTOP" })
		plant := planted.Faults()[i].Prepare(t)
		r := opened(t, o)
		eventually(t, func() string {
			const d = 30 * time.Millisecond
			var from, to int64
			thread := onThread(func() {
				from = now()
				plant(d)
				to = now()
			})
			got := read(t, r, from, to).of(thread)
			if slices.ContainsFunc(got, func(o Off) bool { return !o.Preempted && o.Took(from, to) >= d/2 }) {
				return ""
			}
			return fmt.Sprintf("stopped for %v: %+v", d, got)
		})
	})
}

// burning computes for so long, of the time of the clock or of the thread's processor time.
//
//go:noinline
func burning(d time.Duration, clock int32) (turns int) {
	read := func() int64 {
		var t unix.Timespec
		unix.ClockGettime(clock, &t)
		return t.Nano()
	}
	for start := read(); read()-start < int64(d); {
		for range 200_000 { // so that hardly any time is spent in reading the clock
			turns++
		}
	}
	return turns
}

func TestStacksNameTheFunctionThatRuns(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		o.Samples = 1000
		r := opened(t, o)
		if r.Options().Samples != 1000 {
			t.Skip("no stacks")
		}
		var from, to int64
		thread := onThread(func() {
			from = now()
			burning(30*time.Millisecond, unix.CLOCK_THREAD_CPUTIME_ID)
			to = now()
		})
		got := read(t, r, from, to)
		named, own := 0, 0
		for _, s := range got.Samples {
			if s.Thread != thread {
				continue
			}
			own++
			frames := runtime.CallersFrames(s.PCs)
			for more := true; more; {
				var f runtime.Frame
				if f, more = frames.Next(); strings.HasSuffix(f.Function, ".burning") {
					named++
					break
				}
			}
		}
		if !framed {
			t.Skipf("no frame pointers here; the innermost function alone was named %d of %d times", named, own)
		}
		if own == 0 || named*10 < own*9 {
			t.Errorf("%d of %d stacks name the function", named, own)
		}
	})
}

//go:noinline
func touching(memory []byte) {
	for i := 0; i < len(memory); i += 4096 {
		memory[i] = 1
	}
}

func TestPageFaultsAreRecorded(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		o.Faults = 4
		r := opened(t, o)
		if r.Options().Faults != 4 {
			t.Skip("no page faults")
		}
		const pages = 400
		memory, err := unix.Mmap(-1, 0, pages*os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			t.Fatal(err)
		}
		defer unix.Munmap(memory)
		unix.Madvise(memory, unix.MADV_NOHUGEPAGE)
		var from, to int64
		thread := onThread(func() {
			from = now()
			touching(memory)
			to = now()
		})
		own := 0
		for _, f := range read(t, r, from, to).Faults {
			if f.Thread == thread && len(f.PCs) > 0 && strings.HasSuffix(runtime.FuncForPC(f.PCs[0]-1).Name(), ".touching") {
				own++
			}
		}
		slack := runtime.NumCPU() + 1 // each processor counts for itself
		if !o.Threads {
			slack = pages / 8 // those of other programs count, too
		}
		if own < pages/4-slack || own > pages/4+slack {
			t.Errorf("%d records for %d faults", own, pages)
		}
	})
}

func TestSmallRingsSaySinceWhenTheyKnow(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		o.Bytes, o.Samples, o.Faults = 1, -1, -1
		r := opened(t, o)
		if r.Options().Bytes != smallest() || r.Options().Samples != 0 || r.Options().Faults != 0 {
			t.Errorf("%+v", r.Options())
		}
		start := now()
		list, err := tids()
		if err != nil {
			t.Fatal(err)
		}
		onThread(func() {
			pin(t, allowed(t, list)[0])
			for range smallest() / 32 { // two records of 32 or 40 bytes each
				nanosleep(time.Microsecond)
			}
		})
		got := read(t, r, start, now())
		if got.Covered <= start || got.Covered > got.Read {
			t.Errorf("from %d to %d: covered since %d", start, got.Read, got.Covered)
		}
		for _, o := range got.Off {
			if o.From < got.Covered || o.To > got.Read || o.To < o.From {
				t.Errorf("%+v", o)
			}
		}
	})
}

func TestARecorderThatPausesKnowsNothing(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		r := opened(t, o)
		sleeps := func() (from int64, got *Records) {
			from = now()
			thread := onThread(func() { nanosleep(2 * time.Millisecond) })
			got = read(t, r, from, now())
			got.Off = got.of(thread)
			return from, got
		}
		for range 3 {
			if from, got := sleeps(); len(got.Off) == 0 || got.Covered > from {
				t.Errorf("at work: %+v, since %d", got, from)
			}
			if err := r.Pause(true); err != nil {
				t.Fatal(err)
			}
			paused := now()
			if _, got := sleeps(); len(got.Off) > 0 || got.Covered != got.Read {
				t.Errorf("paused: %+v", got)
			}
			if err := r.Pause(false); err != nil {
				t.Fatal(err)
			}
			again := now()
			if got := read(t, r, paused, now()); got.Covered <= paused || got.Covered > again || got.Lost+len(got.Missed) > 0 {
				t.Errorf("again at work, since %d: %+v", again, got)
			}
		}
		if from, got := sleeps(); len(got.Off) == 0 || got.Covered > from {
			t.Errorf("at work: %+v, since %d", got, from)
		}
	})
}

func TestTwoRecordersAndManyInTurn(t *testing.T) {
	bothWays(t, func(t *testing.T, o Options) {
		o.Bytes = 1
		a, b := opened(t, o), opened(t, o)
		files := func() int {
			list, err := os.ReadDir("/proc/self/fd")
			if err != nil {
				t.Fatal(err)
			}
			return len(list)
		}
		before := files()
		for range 5 {
			r := opened(t, o)
			r.Close()
			if _, err := r.Read(0, 1); err == nil {
				t.Error("read after Close")
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		if after := files(); after > before {
			t.Errorf("%d open files before, %d after", before, after)
		}
		for _, r := range []*Recorder{a, b} {
			from := now()
			thread := onThread(func() { nanosleep(time.Millisecond) })
			if len(read(t, r, from, now()).of(thread)) == 0 {
				t.Error("one of two recorders does not record")
			}
			if _, err := r.Read(2, 1); err == nil {
				t.Error("a window that ends before it begins was read")
			}
		}
	})
}

func TestWhatIsLeftOutIsSaid(t *testing.T) {
	threads, err := tids()
	if err != nil {
		t.Fatal(err)
	}
	n, all := len(threads)*len(allowed(t, threads)), Options{Samples: 97, Faults: 8, Bytes: 1, Descriptors: 4096}
	for _, c := range []struct{ descriptors, events, left int }{{2 * n, 2, 0}, {2*n - 1, 1, 1}, {n, 1, 1}} {
		r := &Recorder{options: all}
		r.options.Descriptors = c.descriptors
		events, err := r.afford(len(threads), len(allowed(t, threads)))
		if err != nil || len(events) != c.events || len(r.left) != c.left || (r.options.Samples == 0) != (c.left > 0) {
			t.Errorf("%d descriptors for %d events: %v, %d events, left %q", c.descriptors, n, err, len(events), r.left)
		}
	}
	if _, err := Open(Options{Descriptors: 1}); err == nil || !strings.Contains(err.Error(), "Descriptors") && !strings.Contains(err.Error(), "(") {
		t.Errorf("one descriptor: %v", err)
	}
	for processors, want := range map[int]int{1: 512 << 10, 32: 512 << 10, 48: 256 << 10, 128: 128 << 10} {
		if o, err := (Options{}).settled(processors); err != nil || o.Bytes != max(want, smallest()) {
			t.Errorf("%d processors: %+v, %v", processors, o, err)
		}
	}
	bothWays(t, func(t *testing.T, o Options) {
		if got := opened(t, o).Options(); got.Samples != 97 || got.Threads != o.Threads || got.Faults != map[bool]int{true: 8, false: 64}[o.Threads] {
			t.Errorf("%+v", got)
		}
	})
	if _, err := Open(Options{Samples: 10_001}); err == nil {
		t.Error("invalid options were taken")
	}
}
