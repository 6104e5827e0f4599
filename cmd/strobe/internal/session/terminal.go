// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"os"
	"runtime"
	"strconv"
)

// IsTerminal reports whether stream, a reader or a writer, is a terminal. The null device is none.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && isTerminal(f)
}

// WantsColor reports whether the environment allows colours on a terminal: see https://no-color.org.
func WantsColor() bool {
	if os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	return runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "" || os.Getenv("TERM") != ""
}

// Width returns how many columns results may take: those of the terminal, or what the variable COLUMNS says; 0 means any number.
func Width(stream any) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := stream.(*os.File); ok && IsTerminal(f) {
		n, _ := columns(f)
		return n
	}
	return 0
}

// Screen reports whether the results go to a terminal on which text can be placed, rather than line after line.
func (s *Session) Screen() bool {
	o, ok := s.Out.(*Output)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	f, ok := o.W.(*os.File)
	if ok {
		_, ok = columns(f)
	}
	return ok
}
