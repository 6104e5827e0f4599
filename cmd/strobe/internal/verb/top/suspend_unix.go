// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package top

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/gdamore/tcell/v2"
)

// unstopped is how long the program waits to be stopped. The system does not stop it if there is no shell that could continue it.
const unstopped = 300 * time.Millisecond

// continued returns a channel that receives a value when a shell continues the program, until end is called.
func continued() (signals chan os.Signal, end func()) {
	signals = make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGCONT)
	return signals, func() { signal.Stop(signals) }
}

// suspend leaves the terminal to the shell until the shell continues the program. Do not use signal.Notify for SIGTSTP: Go's
// runtime could then no longer stop the process.
func suspend(screen tcell.Screen, continued chan os.Signal) error {
	screen.Suspend()
	syscall.Kill(0, syscall.SIGTSTP) // the whole process group, as the terminal does
	select {
	case <-continued:
	case <-time.After(unstopped):
	}
	return screen.Resume()
}
