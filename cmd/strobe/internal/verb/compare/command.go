// SPDX-License-Identifier: BSD-3-Clause

// Package compare is the verb that compares two files of benchmark results.
package compare

import (
	"errors"
	"fmt"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Command has the flags of the verb.
type Command struct{ Flags }

// Help is the longer part of strobe compare --help.
func (Command) Help() string {
	return `
OLD and NEW are the output of go test -bench, or files that strobe bench wrote with
--json or --export json. One of them may be -, standard input.

For each benchmark: the medians with their 95 % intervals, the change of the median
and the p-value of the Mann-Whitney test, as benchstat prints them, and the ratio by
Hodges and Lehmann with its 95 % interval. "~" stands for no significant change.

The gate looks at times, bytes and allocations. Its intervals are wide enough that all
of them hold together with a probability of 95 %. It needs about 10 runs: -count=10.
Results from different machines or days differ for other reasons than the code: run
both versions now, in turn if possible.
`
}

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	if c.Old == "-" && c.New == "-" {
		return errors.New("both are standard input: give one of them as a file")
	}
	base, err := readMeasured(s, c.Old)
	if err != nil {
		return err
	}
	other, err := readMeasured(s, c.New)
	if err != nil {
		return err
	}
	skipped := append(base.skipped, other.skipped...)
	if c.Strict && len(skipped) > 0 {
		return fmt.Errorf("%s (leave out --strict to compare the rest)", skipped[0])
	}
	lines, alone := match(base, other, c.Unit)
	if len(lines) == 0 {
		return fmt.Errorf("%s and %s have no benchmark in common%s", c.Old, c.New, wanted(c.Unit))
	}
	for _, key := range []string{"cpu", "goos", "goarch"} {
		if a, b := base.config[key], other.config[key]; a != b && a != "" && b != "" {
			s.Warn("%s differs, %q and %q: the machine may be the difference", key, a, b)
		}
	}
	for i := range lines {
		lines[i].compare()
	}
	g := c.gate(lines)
	if s.JSON {
		err = session.WriteJSON(s.Out, c.object(lines, alone, skipped, g))
	} else {
		err = write(s, lines, alone, skipped, g)
	}
	if err != nil {
		return err
	}
	return g.Err()
}

func wanted(unit []string) string {
	if len(unit) == 0 {
		return ""
	}
	return fmt.Sprintf(" in %q", unit)
}
