// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"os"

	"golang.org/x/sys/windows"
)

// columns returns the width of the terminal, 0 where it has none.
func columns(f *os.File) int {
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info) != nil {
		return 0
	}
	return int(info.Window.Right - info.Window.Left + 1)
}
