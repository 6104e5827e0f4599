// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package child

import (
	"errors"
	"syscall"
	"testing"
)

// Errors returns nothing.
func Errors(all bool) []syscall.Errno { return nil }

// Refuse skips t: this system has no filters of system calls.
func Refuse(t testing.TB, errno syscall.Errno, calls ...uint32) {
	t.Helper()
	t.Skip("system calls cannot be refused here: ", Filter(errno, calls...))
}

// Filter returns an error.
func Filter(errno syscall.Errno, calls ...uint32) error { return errors.ErrUnsupported }
