// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"strconv"

	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
)

// Flags are the flags of the verb.
type Flags struct {
	Commands      []string `arg:"" name:"CMD" help:"Commands, each as one argument: 'sleep 0.1'."`
	Reference     string   `placeholder:"CMD" help:"Compare with this command, which is also measured. Default: the first command."`
	ReferenceName string   `placeholder:"TEXT" help:"Name of the reference command in the results."`

	Name     []string   `short:"n" aliases:"command-name" sep:"none" placeholder:"TEXT" help:"Name of a command in the results; once for each command."`
	Param    []string   `sep:"none" placeholder:"NAME=LIST" help:"Replace {NAME} in commands by each value: 1,2,4 or 1..9 or 0..100:20."`
	List     [][]string `name:"parameter-list" short:"L" type:"words" words:"2" placeholder:"NAME LIST" help:"As --param NAME=LIST, with a comma in a value written as \\,."`
	Scan     [][]string `name:"parameter-scan" short:"P" type:"words" words:"3" placeholder:"NAME MIN MAX" help:"Replace {NAME} by each number from MIN to MAX."`
	Step     string     `name:"parameter-step-size" short:"D" placeholder:"DELTA" help:"Step of --parameter-scan. Default: 1."`
	Setup    string     `short:"s" placeholder:"CMD" help:"Run this before the first run, once for each command."`
	Prepare  []string   `short:"p" sep:"none" placeholder:"CMD" help:"Run this before each run, outside the timing; once for all or for each command."`
	Conclude []string   `short:"C" sep:"none" placeholder:"CMD" help:"Run this after each run, outside the timing; once for all or for each command."`
	Cleanup  string     `short:"c" placeholder:"CMD" help:"Run this at the end, once for each command."`
	Warmup   amount     `short:"w" default:"1" placeholder:"1" help:"Untimed runs of each command at the start."`

	Precision flags.Share    `default:"1%" placeholder:"1%" help:"Stop when the intervals are this narrow; 0 ignores their width."`
	MaxTime   flags.Duration `default:"5s" placeholder:"5s" help:"Stop after this much running time per command; 0 for no limit."`
	MinRuns   amount         `short:"m" default:"10" placeholder:"10" help:"Minimum number of runs of each command."`
	MaxRuns   amount         `short:"M" placeholder:"N" help:"Maximum number of runs of each command."`
	Runs      amount         `short:"r" placeholder:"N" help:"Exact number of runs of each command."`

	Gate  *flags.Share `placeholder:"5%" help:"Exit 1 if a command is slower than the first by more than this, 3 if that is undecided."`
	Same  flags.Share  `default:"1%" placeholder:"1%" help:"Call commands the same if they differ by less."`
	Level flags.Level  `default:"99%" placeholder:"99%" help:"Confidence of all comparisons together."`
	By    string       `enum:"wall,cpu" default:"wall" placeholder:"wall" help:"Compare elapsed time (wall) or processor time (cpu), which a busy machine affects less."`

	Sort     string   `enum:"auto,command,mean-time" default:"auto" placeholder:"auto" help:"Order of tables: as given (command) or fastest first (mean-time)."`
	Style    string   `enum:"auto,basic,full,nocolor,color,none" default:"auto" placeholder:"auto" help:"Colours and progress: basic has neither, full both, nocolor and color one each; none prints no results."`
	TimeUnit string   `short:"u" enum:"auto,nanosecond,microsecond,millisecond,second" default:"auto" placeholder:"auto" help:"Unit of times: second, millisecond, microsecond or nanosecond."`
	Export   []string `sep:"none" placeholder:"FILE" help:"Write a file; its name ends in .json, .csv, .md, .adoc, .org, .html or .txt, or give FORMAT=FILE."`

	ExportJSON     []string `name:"export-json" sep:"none" hidden:""`
	ExportCSV      []string `name:"export-csv" sep:"none" hidden:""`
	ExportMarkdown []string `sep:"none" hidden:""`
	ExportASCIIDoc []string `name:"export-asciidoc" sep:"none" hidden:""`
	ExportOrgmode  []string `sep:"none" hidden:""`
	ExportHTML     []string `name:"html" sep:"none" hidden:""` // as in strobe frames

	Shell         string   `short:"S" default:"auto" placeholder:"auto" help:"Shell for commands: none, default, a program, or auto: the default one if a command needs it."`
	NoShell       bool     `name:"no-shell" short:"N" help:"Run commands without a shell, as they are."`
	Input         string   `default:"null" placeholder:"FILE" help:"Standard input of commands. Default: nothing."`
	Output        []string `sep:"none" placeholder:"WHERE" help:"Standard output of commands: null, pipe, inherit or a file; once for all or for each command."`
	ShowOutput    bool     `help:"Show what commands print, on standard error."`
	IgnoreFailure bool     `short:"i" help:"Accept exit codes other than 0."`
	Sequential    bool     `help:"Run all of one command before the next; gives no verdicts."`
	NoCounters    bool     `help:"Do not use performance counters."`
	Seed          uint64   `placeholder:"N" help:"Seed for the order of runs; 0 draws one."`
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
