// SPDX-License-Identifier: BSD-3-Clause

// Command strobe measures programs that do something again and again, and says how far each number can be trusted.
//
//	strobe demo     a small simulation, measured: the first thing to run
//	strobe --help   all verbs
//
// Results go to standard output, progress and warnings to standard error. Every verb takes --json. It exits with 0 when
// done, 1 when a gate or threshold failed, 2 on wrong usage, 3 when the result is inconclusive, 4 when the measured command
// failed and 130 when interrupted, after printing what was gathered so far.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // so that a second Ctrl-C ends the program at once
	survivePipes()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
