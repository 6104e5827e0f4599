// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// writeHelp explains a verb, or the whole command if verb is nil.
func writeHelp(w io.Writer, app *kong.Application, verb *kong.Node) error {
	var b strings.Builder
	if verb == nil {
		b.WriteString("strobe measures what Go programs do again and again, and says how far each number can be trusted.\n\n")
		b.WriteString("Usage: strobe VERB [flags]\n\nVerbs\n")
		for _, v := range app.Children {
			if !v.Hidden {
				fmt.Fprintf(&b, "  %-18s  %s\n", v.Name+arguments(v), v.Help)
			}
		}
		writeFlags(&b, "Flags of every verb", app.Flags)
		b.WriteString("\nBegin with: strobe demo\n")
		b.WriteString("Exit codes: 0 done, 1 gate failed, 2 usage, 3 inconclusive, 4 measured command failed, 130 interrupted.\n")
	} else {
		fmt.Fprintf(&b, "Usage: strobe %s%s [flags]\n\n%s\n", verb.Name, arguments(verb), verb.Help)
		if verb.Detail != "" {
			fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(verb.Detail))
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
			name += "=" + f.FormatPlaceHolder()
		}
		fmt.Fprintf(b, "  %-18s  %s\n", name, f.Help)
	}
}
