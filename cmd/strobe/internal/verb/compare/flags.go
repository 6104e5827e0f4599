// SPDX-License-Identifier: BSD-3-Clause

package compare

import "github.com/strobe-go/strobe/cmd/strobe/internal/flags"

// Flags are the flags of the verb.
type Flags struct {
	Files []string `arg:"" name:"FILE" help:"Results: those to compare with, then those to judge. - is standard input."`

	Gate  *flags.Share `placeholder:"5%" help:"Exit 1 if a benchmark is worse by more than this, 3 if that is undecided, 4 if the results include a failure."`
	Level flags.Level  `default:"95%" placeholder:"95%" help:"Confidence of the intervals and of the gate."`

	Filter string   `default:"*" placeholder:"EXPR" help:"Compare only what matches: '.name:Parse /size:(1k OR 4k) -goos:windows'."`
	Unit   []string `sep:"none" placeholder:"UNIT" help:"Compare only this unit, such as sec/op or allocs/op."`
	Row    string   `default:".fullname" placeholder:"KEYS" help:"What makes a row. Default: the whole name."`
	Col    string   `default:".file" placeholder:"KEYS" help:"What makes a column, such as /format. Default: the file."`
	Table  string   `default:".config" placeholder:"KEYS" help:"What makes a table. Default: all lines 'key: value'."`
	Ignore []string `placeholder:"KEYS" help:"Keys to ignore: results that differ only in them are one sample."`

	Format string `enum:"text,csv" default:"text" placeholder:"text" help:"text, or csv: a line for each benchmark, unit and column."`
	All    bool   `help:"Print all rows. Without it, the text has the 60 that changed most."`
	Strict bool   `help:"Exit 2 if a benchmark line cannot be read."`
}
