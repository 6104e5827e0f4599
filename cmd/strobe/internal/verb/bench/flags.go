// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"strconv"

	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
)

// Flags are the flags of the verb.
type Flags struct {
	Commands []string `arg:"" name:"CMD" help:"Commands, each as one argument: 'sleep 0.1'."`

	Name    []string `sep:"none" placeholder:"TEXT" help:"Name of a command in the results; once for each command."`
	Param   []string `sep:"none" placeholder:"NAME=LIST" help:"Replace {NAME} in commands by each value: 1,2,4 or 1..9 or 0..100:20."`
	Prepare string   `placeholder:"CMD" help:"Run this before each run, outside the timing."`
	Cleanup string   `placeholder:"CMD" help:"Run this at the end, once for each command."`
	Warmup  amount   `default:"1" placeholder:"1" help:"Untimed runs of each command at the start."`

	Precision flags.Share    `default:"1%" placeholder:"1%" help:"Stop when the intervals are this narrow; 0 to go on."`
	MaxTime   flags.Duration `default:"5s" placeholder:"5s" help:"Stop after this much running time per command; 0 for no limit."`
	MinRuns   amount         `default:"10" placeholder:"10" help:"Least number of runs of each command."`
	Runs      amount         `placeholder:"N" help:"Exact number of runs of each command."`

	Gate   *flags.Share `placeholder:"5%" help:"Exit 1 if a command is slower than the first by more than this, 3 if that is undecided."`
	Same   flags.Share  `default:"1%" placeholder:"1%" help:"Call commands the same if they differ by less."`
	By     string       `enum:"wall,cpu" default:"wall" placeholder:"wall" help:"Compare elapsed time (wall) or processor time (cpu), which a busy machine affects less."`
	Export []string     `sep:"none" placeholder:"FILE" help:"Write a file; its name ends in .json, .csv, .md, .html or .txt, or give FORMAT=FILE."`

	Shell         bool   `help:"Run commands in the shell."`
	Sequential    bool   `help:"Run all of one command before the next; gives no verdicts."`
	IgnoreFailure bool   `help:"Accept exit codes other than 0."`
	ShowOutput    bool   `help:"Show what commands print, on standard error."`
	NoCounters    bool   `help:"Do not use performance counters."`
	Seed          uint64 `placeholder:"N" help:"Seed for the order of runs."`
}

// An amount is a number of runs.
type amount int

func (n *amount) UnmarshalText(text []byte) error {
	v, err := strconv.Atoi(string(text))
	if err != nil || v < 0 || v > 10_000_000 {
		return fmt.Errorf("%q is not a number of runs; give a whole number, 0 or more", text)
	}
	*n = amount(v)
	return nil
}
