// SPDX-License-Identifier: BSD-3-Clause

package switches

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// errLocked is that the system gives no memory for a ring.
var errLocked = errors.New("a ring cannot be mapped")

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
	switch {
	case errors.Is(err, errLocked) && (e == unix.EPERM || e == unix.ENOMEM):
		means = usedUp
	case e == unix.EACCES:
		level, _ := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
		means = "the system does not allow it"
		if level = bytes.TrimSpace(level); len(level) > 0 {
			means += ": kernel.perf_event_paranoid is " + string(level)
		}
		means += "; set it to 2 or lower with sysctl, or give the program CAP_PERFMON"
	case e == unix.EPERM:
		means = "it is forbidden here, as containers do with seccomp; allow perf_event_open in the container's seccomp profile, or run outside the container"
	case e == unix.ENOSYS:
		means = "this kernel was built without performance events, or a sandbox hides them; run a kernel with CONFIG_PERF_EVENTS"
	case e == unix.EINVAL, e == unix.E2BIG:
		means = "this kernel cannot record switches in this form; run Linux 4.17 or newer"
	case e == unix.EMFILE, e == unix.ENFILE:
		means = "too many open files: each thread needs one on each processor; raise the limit with ulimit -n"
	default:
		means = "the kernel refused"
	}
	return fmt.Errorf("%s (%w)", means, e)
}
