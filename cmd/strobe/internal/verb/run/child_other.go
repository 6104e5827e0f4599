// SPDX-License-Identifier: BSD-3-Clause

//go:build !(unix && !aix)

package run

import (
	"os"
	"os/exec"
	"os/signal"
)

// notify begins to receive interrupts. The system sends them to the program, too.
func notify(c chan<- os.Signal) { signal.Notify(c, os.Interrupt) }

func keyboard(os.Signal) bool { return true }

func separate(*exec.Cmd) bool { return false }

func codeOf(s *os.ProcessState) (code int, name string) { return s.ExitCode(), "" }
