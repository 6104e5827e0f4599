// SPDX-License-Identifier: BSD-3-Clause

package pressure

import (
	"os"
	"reflect"
	"runtime"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/internal/child"
	"github.com/strobe-go/strobe/internal/planted"
)

func TestPageFaultsAreCounted(t *testing.T) {
	p := open(t, Options{})
	const pages = 500
	for _, c := range []Counter{MinorFaults, ThreadMinorFaults} {
		memory, err := unix.Mmap(-1, 0, pages*os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			t.Fatal(err)
		}
		unix.Madvise(memory, unix.MADV_NOHUGEPAGE)
		if n := grown(t, p, c, func() {
			for i := 0; i < len(memory); i += os.Getpagesize() {
				memory[i] = 1
			}
		}); n < pages {
			t.Errorf("%v: %d of %d", c, n, pages)
		}
		unix.Munmap(memory)
	}
}

func TestThreadsThatWaitForAProcessorAreCounted(t *testing.T) {
	const long = 60 * time.Millisecond
	spinners := min(3, runtime.GOMAXPROCS(0))
	if spinners < 2 {
		t.Skip("with one P, only one thread is ready at a time")
	}
	p := open(t, Options{})
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		t.Fatal(err)
	}
	one := 0
	for !set.IsSet(one) {
		one++
	}
	set.Zero()
	set.Set(one)
	done, end := make(chan bool), make(chan bool)
	n := time.Duration(grown(t, p, Waited, func() {
		for range spinners {
			go func() {
				runtime.LockOSThread() // never unlocked: the thread ends
				unix.SchedSetaffinity(0, &set)
				for start := time.Now(); time.Since(start) < long; {
				}
				done <- true
				<-end // what a thread waited is gone with it
			}()
		}
		for range spinners {
			<-done
		}
	}))
	close(end)
	if n < long/2 { // all but one of them wait at each time
		t.Errorf("%d threads on one processor waited for %v in %v", spinners, n, long)
	}
}

func TestBeingContinuedIsCounted(t *testing.T) {
	p := open(t, Options{})
	var before, after Reading
	p.Read(&before)
	unix.Kill(os.Getpid(), unix.SIGCONT)
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		p.Read(&after)
		d := after.Since(&before)
		if n, ok := d.Value(Continued); !ok {
			t.Fatal("Linux has SIGCONT")
		} else if n >= 1 {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("SIGCONT was not counted")
}

func TestTheQuotasOfControlGroupsAreFound(t *testing.T) {
	const two = "24 23 0:21 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
	const one = "32 31 0:29 /docker/x /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n" + "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
	const stat2 = "usage_usec 5\nnr_periods 9\nnr_throttled 3\nthrottled_usec 1234\n"
	const stat1 = "nr_periods 9\nnr_throttled 4\nthrottled_time 5678\n"
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  []string
	}{
		"version 2": {fstest.MapFS{
			"proc/self/cgroup": file("0::/a/b/c\n"), "proc/self/mountinfo": file(two),
			"sys/fs/cgroup/a/b/c/cpu.stat": file(stat2), "sys/fs/cgroup/a/b/c/cpu.max": file("max 100000\n"),
			"sys/fs/cgroup/a/b/cpu.stat": file(stat2), "sys/fs/cgroup/a/b/cpu.max": file("max 100000\n"),
			"sys/fs/cgroup/a/cpu.stat": file(stat2), "sys/fs/cgroup/a/cpu.max": file("50000 100000\n"),
			"sys/fs/cgroup/cpu.stat": file("usage_usec 5\n"),
		}, []string{"sys/fs/cgroup/a/b/c/cpu.stat", "sys/fs/cgroup/a/cpu.stat"}},
		"version 1 in a container": {fstest.MapFS{
			"proc/self/cgroup": file("8:pids:/\n4:cpu,cpuacct:/docker/x/y\n0::/\n"), "proc/self/mountinfo": file(one),
			"sys/fs/cgroup/cpu,cpuacct/y/cpu.stat": file(stat1), "sys/fs/cgroup/cpu,cpuacct/y/cpu.cfs_quota_us": file("-1\n"),
			"sys/fs/cgroup/cpu,cpuacct/cpu.stat": file(stat1), "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": file("20000\n"), "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": file("100000\n"),
			"sys/fs/cgroup/unified/cpu.stat": file("usage_usec 5\n"),
		}, []string{"sys/fs/cgroup/cpu,cpuacct/y/cpu.stat", "sys/fs/cgroup/cpu,cpuacct/cpu.stat"}},
		"outside of what is mounted": {fstest.MapFS{
			"proc/self/cgroup": file("0::/../../other\n"), "proc/self/mountinfo": file(two), "sys/fs/cgroup/cpu.stat": file(stat2),
		}, []string{"sys/fs/cgroup/cpu.stat"}},
		"after lines of no use": {fstest.MapFS{
			"proc/self/cgroup": file("x\n0::/a\n4:cpu:/\n"), "proc/self/mountinfo": file(one), "sys/fs/cgroup/cpu,cpuacct/cpu.stat": file(stat1),
		}, []string{"sys/fs/cgroup/cpu,cpuacct/cpu.stat"}},
		"the root":    {fstest.MapFS{"proc/self/cgroup": file("0::/\n"), "proc/self/mountinfo": file(two), "sys/fs/cgroup/cpu.stat": file("usage_usec 5\n")}, nil},
		"not mounted": {fstest.MapFS{"proc/self/cgroup": file("0::/a\n"), "proc/self/mountinfo": file("")}, nil},
		"nothing":     {fstest.MapFS{}, nil},
		"odd":         {fstest.MapFS{"proc/self/cgroup": file("x\n:\n::\n0::a/../..\n"), "proc/self/mountinfo": file(" - \nx - cgroup2\n" + two)}, nil},
	} {
		if got := findGroups(c.files); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	files := fstest.MapFS{
		"a/cpu.max": file("50000 100000\n"), "b/cpu.max": file("max 100000\n"), "c/cpu.cfs_quota_us": file("300000\n"), "c/cpu.cfs_period_us": file("100000\n"),
		"d/cpu.cfs_quota_us": file("-1\n"), "d/cpu.cfs_period_us": file("100000\n"), "e/cpu.max": file("1 0\n"),
	}
	for dir, want := range map[string]float64{"a": 0.5, "b": 0, "c": 3, "d": 0, "e": 0, "none": 0} {
		if got, ok := quota(files, dir); got != want || ok != (want > 0) {
			t.Errorf("%s: %v, %v, want %v", dir, got, ok, want)
		}
	}
	for want, dirs := range map[float64][]group{0: {{dir: "b"}, {dir: "none"}}, 0.5: {{dir: "b"}, {dir: "c"}, {dir: "a"}}, 3: {{dir: "c"}, {dir: "d"}}} {
		if got, ok := smallest(files, dirs); got != want || ok != (want > 0) {
			t.Errorf("%v: %v, %v, want %v", dirs, got, ok, want)
		}
	}
	for text, want := range map[string]throttle{stat2: {1234_000, 3}, stat1: {5678, 4}, "odd x\n\nnr_throttled 0\n": {}} {
		if got, ok := parseThrottle([]byte(text)); !ok || got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	for _, text := range []string{"", "usage_usec 5\n", "nr_throttled x\n", "nr_throttled 99999999999999999999\n"} {
		if got, ok := parseThrottle([]byte(text)); ok {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestAQuotaThatIsUsedUpIsCounted(t *testing.T) {
	for _, f := range planted.Faults() {
		if f.Name != "cgroup quota" {
			continue
		}
		plant := f.Prepare(t)
		p := open(t, Options{}) // in the group that the fault has
		for _, c := range []Counter{Throttlings, Throttled} {
			for deadline := time.Now().Add(10 * time.Second); ; { // on a busy machine there is less to be had than the quota
				if grown(t, p, c, func() { plant(50 * time.Millisecond) }) > 0 {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("%v does not grow", c)
				}
			}
		}
		if q, ok := p.Quota(); ok {
			t.Errorf("the quota was lifted, and is %v", q)
		}
	}
}

func TestStallsForWantOfMemoryAreFoundAndRead(t *testing.T) {
	const stalls = "some avg10=0.00 avg60=0.12 avg300=0.00 total=1234\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=99\n"
	for name, c := range map[string]struct {
		files fstest.MapFS
		want  string
	}{
		"the innermost group": {fstest.MapFS{"proc/self/cgroup": file("0::/a/b\n"), "proc/self/mountinfo": file(two), "proc/pressure/memory": file(stalls),
			"sys/fs/cgroup/a/b/memory.pressure": file(stalls), "sys/fs/cgroup/a/memory.pressure": file(stalls)}, "sys/fs/cgroup/a/b/memory.pressure"},
		"one around it": {fstest.MapFS{"proc/self/cgroup": file("0::/a/b\n"), "proc/self/mountinfo": file(two), "proc/pressure/memory": file(stalls),
			"sys/fs/cgroup/a/memory.pressure": file(stalls)}, "sys/fs/cgroup/a/memory.pressure"},
		"version 1":       {fstest.MapFS{"proc/self/cgroup": file("4:memory:/a\n"), "proc/self/mountinfo": file(two), "proc/pressure/memory": file(stalls)}, "proc/pressure/memory"},
		"not counted":     {fstest.MapFS{"proc/pressure/memory": file("")}, ""},
		"not in a kernel": {fstest.MapFS{}, ""},
	} {
		if got := findStalls(c.files); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got, ok := parseStall([]byte(stalls)); !ok || got != 1234_000 {
		t.Errorf("%d, %v", got, ok)
	}
	for _, bad := range []string{"", "some", "full avg10=0.00 total=9\n", "some total=\n", "some total=x\n", "some avg10=0.00\nfull total=9\n", "some total=99999999999999999999\n"} {
		if got, ok := parseStall([]byte(bad)); ok {
			t.Errorf("%q: %d", bad, got)
		}
	}
}

func TestPagesThatAreReadFromADiskAreCounted(t *testing.T) {
	for _, f := range planted.Faults() {
		if f.Name == "pages read from a disk" {
			plant := f.Prepare(t)
			if n := grown(t, open(t, Options{}), MajorFaults, func() { plant(20 * time.Millisecond) }); n == 0 {
				t.Error("none")
			}
		}
	}
}

func TestTheTimeOfAThreadIsParsed(t *testing.T) {
	if on, off, ok := parseSchedstat([]byte("123 45 6\n")); !ok || on != 123 || off != 45 {
		t.Errorf("%d, %d, %v", on, off, ok)
	}
	if on, off, ok := parseSchedstat([]byte("0 0 0\n")); !ok || on != 0 || off != 0 {
		t.Errorf("%d, %d, %v", on, off, ok)
	}
	for _, bad := range []string{"", "123", "123 ", " 1 2 3", "x 1 2", "1 x", "99999999999999999999 1 2"} {
		if on, off, ok := parseSchedstat([]byte(bad)); ok {
			t.Errorf("%q: %d, %d", bad, on, off)
		}
	}
}

func TestRefusedCallsAreNamed(t *testing.T) {
	if !child.Process(t) {
		return
	}
	child.Refuse(t, syscall.EPERM, unix.SYS_GETRUSAGE)
	p := open(t, Options{})
	var r Reading
	p.Read(&r)
	named := 0
	for _, m := range p.Missing() {
		if m.Reason == "getrusage is refused" && m.Remedy != "" {
			named++
		}
	}
	if _, ok := r.Value(MinorFaults); ok || named != 5 {
		t.Errorf("%+v", p.Missing())
	}
	if _, ok := r.Value(Allocated); !ok {
		t.Error("the other counters are missing too")
	}
}
