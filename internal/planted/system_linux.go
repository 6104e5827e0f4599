// SPDX-License-Identifier: BSD-3-Clause

package planted

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// ofSystem returns the faults that Linux can plant.
func ofSystem() []Fault {
	return []Fault{
		{"nanosleep", ".nanosleep", "", []string{"syscall", "sleep"}, simple(nanosleep)},
		{"blocked pipe", ".readPipe", "", []string{"syscall"}, preparePipe},
		{"fsync", ".write", "", []string{"syscall"}, prepareFsync},
		{"page faults", ".touch", "", []string{"page-faults"}, simple(touch)},
		{"pages read from a disk", ".load", "", []string{"paging"}, prepareLoad},
		{"another process on the processors", "", "", []string{"preempted"}, prepareProcesses},
		{"SIGSTOP", "", "", []string{"stopped"}, prepareSignal},
		{"cgroup quota", "", "", []string{"throttled"}, prepareQuota},
	}
}

//go:noinline
func nanosleep(d time.Duration) {
	left := unix.NsecToTimespec(int64(d))
	for unix.Nanosleep(&left, &left) == unix.EINTR {
	}
}

//go:noinline
func readPipe(fd int) error {
	var b [1]byte
	for {
		if _, err := unix.Read(fd, b[:]); err != unix.EINTR {
			return err
		}
	}
}

// preparePipe is for a pipe that the runtime does not poll, so that reading it blocks the thread.
func preparePipe(t testing.TB) (func(time.Duration), error) {
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		return nil, err
	}
	t.Cleanup(func() { unix.Close(fds[0]); unix.Close(fds[1]) })
	return func(d time.Duration) {
		time.AfterFunc(d, func() { unix.Write(fds[1], []byte{1}) })
		if err := readPipe(fds[0]); err != nil {
			t.Error(err)
		}
	}, nil
}

//go:noinline
func write(f *os.File, b []byte) error {
	if _, err := f.WriteAt(b, 0); err != nil {
		return err
	}
	return f.Sync()
}

func prepareFsync(t testing.TB) (func(time.Duration), error) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { f.Close() })
	b := make([]byte, 1<<20)
	return func(d time.Duration) {
		for start := time.Now(); time.Since(start) < d; {
			if err := write(f, b); err != nil {
				t.Error(err)
				return
			}
		}
	}, nil
}

// touch uses fresh memory for the first time until d has passed.
//
//go:noinline
func touch(d time.Duration) {
	page := os.Getpagesize()
	for start := time.Now(); time.Since(start) < d; {
		memory, err := unix.Mmap(-1, 0, 1024*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			return
		}
		unix.Madvise(memory, unix.MADV_NOHUGEPAGE)
		for i := 0; i < len(memory) && time.Since(start) < d; i += page {
			memory[i] = 1
		}
		unix.Munmap(memory)
	}
}

// load reads pages of a mapped file, in an order that the kernel does not foresee, until d has passed. They are not in memory.
//
//go:noinline
func load(file *os.File, mapped []byte, d time.Duration) (sum int) {
	page := os.Getpagesize()
	for start := time.Now(); ; {
		unix.Madvise(mapped, unix.MADV_DONTNEED)
		unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
		for i := range len(mapped) / page {
			if time.Since(start) >= d {
				return sum
			}
			sum += int(mapped[i*loadStride%(len(mapped)/page)*page])
		}
	}
}

// loadStride has no common divisor with a power of two.
const loadStride = 1237

func prepareLoad(t testing.TB) (func(time.Duration), error) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { f.Close() })
	b := make([]byte, 1<<20)
	for range 16 {
		if _, err := f.Write(b); err != nil {
			return nil, err
		}
	}
	if err := f.Sync(); err != nil {
		return nil, err
	}
	mapped, err := unix.Mmap(int(f.Fd()), 0, 16<<20, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { unix.Munmap(mapped) })
	if err := unix.Madvise(mapped, unix.MADV_RANDOM); err != nil {
		return nil, err
	}
	read := func() int64 {
		var u unix.Rusage
		unix.Getrusage(unix.RUSAGE_SELF, &u)
		return int64(u.Majflt)
	}
	before := read()
	if load(f, mapped, 5*time.Millisecond); read() == before {
		return nil, errors.New("the files of " + t.TempDir() + " stay in memory")
	}
	return func(d time.Duration) { runtime.KeepAlive(load(f, mapped, d)) }, nil
}

// shell starts a script, which ends with the test, or with its processor time if that never comes.
func shell(t testing.TB, script string) (*exec.Cmd, error) {
	cmd := exec.Command("sh", "-c", "ulimit -t 60; "+script)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Process.Kill()
		cmd.Wait()
	})
	return cmd, nil
}

// prepareProcesses has processes that compute, and are stopped except while the fault is planted.
func prepareProcesses(t testing.TB) (func(time.Duration), error) {
	var children []*os.Process
	for range 8 * runtime.NumCPU() { // so that little is left for this one
		cmd, err := shell(t, "while :; do :; done")
		if err != nil {
			return nil, err
		}
		unix.Setpriority(unix.PRIO_PROCESS, cmd.Process.Pid, -20) // for root only
		cmd.Process.Signal(unix.SIGSTOP)
		children = append(children, cmd.Process)
	}
	all := func(s os.Signal) {
		for _, p := range children {
			p.Signal(s)
		}
	}
	return func(d time.Duration) {
		all(unix.SIGCONT)
		computeAtLeast(d)
		all(unix.SIGSTOP)
	}, nil
}

// prepareSignal has a process that stops this one.
func prepareSignal(t testing.TB) (func(time.Duration), error) {
	cmd := exec.Command("sh", "-c", "while read d; do kill -STOP $PPID; sleep $d; kill -CONT $PPID; done")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, unix.SIGCONT)
	t.Cleanup(func() { // it ends when there is nothing to read, after it has continued this process
		in.Close()
		cmd.Wait()
		signal.Stop(continued)
	})
	return func(d time.Duration) {
		if _, err := fmt.Fprintf(in, "%f\n", d.Seconds()); err != nil {
			t.Error(err)
			return
		}
		late := time.After(d + 20*time.Second)
		for {
			select {
			case <-continued:
				return
			case <-late:
				t.Error("this process was not stopped")
				return
			default:
				turns(1000)
			}
		}
	}, nil
}

// prepareQuota has a control group of its own, whose quota is small while the fault is planted. The process returns to its group
// when the test ends.
func prepareQuota(t testing.TB) (func(time.Duration), error) {
	const root = "/sys/fs/cgroup/cpu"
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	home := ""
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) == 3 && strings.HasPrefix(parts[1], "cpu") && !strings.HasPrefix(parts[1], "cpuset") && !strings.HasPrefix(parts[1], "cpuacct") {
			home = filepath.Join(root, parts[2])
		}
	}
	if home == "" {
		return nil, errors.New("there are no control groups of version 1 with quotas")
	}
	dir, err := os.MkdirTemp(home, "strobe-planted-")
	if err != nil {
		return nil, err
	}
	set := func(dir, file, value string) error {
		return os.WriteFile(filepath.Join(dir, file), []byte(value), 0)
	}
	t.Cleanup(func() {
		set(home, "cgroup.procs", fmt.Sprint(os.Getpid()))
		if err := os.Remove(dir); err != nil {
			t.Error(err)
		}
	})
	err = errors.Join(set(dir, "cpu.cfs_period_us", "20000"), set(dir, "cgroup.procs", fmt.Sprint(os.Getpid())))
	if err != nil {
		return nil, err
	}
	return func(d time.Duration) {
		err := set(dir, "cpu.cfs_quota_us", "1000") // a twentieth of a processor
		computeAtLeast(d)
		if err = errors.Join(err, set(dir, "cpu.cfs_quota_us", "-1")); err != nil {
			t.Error(err)
		}
	}, nil
}
