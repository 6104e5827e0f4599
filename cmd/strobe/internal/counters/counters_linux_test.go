// SPDX-License-Identifier: BSD-3-Clause

package counters

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// kernel answers as one would that refuses with all, and with user where only user mode is asked for.
func kernel(all, user error) func(kernelEvent, bool) error {
	return func(_ kernelEvent, userOnly bool) error {
		if userOnly {
			return user
		}
		return all
	}
}

func TestRefusalsAreExplained(t *testing.T) {
	cycles, switches := kernelEvents()[0], kernelEvents()[7]
	for _, c := range []struct {
		event     kernelEvent
		all, user error
		system    system
		userOnly  bool
		reasons   []string // none: it can be had
	}{
		{event: cycles},
		{event: cycles, all: unix.EACCES, userOnly: true},
		{event: switches, all: unix.EACCES, system: system{paranoid: "2"}, reasons: []string{"perf_event_paranoid is 2", "EACCES"}},
		{event: cycles, all: unix.EACCES, user: unix.EACCES, system: system{paranoid: "3"}, reasons: []string{"perf_event_paranoid is 3", "CAP_PERFMON"}},
		{event: cycles, all: unix.EACCES, user: unix.EACCES, reasons: []string{"not allowed;"}},
		{event: cycles, all: unix.ENOENT, reasons: []string{"this processor", "ENOENT"}},
		{event: cycles, all: unix.ENOENT, system: system{hypervisor: true}, reasons: []string{"virtual machine", "ENOENT"}},
		{event: cycles, all: unix.EPERM, reasons: []string{"seccomp", "EPERM"}},
		{event: cycles, all: unix.ENOSYS, reasons: []string{"kernel", "ENOSYS"}},
		{event: cycles, all: unix.EINVAL, reasons: []string{"kernel", "EINVAL"}},
		{event: cycles, all: unix.EMFILE, reasons: []string{"ulimit", "EMFILE"}},
		{event: cycles, all: unix.EBUSY, reasons: []string{"taken", "EBUSY"}},
		{event: cycles, all: errIdle, reasons: []string{"never counted"}},
		{event: cycles, all: unix.EIO, reasons: []string{"refused"}},
	} {
		got := c.event.try(kernel(c.all, c.user), c.system)
		if got.Name != c.event.name || got.UserOnly != c.userOnly || (got.Err == nil) != (len(c.reasons) == 0) {
			t.Errorf("%s, %v: %+v", c.event.name, c.all, got)
			continue
		}
		for _, reason := range c.reasons {
			if !strings.Contains(got.Err.Error(), reason) {
				t.Errorf("%s, %v: %q does not contain %q", c.event.name, c.all, got.Err, reason)
			}
		}
	}
}

func TestOpenAgreesWithTheKernelOnNonsense(t *testing.T) {
	err := open(kernelEvent{name: "nonsense", kind: 1 << 20, config: 1}, false)
	if err == nil || errors.Is(err, errIdle) {
		t.Errorf("an event of no kind opened: %v", err)
	}
}
