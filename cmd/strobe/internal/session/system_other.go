// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix && !windows

package session

import (
	"errors"
	"io"
)

// SurvivePipes does nothing here: a write to a closed pipe returns an error as it is.
func SurvivePipes() {}

// IsClosedPipe reports whether err says that the reader of a pipe has gone.
func IsClosedPipe(err error) bool { return errors.Is(err, io.ErrClosedPipe) }

// LeadsNowhere returns false: a write to a standard stream that is closed returns an error here.
func LeadsNowhere(stream any) bool { return false }
