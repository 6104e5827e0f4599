// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/frames/report"
	"github.com/strobe-go/strobe/internal/plain"
)

// footnote returns the mark of a reason and adds the reason if it is new.
func footnote(reasons *[]string, reason string) string {
	if reason == "" {
		return ""
	}
	for i, known := range *reasons {
		if known == reason {
			return mark(i)
		}
	}
	*reasons = append(*reasons, reason)
	return mark(len(*reasons) - 1)
}

func footnotes(p *layout.Printer, reasons []string) {
	for i, reason := range reasons {
		p.Wrap(mark(i), "no interval: "+reason)
	}
}

func mark(i int) string { return "(" + string(rune('a'+i%26)) + ")" }

// notes prints the warnings and notes of captures, each once, with the numbers of its captures.
func notes(p *layout.Printer, captures []report.Capture) {
	var order []string
	whose := map[string][]string{}
	for i, c := range captures {
		for _, text := range append(c.Report.Warnings[:len(c.Report.Warnings):len(c.Report.Warnings)], c.Report.Notes...) {
			if whose[text] == nil {
				order = append(order, text)
			}
			whose[text] = append(whose[text], strconv.Itoa(i+1))
		}
	}
	for _, text := range order {
		if len(captures) > 1 {
			p.Note(strings.Join(whose[text], ", ") + ": " + plain.Text(text))
		} else {
			p.Note(plain.Text(text))
		}
	}
}
