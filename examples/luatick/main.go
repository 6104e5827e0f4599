// SPDX-License-Identifier: BSD-3-Clause

// Luatick runs a Lua script as the tick of a server, at a fixed rate, and measures it. The script does not have to be
// changed.
//
//	go run ./luatick luatick/server.lua
//	go run ./luatick -rate 30 -for 10s YOUR.lua
//
// The script is run once. If it defines a function tick, that function is then called every tick with the number of the tick,
// from 1; if not, the whole script runs again every tick. Luatick exits with 0 when the time is over, 2 if a flag or the
// script cannot be used, 4 if the script fails at run time and 130 if interrupted. It then prints what was measured so far.
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
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/pace"
)

const (
	exitDone        = 0
	exitUsage       = 2
	exitScript      = 4
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program immediately
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

const usage = `Usage: luatick [-rate 60] [-for 5s] SCRIPT.lua

Runs a Lua script as the tick of a server and measures it. If the script defines a
function tick(n), that is called every tick; if not, the whole script is the tick.

  -rate   ticks per second, from 0.1 to 100000
  -for    how long; 0 goes on until Ctrl-C
`

// run is the whole program. It returns the exit code.
func run(ctx context.Context, args []string, out, errw io.Writer) int {
	fail := func(code int, err error) int {
		fmt.Fprintf(errw, "luatick: %s\n", strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r < ' ' }), " "))
		return code
	}
	rate, length, path, err := commandLine(args)
	if errors.Is(err, flag.ErrHelp) {
		io.WriteString(out, usage)
		return exitDone
	}
	if err != nil {
		return fail(exitUsage, err)
	}
	if length > 0 {
		var cancel context.CancelCauseFunc
		ctx, cancel = context.WithCancelCause(ctx)
		defer cancel(nil)
		defer time.AfterFunc(length, func() { cancel(errTimeOver) }).Stop()
	}
	script, err := load(ctx, path)
	if err != nil {
		return fail(exitUsage, err)
	}
	defer script.close()

	m := newMeter(out)
	limiter := pace.NewLimiter(pace.Options{Rate: rate})
	defer limiter.Close()
	err = script.begin()
	for err == nil && limiter.Wait(ctx) == nil {
		err = m.tick(script.tick)
	}
	m.sum(limiter.Stats())

	switch {
	case ctx.Err() != nil && err != nil:
		if took := clock.Since(m.began); took > 100*time.Millisecond {
			fmt.Fprintf(errw, "luatick: %s had been running for %v and was stopped\n", script.where(), took.Round(time.Millisecond))
		}
	case err != nil && !errors.Is(err, errExit):
		return fail(exitScript, fmt.Errorf("%s failed: %w", script.where(), err))
	}
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errTimeOver) {
		return exitInterrupted
	}
	return exitDone
}

var errTimeOver = errors.New("time is over")

// commandLine reads the command line.
func commandLine(args []string) (rate float64, length time.Duration, path string, err error) {
	rate, length = 60, 5*time.Second
	flags := flag.NewFlagSet("luatick", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Func("rate", "", func(s string) error {
		v, err := strconv.ParseFloat(s, 64)
		if rate = v; err != nil || !(v >= pace.MinRate && v <= pace.MaxRate) {
			return fmt.Errorf("give a number from %v to %d, in Hz", pace.MinRate, pace.MaxRate)
		}
		return nil
	})
	flags.Func("for", "", func(s string) error {
		v, err := time.ParseDuration(s)
		if length = v; err != nil || v < 0 {
			return errors.New("give a length of time such as 5s, or 0 for no end")
		}
		return nil
	})
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0, 0, "", err
	case err != nil:
		return 0, 0, "", fmt.Errorf("%w (luatick -h explains)", err)
	}
	switch flags.NArg() {
	case 0:
		return 0, 0, "", errors.New("no script; give the path of one, such as luatick/server.lua")
	case 1:
		return rate, length, flags.Arg(0), nil
	}
	return 0, 0, "", fmt.Errorf("%d scripts %q; give one, after the flags", flags.NArg(), flags.Args())
}
