// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"os"

	"golang.org/x/sys/windows"
)

// columns returns the width of the terminal; ok is false if f is no terminal.
func columns(f *os.File) (n int, ok bool) {
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info) != nil {
		return 0, false
	}
	return int(info.Window.Right - info.Window.Left + 1), true
}

func isTerminal(f *os.File) bool {
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) == nil
}
