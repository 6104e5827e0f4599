// SPDX-License-Identifier: BSD-3-Clause

// Mutation changes one operator or statement of a package at a time and reports the changes that no test detects.
//
//	go -C tools run ./mutation [flags] PACKAGE...
//
// PACKAGE is a folder of the module, such as stat or . for the root. Its own tests must detect the change; PACKAGE+OTHER
// also runs the tests of OTHER. The exit code is 1 if a package scores less than -least, 2 if the work could not be done.
//
// Mutants are tested in random order, so that those tested with -sample, or until an interrupt, give an estimate of the
// score.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	least := flag.Float64("least", 90, "lowest score that passes, in percent")
	root := flag.String("root", "..", "folder of the module, whose packages are named from there")
	known := flag.String("explained", "tools/mutation/explained.txt", "file of mutants that no test can detect")
	workers := flag.Int("parallel", 2, "mutants tested at the same time")
	only := flag.String("only", "", "regular expression of the functions to mutate; no score is given")
	skip := flag.String("skip", "", "regular expression of tests to leave out, such as those that fail on a busy machine")
	short := flag.Bool("short", false, "run the tests with -short: quicker, but detects less")
	sample := flag.Int("sample", 0, "number of mutants to test in each package; 0 for all")
	seed := flag.Uint64("seed", 1, "seed for the order of the mutants")
	flag.Parse()
	if err := os.Chdir(*root); err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	passed, err := run(ctx, options{
		least: *least, explained: *known, workers: *workers, only: *only, skip: *skip, short: *short, sample: *sample, seed: *seed,
	}, flag.Args())
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(2)
	case !passed:
		os.Exit(1)
	}
}
