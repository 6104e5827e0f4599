// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"errors"

	"golang.org/x/sys/unix"
)

// settle finds out in which form an event can be counted: all of it, its part in user mode, or by getrusage or a clock. It
// returns true if the kernel's events count it.
func (o *opener) settle(i int) bool {
	r := &o.rows[i]
	spec, err := parse(r.event, o.sys.devices)
	if err != nil {
		r.refuse(refusal{Unsupported, err.Error(), ""})
		return false
	}
	o.specs[i] = spec
	r.value.Unit, r.value.Source = spec.unit, "pmu-syscall"
	if spec.scale != 0 {
		r.value.Scale = spec.scale
	}
	if !spec.hard() {
		r.value.Source = "software"
	}
	o.user[i] = spec.user
	err = o.try(i)
	switch {
	case err == nil:
	case o.replace(i): // all of it, at the cost of another system call
		return false
	case errors.Is(err, unix.EACCES) && spec.generic() && o.sys.noPMU: // permission would not help
		r.refuse(o.sys.missing().citing(unix.EACCES))
		return false
	case errors.Is(err, unix.EACCES) && !spec.user && !spec.kernel && !spec.inKernel():
		o.user[i] = true
		if err := o.try(i); err != nil { // this error is the one to explain: permission alone would not help
			r.refuse(o.sys.explain(err))
			return false
		}
		why := o.sys.explain(err)
		r.value.Reason, r.value.Remedy = why.reason, why.remedy
	default:
		r.refuse(o.sys.explain(err))
		return false
	}
	r.value.State, r.value.UserOnly = Exact, o.user[i]
	return true
}

// try opens an event alone and closes it.
func (o *opener) try(i int) error {
	pid, _ := o.scope.pid() // 0, this thread, for the scopes of this process
	kind := uint64(0)
	if kinds := o.kinds(i); kinds != nil {
		kind = kinds[0]
	}
	fd, _, err := o.openEvent(i, kind, pid, -1)
	if err == nil {
		o.sys.close(fd)
	}
	return err
}

// replace leaves a row to getrusage or a clock if they have the same count.
func (o *opener) replace(i int) bool {
	s, r := o.specs[i], &o.rows[i]
	if _, ok := o.scope.pid(); ok || s.hard() || s.user || s.kernel {
		return false
	}
	switch s.config {
	case softFaults, softMinor, softMajor, softSwitches:
		r.source, r.value.Source = byUsage, "rusage"
	case softTaskClock:
		r.source, r.value.Source = byClock, "clock"
		if o.scope == Command { // no clock runs for children; getrusage knows microseconds
			r.source, r.value.Source = byUsage, "rusage"
		}
	default:
		return false
	}
	r.value.State = Exact
	return true
}
