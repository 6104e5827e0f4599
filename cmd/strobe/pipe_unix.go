// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// survivePipes makes a write to a closed pipe return an error instead of ending the process: whoever listens for the signal
// is not killed by it.
func survivePipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

func isClosedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
