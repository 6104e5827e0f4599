// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package docs

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a command a process group, so that endGroup reaches its children too.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func endGroup(cmd *exec.Cmd) error {
	if cmd.Process == nil {
		return nil
	}
	return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
}
