// SPDX-License-Identifier: BSD-3-Clause

//go:build !(unix && !aix) && !windows

package session

import "os"

// columns returns false: this system has no known way to ask a terminal.
func columns(*os.File) (n int, ok bool) { return 0, false }

// isTerminal reports whether f is a character device, which is all that is known here.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
