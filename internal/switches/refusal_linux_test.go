// SPDX-License-Identifier: BSD-3-Clause

package switches

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/internal/child"
)

func TestKernelsThatTellTooLittleAreKnown(t *testing.T) {
	for release, want := range map[string]bool{"4.16.18-generic": false, "4.17.0": true, "3.10.0-1160.el7.x86_64": false, "5.4.0-rc1": true, "6.18.44-fc": true, "": true, "x": true} {
		if tellsPreempted(release) != want {
			t.Errorf("Linux %s: want %v", release, want)
		}
	}
}

func TestARefusalNamesReasonAndRemedy(t *testing.T) {
	for e, want := range map[syscall.Errno]string{unix.EPERM: "seccomp", unix.EACCES: "perf_event_paranoid", unix.ENOSYS: "CONFIG_PERF_EVENTS", unix.EINTR: "refused perf_event_open or ioctl"} {
		t.Run(unix.ErrnoName(e), func(t *testing.T) {
			if !child.Process(t) {
				return
			}
			child.Refuse(t, e, unix.SYS_PERF_EVENT_OPEN)
			r, err := Open(Options{})
			if r != nil || err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), unix.ErrnoName(e)) && !strings.Contains(err.Error(), e.Error()) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestTheLevelOfParanoiaIsTheReasonOnlyIfItIsHigh(t *testing.T) {
	for level, want := range map[string]string{"4\n": "is 4; set it to 2", "2": "though kernel.perf_event_paranoid is only 2; allow", "-1": "only -1; allow", "": "may be too high; set it to 2"} {
		if got := forbidden([]byte(level), nil); !strings.Contains(got, want) {
			t.Errorf("%q: %q", level, got)
		}
	}
	if got := forbidden(os.ReadFile("/nowhere/paranoid")); !strings.Contains(got, "may be too high; set it to 2") {
		t.Errorf("%q", got)
	}
}
