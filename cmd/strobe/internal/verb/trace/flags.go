// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"fmt"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
)

// longest is the maximum length of a recording.
const longest = time.Minute

// Flags are the flags of the verb.
type Flags struct {
	Target flags.Target `arg:"" optional:"" name:"URL" help:"Where the program serves package live: a URL, HOST:PORT or :PORT; 127.0.0.1:6061 or one of the next ports if not given."`
	For    span         `default:"5s" placeholder:"5s" help:"How long to record, at most 1m; 0 takes what the program has kept."`
	Output file         `short:"o" required:"" placeholder:"FILE" help:"Where to write; the file extension selects the format."`
}

// A span is how long to record.
type span time.Duration

// UnmarshalText reads a duration such as "5s".
func (s *span) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil || v < 0 || v > longest {
		return fmt.Errorf("%q is not a duration up to a minute; give one such as 5s, or 0 for what the program has kept", text)
	}
	*s = span(v)
	return nil
}

// A file is a file name with a known extension.
type file string

// UnmarshalText reads a name.
func (f *file) UnmarshalText(text []byte) error {
	if *f = file(text); formatOf(string(text)) == nil {
		return fmt.Errorf("the format of %q is not known; give a name that ends in .json, .pftrace, .pb.gz or .timeline.json", text)
	}
	return nil
}

// A format is a file format.
type format struct {
	name, ending, request string
	profile               bool // a profile of zones, not a timeline
	cut                   func(held []byte) (whole int, err error)
	end                   string // closes a file that was cut; cut is nil if a file cannot be cut
	what, viewer          string
}

// formatOf returns the format for the extension of a name; nil if it is unknown.
func formatOf(name string) *format {
	for _, f := range []format{
		{name: "pprof", ending: ".pb.gz", request: "profile?", profile: true, what: "a profile of zones", viewer: "go tool pprof"},
		{name: "perfetto", ending: ".pftrace", request: "trace?format=perfetto&", cut: packets, what: "a Perfetto trace", viewer: "strobe open or ui.perfetto.dev"},
		{name: "timeline", ending: ".timeline.json", request: "trace?format=json&", what: "a timeline", viewer: "strobe open"},
		{name: "chrome", ending: ".json", request: "trace?format=chrome&", cut: lines, end: chromeEnd, what: "a Chrome trace", viewer: "strobe open, ui.perfetto.dev, chrome://tracing or speedscope"},
	} {
		if strings.HasSuffix(strings.ToLower(name), f.ending) {
			return &f
		}
	}
	return nil
}
