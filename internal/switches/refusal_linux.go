// SPDX-License-Identifier: BSD-3-Clause

package switches

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// errLocked is that the system gives no memory for a ring.
var errLocked = errors.New("a ring cannot be mapped")

// errProcessors is that the system does not tell where a thread may run.
var errProcessors = errors.New("the system does not tell on which processors this process may run")

const usedUp = "the memory that this user may lock is used up, perhaps by another recorder; raise kernel.perf_event_mlock_kb with sysctl, or ulimit -l"

// tellsPreempted reports whether a kernel of that release says of a thread that left whether it was ready to run: Linux 4.17 does. It
// takes a release that it cannot read for a new one.
func tellsPreempted(release string) bool {
	var major, minor int
	if n, _ := fmt.Sscanf(release, "%d.%d", &major, &minor); n < 2 {
		return true
	}
	return major > 4 || major == 4 && minor >= 17
}

// explain adds to an error of the kernel what it means, and what to do about it.
func explain(err error) error {
	var e syscall.Errno
	if !errors.As(err, &e) {
		return err
	}
	var means string
	var path *fs.PathError
	switch {
	case e == unix.EMFILE, e == unix.ENFILE:
		means = "too many open files: each thread needs one on each processor; raise the limit with ulimit -n"
	case errors.As(err, &path):
		return fmt.Errorf("the threads of the process cannot be listed: %w; mount /proc, and allow openat and getdents64", err)
	case errors.Is(err, errProcessors):
		return fmt.Errorf("%w; allow sched_getaffinity", err)
	case errors.Is(err, errLocked) && (e == unix.EPERM || e == unix.ENOMEM):
		means = usedUp
	case e == unix.EACCES:
		means = forbidden(os.ReadFile("/proc/sys/kernel/perf_event_paranoid"))
	case e == unix.EPERM:
		means = "it is forbidden here, as containers do with seccomp; allow perf_event_open and ioctl in the container's seccomp profile, or run outside the container"
	case e == unix.ENOSYS:
		means = "this kernel was built without performance events, or a sandbox hides them; run a kernel with CONFIG_PERF_EVENTS, or allow perf_event_open and ioctl"
	case e == unix.EINVAL, e == unix.E2BIG:
		means = "this kernel cannot record switches in this form; run Linux 4.17 or newer"
	default:
		means = "the kernel refused perf_event_open or ioctl"
	}
	return fmt.Errorf("%s (%w)", means, e)
}

// forbidden says what EACCES means, with what the file of kernel.perf_event_paranoid has.
func forbidden(paranoid []byte, err error) string {
	const raise = "; set it to 2 or lower with sysctl, or give the program CAP_PERFMON"
	text := string(bytes.TrimSpace(paranoid))
	level, damaged := strconv.Atoi(text)
	switch {
	case err != nil || damaged != nil:
		return "the system does not allow it: kernel.perf_event_paranoid may be too high" + raise
	case level > 2:
		return "the system does not allow it: kernel.perf_event_paranoid is " + text + raise
	default:
		return "the system does not allow it, though kernel.perf_event_paranoid is only " + text + "; allow perf_event_open and ioctl in the sandbox or security module"
	}
}
