// SPDX-License-Identifier: BSD-3-Clause

package child

import (
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Errors are what filters make system calls fail with: all that there is a difference between, or one.
func Errors(all bool) []syscall.Errno {
	if !all {
		return []syscall.Errno{unix.EPERM}
	}
	return []syscall.Errno{unix.EPERM, unix.EACCES, unix.EINVAL, unix.ENOSYS, unix.EINTR}
}

// Refuse makes the system calls fail with errno in this process and those it starts, as a sandbox would, for good. It skips
// t where the system has no such filters.
func Refuse(t testing.TB, errno syscall.Errno, calls ...uint32) {
	t.Helper()
	if err := Filter(errno, calls...); err != nil {
		t.Skip("system calls cannot be refused here: ", err)
	}
}

// Filter is Refuse for programs.
func Filter(errno syscall.Errno, calls ...uint32) error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}} // the number of the call
	for i, call := range calls {
		program = append(program, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: call, Jt: uint8(len(calls) - i)})
	}
	program = append(program,
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
		unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(errno)})
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if _, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&filter))); e != 0 {
		return e
	}
	return nil
}
