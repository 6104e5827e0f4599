// SPDX-License-Identifier: BSD-3-Clause

//go:build unix && !aix

package run

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// notify begins to receive the signals that are passed on.
func notify(c chan<- os.Signal) {
	signal.Notify(c, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2)
}

// keyboard reports whether a terminal sends the signal.
func keyboard(s os.Signal) bool { return s == os.Interrupt || s == syscall.SIGQUIT }

// separate gives the program a process group of its own, unless this process is in the foreground of a terminal: there both get the
// signals of the keyboard, and only the foreground may read. It reports whether it did.
func separate(cmd *exec.Cmd) bool {
	if foreground() {
		return false
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return true
}

func foreground() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer tty.Close()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// codeOf returns the exit code by which a shell reports the end of a process, and the signal that ended it.
func codeOf(s *os.ProcessState) (code int, name string) {
	w, ok := s.Sys().(syscall.WaitStatus)
	if !ok || !w.Signaled() {
		return s.ExitCode(), ""
	}
	name = unix.SignalName(w.Signal())
	if name == "" {
		name = w.Signal().String()
	}
	return 128 + int(w.Signal()), name
}
