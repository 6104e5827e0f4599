// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package command

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// patience is the time that a program has to end when asked.
const patience = time.Second

func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		pid := cmd.Process.Pid
		time.AfterFunc(patience, func() { killGroup(pid) })
		return syscall.Kill(-pid, syscall.SIGTERM)
	}
}

// killGroup kills what is left of the process group.
func killGroup(pid int) { syscall.Kill(-pid, syscall.SIGKILL) }

func signalled(s *os.ProcessState) (name string, ok bool) {
	w, ok := s.Sys().(syscall.WaitStatus)
	if !ok || !w.Signaled() {
		return "", false
	}
	return "a signal: " + w.Signal().String(), true
}

// usage fills in the system's accounting. The peak of a child starts at that of its parent, so a value that is not larger says
// nothing about the child. The kernel's counts are off by some hundred KB.
func (r *Run) usage(s *os.ProcessState) {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return
	}
	r.Peak = peakOf(u)
	r.Known.Peak = r.Peak > ownPeak()+1<<20
	r.Waited, r.Preempted, r.Known.Switches = int64(u.Nvcsw), int64(u.Nivcsw), true
}

func ownPeak() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return peakOf(&u)
}

// peakOf returns the peak in bytes: macOS counts bytes, all others kilobytes.
func peakOf(u *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) * 1024
}
