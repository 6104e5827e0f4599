// SPDX-License-Identifier: BSD-3-Clause

// Kv puts to and gets from a bbolt database on several goroutines, and shows once a second where each of them spends its
// time. The profiler needs one line in each function of interest.
//
//	go run ./kv
//	go run ./kv -writers 1 -readers 8 -for 30s
//
// It exits with 0 when the time is over, 2 if a flag or the folder cannot be used, 4 if the database fails and 130 if
// interrupted. It then prints what was measured so far and removes the database.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/strobe-go/strobe"
)

const (
	exitDone        = 0
	exitUsage       = 2
	exitDatabase    = 4
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)   // a second Ctrl-C ends the program immediately
	signal.Ignore(syscall.SIGPIPE) // if the reader has gone, the program ends in an orderly way
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

const usage = `Usage: kv [-for 5s] [-writers 2] [-readers 2] [-dir FOLDER]

Puts and gets in a bbolt database from several goroutines, and shows once a second where
each of them spends its time.

  -for       how long; 0 goes on until Ctrl-C
  -writers   goroutines that put, from 0 to 1000
  -readers   goroutines that get, from 0 to 1000
  -dir       folder in which a folder for the database is made, and removed in the end;
             by default that for temporary files
`

// The options of the command line.
type options struct {
	length           time.Duration
	writers, readers int
	dir              string
}

// run is the whole program. It returns the exit code.
func run(ctx context.Context, args []string, out, errw io.Writer) int {
	fail := func(code int, err error) int {
		fmt.Fprintf(errw, "kv: %s\n", strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r < ' ' }), " "))
		return code
	}
	o, err := commandLine(args)
	if errors.Is(err, flag.ErrHelp) {
		io.WriteString(out, usage)
		return exitDone
	}
	if err != nil {
		return fail(exitUsage, err)
	}
	s, err := open(o.dir)
	if err != nil {
		return fail(exitUsage, err)
	}
	defer s.remove()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	if o.length > 0 {
		defer time.AfterFunc(o.length, func() { end(errTimeOver) }).Stop()
	}

	report := strobe.StartReporter(watched{out, end}, time.Second)
	done, err := work(ctx, s, o.writers, o.readers)
	failed := report.Stop()
	switch {
	case err != nil:
		return fail(exitDatabase, err)
	case errors.Is(failed, syscall.EPIPE):
		return exitDone // the reader has seen enough
	case failed != nil:
		return fail(exitUsage, fmt.Errorf("cannot write the report: %w", failed))
	}
	fmt.Fprintf(out, "\n%d puts, each of them on the disk; %d gets, of which %d found their key.\n", done.puts, done.gets, done.found)
	if !errors.Is(context.Cause(ctx), errTimeOver) {
		return exitInterrupted
	}
	return exitDone
}

var errTimeOver = errors.New("time is over")

// A watched writer ends the program if writing fails.
type watched struct {
	io.Writer
	end context.CancelCauseFunc
}

func (w watched) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		w.end(err)
	}
	return n, err
}

// commandLine reads the command line.
func commandLine(args []string) (o options, err error) {
	o = options{length: 5 * time.Second, writers: 2, readers: 2}
	flags := flag.NewFlagSet("kv", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Func("for", "", func(s string) (err error) {
		if o.length, err = time.ParseDuration(s); err != nil || o.length < 0 {
			return errors.New("give a length of time such as 5s, or 0 for no end")
		}
		return nil
	})
	count := func(n *int) func(string) error {
		return func(s string) (err error) {
			if *n, err = strconv.Atoi(s); err != nil || *n < 0 || *n > 1000 {
				return errors.New("give a whole number from 0 to 1000")
			}
			return nil
		}
	}
	flags.Func("writers", "", count(&o.writers))
	flags.Func("readers", "", count(&o.readers))
	flags.StringVar(&o.dir, "dir", "", "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return o, err
	case err != nil:
		return o, fmt.Errorf("%w (kv -h explains)", err)
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected %q; kv takes flags only (kv -h explains)", flags.Arg(0))
	case o.writers+o.readers == 0:
		return o, errors.New("neither writers nor readers; give at least one of -writers and -readers")
	}
	return o, nil
}
