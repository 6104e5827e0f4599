// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package session

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// SurvivePipes makes a write to a closed pipe return an error instead of ending the process: a program that listens for
// SIGPIPE is not killed by it.
func SurvivePipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// IsClosedPipe reports whether err says that the reader of a pipe has gone.
func IsClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// LeadsNowhere reports whether stream is the null device, opened for reading and writing. The Go runtime replaces a closed
// standard stream by it. Some programs also pass it to child processes to discard results. The two cannot be distinguished, so it
// is not an error. A shell opens /dev/null only for writing, which does not count.
func LeadsNowhere(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
		return false
	}
	info, err := f.Stat()
	null, errNull := os.Stat(os.DevNull)
	return err == nil && errNull == nil && os.SameFile(info, null)
}
