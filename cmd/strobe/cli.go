// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/strobe-go/strobe/pace"
)

// A cli is the command line. Every verb is a struct with its flags and a Run method.
type cli struct {
	JSON    bool        `name:"json" help:"Print one JSON object (\"schema\": 1) instead of text."`
	NoColor bool        `name:"no-color" help:"Print without colours, as with NO_COLOR=1."`
	Help    helpFlag    `short:"h" help:"Explain the command or a verb."`
	Version versionFlag `help:"Print the version."`

	Demo    demoCmd    `cmd:"" help:"Measures a small simulation: the first thing to run."`
	Probe   probeCmd   `cmd:"" help:"Surveys this machine: clocks, sleeps, counters, and what to change."`
	Exact   exactCmd   `cmd:"" help:"Runs Go tests and benchmarks where every instruction is counted."`
	Bench   benchCmd   `cmd:"" help:"Measures commands in turn, and says which is faster."`
	Compare compareCmd `cmd:"" help:"Compares two files of results: Go benchmarks, or of strobe bench."`
	Stat    statCmd    `cmd:"" help:"Says what a file of numbers is worth: mean, quantiles, intervals, picture."`
	Frames  framesCmd  `cmd:"" help:"Reports on frame-time captures by named definitions; compares them; plots."`
}

var (
	errHelp    = errors.New("help wanted")
	errVersion = errors.New("version wanted")
)

type helpFlag bool

func (helpFlag) BeforeReset() error { return errHelp }

type versionFlag bool

func (versionFlag) BeforeReset() error { return errVersion }

// dispatch understands args and runs the verb.
func dispatch(s *session, args []string, terminal bool) error {
	var c cli
	parser, err := kong.New(&c, kong.Name("strobe"), kong.NoDefaultHelp(), kong.WithHyphenPrefixedParameters(true))
	if err != nil {
		return err
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:len(args):len(args)], "--help")
	}
	if len(args) == 0 {
		return writeHelp(s.out, parser.Model, nil)
	}
	ctx, err := parser.Parse(args)
	if wrong := (*kong.ParseError)(nil); errors.As(err, &wrong) {
		verb := wrong.Context.Selected()
		switch {
		case errors.Is(err, errVersion):
			_, err := fmt.Fprintln(s.out, "strobe", version())
			return err
		case errors.Is(err, errHelp) || wantsHelp(args):
			return writeHelp(s.out, parser.Model, verb)
		}
		return failure{exitUsage, explain(s, wrong.Error(), verb)}
	}
	if err != nil {
		return err
	}
	s.verb, s.json, s.color = ctx.Selected().Name, c.JSON, terminal && !c.NoColor && wantsColor()
	return ctx.Run(s)
}

// wantsHelp reports whether help is asked for among flags that are wrong.
func wantsHelp(args []string) bool {
	for _, a := range args {
		switch a {
		case "--help", "-h":
			return true
		case "--":
			return false
		}
	}
	return false
}

// explain turns what the parser says into a line that says where, what, and what to do.
func explain(s *session, text string, verb *kong.Node) error {
	if verb != nil {
		s.verb = verb.Name
		return fmt.Errorf("%s (see strobe %s --help)", text, verb.Name)
	}
	if unknown, ok := strings.CutPrefix(text, "unexpected argument "); ok {
		name, guess, _ := strings.Cut(unknown, ", ")
		if name == "" || guess == "" {
			return fmt.Errorf("unknown verb %q (strobe --help lists them)", name)
		}
		return fmt.Errorf("unknown verb %q, %s (strobe --help lists them)", name, guess)
	}
	if strings.HasPrefix(text, "expected ") {
		return errors.New("a verb is missing (strobe --help lists them)")
	}
	return fmt.Errorf("%s (see strobe --help)", text)
}

// version returns the version of the module that the binary was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown version)"
	}
	return info.Main.Version
}

// A hertz is a rate that a limiter can keep.
type hertz float64

func (h *hertz) UnmarshalText(text []byte) error {
	rate, err := strconv.ParseFloat(string(text), 64)
	if err != nil || !(rate >= pace.MinRate && rate <= pace.MaxRate) { // NaN is neither
		return fmt.Errorf("%q is no rate to run at; give a number from %v to %d, in Hz", text, pace.MinRate, pace.MaxRate)
	}
	*h = hertz(rate)
	return nil
}

// A span is a length of time, 0 for no end.
type span time.Duration

func (d *span) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil || v < 0 {
		return fmt.Errorf("%q is no length of time; give one such as 10s or 1m30s, or 0 for no end", text)
	}
	*d = span(v)
	return nil
}

// A size is how many boids fly.
type size int

func (n *size) UnmarshalText(text []byte) error {
	v, err := strconv.Atoi(string(text))
	if err != nil || v < 1 || v > 100_000 {
		return fmt.Errorf("%q is no flock; give a whole number from 1 to 100000", text)
	}
	*n = size(v)
	return nil
}
