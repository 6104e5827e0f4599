// SPDX-License-Identifier: BSD-3-Clause

// Command strobe measures programs that do something repeatedly, and says how reliable each number is.
//
//	strobe demo     measures a small simulation: the first thing to run
//	strobe --help   all verbs
//
// Results go to standard output, progress and warnings to standard error. Every verb takes --json. It exits with 0 when
// done, 1 when a gate or threshold failed, 2 on wrong usage or unusable input, 3 when the result is inconclusive, 4 when the
// measured command failed, 5 when results could not be written, and 130 when interrupted, after printing what was gathered so far.
package main

import (
	"os"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

func main() {
	session.SurvivePipes()
	os.Exit(cli.Run(session.Interruptible(), verbs(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
