// SPDX-License-Identifier: BSD-3-Clause

package child

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestRefusedCallsFailAndOthersDoNot(t *testing.T) {
	if !Process(t) {
		return
	}
	Refuse(t, unix.EXDEV, unix.SYS_GETPRIORITY, unix.SYS_UMASK)
	if _, err := unix.Getpriority(unix.PRIO_PROCESS, 0); err != unix.EXDEV {
		t.Error(err)
	}
	if _, _, e := unix.RawSyscall(unix.SYS_UMASK, 0, 0, 0); e != unix.EXDEV {
		t.Error(e)
	}
	if unix.Getpid() <= 0 || unix.Getppid() <= 0 {
		t.Error("a call that is allowed fails")
	}
}
