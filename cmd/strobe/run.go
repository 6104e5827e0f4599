// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"unicode"
)

// The exit codes.
const (
	exitDone         = 0
	exitGate         = 1
	exitUsage        = 2
	exitInconclusive = 3
	exitCommand      = 4
	exitInterrupted  = 130
)

// A failure is an error that decides the exit code; any other means wrong usage. Its text says what is wrong and what to do
// about it, in one line.
type failure struct {
	code int
	err  error
}

func (f failure) Error() string { return f.err.Error() }
func (f failure) Unwrap() error { return f.err }

// A session is what a verb is given to work with.
type session struct {
	ctx   context.Context // ends on Ctrl-C, and when nobody reads the output any more
	in    io.Reader
	out   io.Writer // results
	err   io.Writer // progress and warnings
	verb  string    // its name, once known
	json  bool      // one JSON object on out, and nothing else there
	color bool      // out is a terminal that wants colours
}

// warn writes one line to standard error.
func (s *session) warn(format string, args ...any) {
	name := "strobe"
	if s.verb != "" {
		name += " " + s.verb
	}
	text := strings.Map(func(r rune) rune { // what the user typed may hold anything
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, fmt.Sprintf(format, args...))
	fmt.Fprintf(s.err, "%s: %s\n", name, text)
}

// run is the whole command: everything but the process around it. It returns the exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errw io.Writer) int {
	live, cancel := context.WithCancel(ctx)
	defer cancel()
	results := &output{w: out, failed: cancel}
	s := &session{ctx: live, in: in, out: results, err: errw}
	err := dispatch(s, args, isTerminal(out))
	switch {
	case results.err != nil && isClosedPipe(results.err):
		return exitDone // the reader has seen enough
	case results.err != nil:
		s.warn("cannot write the results: %v; free some space or write elsewhere", results.err)
		return exitUsage
	case ctx.Err() != nil:
		return exitInterrupted
	case err == nil:
		return exitDone
	}
	s.warn("%v", err)
	var f failure
	if errors.As(err, &f) {
		return f.code
	}
	return exitUsage
}

// An output remembers the first error of a writer, writes nothing after it, and lets the verb know by ending its context.
type output struct {
	w      io.Writer
	failed func()
	err    error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
	if err != nil {
		o.err = err
		o.failed()
	}
	return n, err
}

// isTerminal reports whether w is a character device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// wantsColor reports whether the environment lets a terminal be coloured: https://no-color.org, and a terminal that knows how.
func wantsColor() bool {
	if os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	return runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "" || os.Getenv("TERM") != ""
}
