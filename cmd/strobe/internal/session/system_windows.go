// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// columns returns the width of the terminal; ok is false if f is not a terminal.
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

// SurvivePipes does nothing here: a write to a closed pipe returns an error as it is.
func SurvivePipes() {}

// IsClosedPipe reports whether err says that the reader of a pipe has gone.
func IsClosedPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) || errors.Is(err, io.ErrClosedPipe)
}

// LeadsNowhere returns false: a write to a standard stream that is closed returns an error here.
func LeadsNowhere(stream any) bool { return false }
