// SPDX-License-Identifier: BSD-3-Clause

package compare

import "github.com/strobe-go/strobe/cmd/strobe/internal/flags"

// Flags are the flags of the verb.
type Flags struct {
	Old string `arg:"" name:"OLD" help:"Results to compare with."`
	New string `arg:"" name:"NEW" help:"Results to judge."`

	Gate   *flags.Share `placeholder:"5%" help:"Exit 1 if a benchmark is worse by more than this, 3 if that is undecided."`
	Strict bool         `help:"Exit 2 if a benchmark line cannot be read."`
	Unit   []string     `sep:"none" placeholder:"UNIT" help:"Compare only this unit, such as sec/op or allocs/op."`
}
