// SPDX-License-Identifier: BSD-3-Clause

// Package build is the verb that builds a program with a zone in each function, to run it elsewhere.
package build

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/strobe-go/strobe/cmd/strobe/internal/program"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Command has the flags of the verb.
type Command struct {
	program.Flags
	Output string   `short:"o" placeholder:"FILE" help:"Write the program to this file."`
	Test   bool     `help:"Build the test binary of the package, as go test -c does."`
	Words  []string `arg:"" name:"PACKAGE" help:"A main package, or .go files of one, or PATH@VERSION."`
}

// Help is the longer part of strobe build --help.
func (Command) Help() string {
	return `
Builds a program as strobe run does, with a zone in each function, to run it elsewhere.
The program does what it does otherwise; these variables make it show what it measures:

  STROBE_HTTP=:6061        serves the live page, for the browser and strobe top
  STROBE_EXPORT=out.json   writes a snapshot for strobe open, now and then and
                           at the end; a name in .pb.gz is for go tool pprof
  STROBE_CAPTURE=slow      explains units that took long, and keeps a file for
                           each in this folder, for strobe capture

  strobe build -o server -race ./cmd/server
`
}

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	target, rest := program.Split(c.Words)
	if len(rest) > 0 {
		return fmt.Errorf("one package is built at a time, and %q is another argument; flags come before the package", rest[0])
	}
	if c.Output == "" && !c.List {
		return errors.New("-o is missing: the file to write the program to")
	}
	given := target
	target, done, err := c.WithVersion(s, given)
	if err != nil {
		return err
	}
	defer done()
	plan, err := c.Prepare(s, target, c.Test, program.Kept)
	if err != nil {
		return err
	}
	defer plan.Close()
	if c.List {
		return program.List(s, target, plan, c.All)
	}
	file, err := filepath.Abs(c.Output)
	if err != nil {
		return err
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a directory; give a file", c.Output)
	}
	if err := c.Build(s, plan, c.Test, file); err != nil {
		return err
	}
	if s.JSON {
		return session.WriteJSON(s.Out, buildObject{session.Schema, given, c.Output, len(plan.Zones), len(plan.LeftOut)})
	}
	if !c.Quiet {
		for _, line := range program.Describe(plan) {
			fmt.Fprintln(s.Err, "strobe:", line)
		}
	}
	return nil
}

// A buildObject is the JSON of strobe build.
type buildObject struct {
	Schema  int    `json:"schema"`       // 1
	Package string `json:"package"`      // what was built
	File    string `json:"file"`         // the program
	Zones   int    `json:"zones"`        // functions with a zone
	Without int    `json:"without_zone"` // functions of the same packages without
}
