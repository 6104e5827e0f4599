// SPDX-License-Identifier: BSD-3-Clause

package session

import "errors"

// The exit codes.
const (
	Done          = 0
	GateFailed    = 1
	Usage         = 2 // wrong flags, or input that cannot be used
	Inconclusive  = 3
	CommandFailed = 4 // the command that was measured, not strobe
	Unwritten     = 5 // results could not be written
	Interrupted   = 130
)

// A Failure is an error that decides the exit code. Its text says what is wrong and what to do about it, in one line.
type Failure struct {
	Code int
	Err  error
}

// Error returns the text of Err.
func (f Failure) Error() string { return f.Err.Error() }

// Unwrap returns Err.
func (f Failure) Unwrap() error { return f.Err }

// CodeOf returns the exit code of an error: Done for nil, that of a Failure, otherwise Usage.
func CodeOf(err error) int {
	var f Failure
	switch {
	case err == nil:
		return Done
	case errors.As(err, &f):
		return f.Code
	}
	return Usage
}
