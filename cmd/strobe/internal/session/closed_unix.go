// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package session

import (
	"os"

	"golang.org/x/sys/unix"
)

// isClosed reports whether f was a standard stream that was closed when the program started. The Go runtime opens the null
// device in its place, for reading and writing; a shell opens /dev/null for writing alone. Some programs pass the null device for
// reading and writing to their children, too. If they pass the same one as standard error, they want no output.
func isClosed(f *os.File) bool {
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR || !isNull(f) {
		return false
	}
	return !isNull(os.Stderr) || !sameOpenFile(f, os.Stderr)
}

func isNull(f *os.File) bool {
	info, err := f.Stat()
	null, errNull := os.Stat(os.DevNull)
	return err == nil && errNull == nil && os.SameFile(info, null)
}

// sameOpenFile reports whether a and b share their flags, as descriptors do that were made from one.
func sameOpenFile(a, b *os.File) bool {
	was, err := unix.FcntlInt(a.Fd(), unix.F_GETFL, 0)
	if err != nil {
		return false
	}
	defer unix.FcntlInt(a.Fd(), unix.F_SETFL, was)
	unix.FcntlInt(a.Fd(), unix.F_SETFL, was^unix.O_APPEND)
	changed, err := unix.FcntlInt(b.Fd(), unix.F_GETFL, 0)
	return err == nil && changed&unix.O_APPEND != was&unix.O_APPEND && a.Fd() != b.Fd()
}
