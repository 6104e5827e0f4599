// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// An explainer knows what refusals mean on this machine.
type explainer struct {
	paranoid   string // /proc/sys/kernel/perf_event_paranoid, empty if unknown
	hypervisor bool   // this is a virtual machine
}

// explain says what an error of perf_event_open means.
func (x explainer) explain(err error) refusal {
	var e syscall.Errno
	errors.As(err, &e)
	r := refusal{state: Unsupported}
	switch e {
	case unix.EACCES:
		r = refusal{Denied, "the system does not allow it", "give the program CAP_PERFMON, or set kernel.perf_event_paranoid to 1 or lower with sysctl"}
		if x.paranoid != "" {
			r.reason += ": kernel.perf_event_paranoid is " + x.paranoid
		}
	case unix.EPERM:
		r = refusal{Denied, "it is forbidden here, as containers do with seccomp", "allow perf_event_open and ioctl in the container's seccomp profile, or run outside the container"}
	case unix.ENOENT, unix.ENODEV, unix.EOPNOTSUPP, unix.ENXIO:
		r = x.missing()
	case unix.ENOSYS:
		r.reason, r.remedy = "this kernel was built without performance events", "run a kernel with CONFIG_PERF_EVENTS"
	case unix.EINVAL, unix.E2BIG, unix.ENOSPC:
		r.reason, r.remedy = "this kernel or processor does not support the event, or not in this form", "leave out what follows the name, such as :u, or run a newer kernel"
	case unix.EMFILE, unix.ENFILE:
		r = refusal{Denied, "too many open files: each event needs one for each thread", "raise the limit with ulimit -n, or open fewer events"}
	case unix.EBUSY:
		r = refusal{Denied, "another program is using the counters, such as a profiler", "end the other program, or check whether kernel.nmi_watchdog is 1"}
	case unix.ESRCH:
		r.reason, r.remedy = "there is no such process", "check the process number"
	case unix.ENOMEM:
		r = refusal{Denied, "the kernel has no memory for it", "open fewer events"}
	default:
		r.reason = fmt.Sprintf("the kernel refused: %v", err)
	}
	return r.citing(e)
}

// missing says that there is no such counter.
func (x explainer) missing() refusal {
	if x.hypervisor {
		return refusal{Unsupported, "this virtual machine has no such counter", "let the host pass its PMU through, or run on bare metal"}
	}
	return refusal{state: Unsupported, reason: "this processor has no such counter"}
}

// citing adds the name of what the kernel answered.
func (r refusal) citing(e syscall.Errno) refusal {
	if name := unix.ErrnoName(e); name != "" {
		r.reason += " (" + name + ")"
	}
	return r
}
