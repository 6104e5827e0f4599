// SPDX-License-Identifier: BSD-3-Clause

//go:build unix && !aix

package session

import (
	"os"

	"golang.org/x/sys/unix"
)

// columns returns the width of the terminal, 0 if unknown; ok is false if f is not a terminal.
func columns(f *os.File) (n int, ok bool) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	return int(size.Col), true
}

func isTerminal(f *os.File) bool {
	_, ok := columns(f)
	return ok
}
