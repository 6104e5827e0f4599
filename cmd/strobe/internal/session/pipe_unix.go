// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package session

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// SurvivePipes makes a write to a closed pipe return an error instead of ending the process: a program that listens for
// SIGPIPE is not killed by it.
func SurvivePipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// IsClosedPipe reports whether err says that the reader of a pipe has gone.
func IsClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
