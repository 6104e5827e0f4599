// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"errors"
	"strconv"
	"syscall"
)

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

// A Meaning says what an exit code means.
type Meaning struct {
	Code int
	Text string // a phrase, in lower case
}

// Meanings returns the exit codes with what they mean, for the help and the manual.
func Meanings() []Meaning {
	return []Meaning{
		{Done, "done"},
		{GateFailed, "a gate failed"},
		{Usage, "wrong usage, or input that cannot be read"},
		{Inconclusive, "inconclusive"},
		{CommandFailed, "what was measured failed, or a connection broke off"},
		{Unwritten, "results could not be written"},
		{Interrupted, "interrupted; what was measured until then is printed"},
	}
}

// A Failure is an error that decides the exit code. Its text says what is wrong and what to do about it, in one line.
type Failure struct {
	Code int
	Err  error
}

// Error returns the text of Err.
func (f Failure) Error() string { return f.Err.Error() }

// Unwrap returns Err.
func (f Failure) Unwrap() error { return f.Err }

// CodeOf returns the exit code of an error: Done for nil, that of a Failure, Unwritten if a disk was full or read-only, otherwise Usage.
func CodeOf(err error) int {
	var f Failure
	switch {
	case err == nil:
		return Done
	case errors.As(err, &f):
		return f.Code
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.EDQUOT):
		return Unwritten
	}
	return Usage
}

// An Exit is an error that is the exit code of a program that a verb ran in the place of the user. Nothing is printed about it.
type Exit int

// Error says what it is.
func (e Exit) Error() string { return "exit code " + strconv.Itoa(int(e)) }
