// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix && !windows

package main

import (
	"errors"
	"io"
)

func survivePipes() {}

func isClosedPipe(err error) bool { return errors.Is(err, io.ErrClosedPipe) }
