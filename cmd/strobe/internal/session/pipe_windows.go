// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"errors"
	"io"

	"golang.org/x/sys/windows"
)

// SurvivePipes does nothing here: a write to a closed pipe returns an error as it is.
func SurvivePipes() {}

// IsClosedPipe reports whether err says that the reader of a pipe has gone.
func IsClosedPipe(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) || errors.Is(err, io.ErrClosedPipe)
}
