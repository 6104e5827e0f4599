// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/frames"
)

// Flags are the flags of the verb.
type Flags struct {
	Files   []string     `arg:"" optional:"" name:"FILE" help:"Captures; - for standard input."`
	Group   [][]string   `type:"words" placeholder:"NAME" help:"Runs of one configuration: --group NAME FILE..., files or folders. Give it for each configuration."`
	Gate    *flags.Share `placeholder:"5%" help:"Exit 1 if a frame rate of a group is worse than that of the first by more than this, 3 if that is undecided."`
	Preset  preset       `default:"strobe" placeholder:"strobe" help:"Whose definitions to use: strobe, presentmon, capframex, mangohud or afterburner."`
	HTML    page         `name:"html" placeholder:"OUT.html" help:"Write a page with plots: one file, readable offline."`
	Paths   bool         `help:"Name files with their folders on the page."`
	Process string       `placeholder:"NAME" help:"Report only processes whose names contain this."`
	Pool    bool         `help:"Join all processes of one name and their swap chains."`
	Column  string       `placeholder:"NAME" help:"Read frame times from this column."`
	Unit    frameUnit    `placeholder:"UNIT" help:"Unit of the frame times: ns, us, ms or s. Default: that of the format."`
	Level   flags.Level  `default:"0.95" placeholder:"0.95" help:"Confidence level of the intervals, and of the gate."`
	Strict  bool         `help:"Exit 2 if a file is damaged."`
	Explain bool         `help:"Print the definition of each figure."`
}

// A preset is the name of a set of definitions.
type preset frames.Preset

func (p *preset) UnmarshalText(text []byte) error {
	if (*frames.Preset)(p).UnmarshalText(bytes.TrimSpace(text)) == nil {
		return nil
	}
	var names []string
	for _, known := range frames.Presets() {
		names = append(names, known.String())
	}
	return fmt.Errorf("no preset %q; the presets are %s", text, strings.Join(names, ", "))
}

// A frameUnit is the unit of a column; empty means that of the format.
type frameUnit string

func (u *frameUnit) UnmarshalText(text []byte) error {
	switch string(text) {
	case "ns", "us", "ms", "s":
		*u = frameUnit(text)
		return nil
	}
	return fmt.Errorf("%q is not a unit; give ns, us, ms or s", text)
}

// A page is the name of a file to write. It must end in .html, so that no capture is overwritten by mistake.
type page string

func (p *page) UnmarshalText(text []byte) error {
	name := strings.ToLower(string(text))
	if !strings.HasSuffix(name, ".html") && !strings.HasSuffix(name, ".htm") {
		return fmt.Errorf("%q does not end in .html; give the name of the page to write", text)
	}
	*p = page(text)
	return nil
}
