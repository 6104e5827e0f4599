// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"io"

	"golang.org/x/sys/windows"
)

func survivePipes() {}

func isClosedPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) || errors.Is(err, io.ErrClosedPipe)
}
