// SPDX-License-Identifier: BSD-3-Clause

package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// nameWidth is the width of the column of names in lists of verbs and flags.
const nameWidth = 22

// writeHelp explains a verb, or the whole command if verb is nil.
func writeHelp(w io.Writer, app *kong.Application, verb *kong.Node) error {
	var b strings.Builder
	if verb == nil {
		writeProse(&b, "strobe finds out why a frame, tick or request of a running Go program was slow, and compares benchmarks, commands and "+
			"frame-time captures. Start with strobe demo.")
		b.WriteString("\nUsage: strobe VERB [flags]\n\nVerbs\n")
		for _, v := range app.Children {
			if !v.Hidden {
				writeRow(&b, v.Name+arguments(v), v.Help)
			}
		}
		writeFlags(&b, "Flags of every verb", app.Flags)
		b.WriteString("\nExit codes\n")
		for _, m := range session.Meanings() {
			writeRow(&b, strconv.Itoa(m.Code), m.Text)
		}
		b.WriteByte('\n')
		writeProse(&b, "Results go to standard output; progress, warnings and errors go to standard error. An error is one line that says what is "+
			"wrong and what to do. A file that cannot be written is reported before anything is measured.")
	} else {
		fmt.Fprintf(&b, "Usage: strobe %s%s [flags]\n", verb.Name, arguments(verb))
		for _, text := range []string{verb.Help, verb.Detail} {
			if text != "" {
				b.WriteByte('\n')
				writeProse(&b, strings.TrimSpace(text))
			}
		}
		if len(verb.Positional) > 0 {
			b.WriteString("\nArguments\n")
			for _, p := range verb.Positional {
				writeRow(&b, p.Name, p.Help)
			}
		}
		if len(verb.Flags) > 0 {
			writeFlags(&b, "Flags", verb.Flags)
		}
		writeFlags(&b, "Flags of every verb", app.Flags)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func arguments(verb *kong.Node) string {
	var b strings.Builder
	for _, p := range verb.Positional {
		b.WriteString(" " + p.Summary())
	}
	return b.String()
}

func writeFlags(b *strings.Builder, title string, flags []*kong.Flag) {
	fmt.Fprintf(b, "\n%s\n", title)
	for _, f := range flags {
		if f.Hidden {
			continue
		}
		name := "--" + f.Name
		if f.Short != 0 {
			name = fmt.Sprintf("-%c, %s", f.Short, name)
		}
		if !f.IsBool() {
			separator := "="
			if f.Tag.Type == "words" { // several arguments
				separator = " "
			}
			name += separator + f.FormatPlaceHolder()
		}
		writeRow(b, name, f.Help)
	}
}

// writeProse writes paragraphs, wrapped. Lines that start with a blank are written as they are.
func writeProse(b *strings.Builder, text string) {
	at := 0
	for line := range strings.SplitSeq(text, "\n") {
		verbatim := line == "" || line[0] == ' '
		if verbatim && at > 0 {
			b.WriteByte('\n')
			at = 0
		}
		if verbatim {
			b.WriteString(line + "\n")
			continue
		}
		at = layout.Words(b, line, at, 0, layout.Columns)
	}
	if at > 0 {
		b.WriteByte('\n')
	}
}

// writeRow writes a name and its explanation, which is wrapped in the column after the names.
func writeRow(b *strings.Builder, name, help string) {
	fmt.Fprintf(b, "  %-*s ", nameWidth, name)
	layout.Words(b, help, 3+max(nameWidth, utf8.RuneCountInString(name)), 3+nameWidth, layout.Columns)
	b.WriteByte('\n')
}
