// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"fmt"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/program"
)

// Flags are the flags of strobe run.
type Flags struct {
	program.Flags
	HTTP    string     `name:"http" default:"127.0.0.1:0" placeholder:"ADDR" help:"Where the program serves the live page, or off; a free port if not given."`
	Top     bool       `help:"Watch the program in the terminal, as with strobe top; what it prints comes after that."`
	Open    bool       `help:"Open the live page in the browser."`
	Report  bool       `help:"Only report at the end, without a live page."`
	Export  exportName `placeholder:"FILE" help:"Write what was measured: .json for strobe open, .pb.gz for go tool pprof, .html a page."`
	Capture string     `placeholder:"DIR" help:"Say why units were slow, as package capture does, and keep a file for each in this folder, for strobe capture."`
	Output  string     `short:"o" placeholder:"FILE" help:"Write the report, or the JSON object, to this file instead of standard error."`
	Rows    int        `default:"24" placeholder:"N" help:"Rows of each table of the report, 24 if not given; -1 for all."`
}

// An exportName is that of a file whose ending is known.
type exportName string

// UnmarshalText reads a name.
func (n *exportName) UnmarshalText(text []byte) error {
	*n = exportName(text)
	for _, ending := range []string{".json", ".pb.gz", ".html"} {
		if strings.HasSuffix(string(text), ending) {
			return nil
		}
	}
	return fmt.Errorf("the format of %q is not known; give a name that ends in .json, .pb.gz or .html", text)
}
