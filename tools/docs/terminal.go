// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Dimensions of a recorded terminal, in pixels.
const (
	charWidth  = 7.22
	lineHeight = 18
	fontSize   = 12
	border     = 16
	gap        = 10 // between terminals
)

// prompt begins a line that the user typed. The time since the beginning may be in it.
var prompt = regexp.MustCompile(`^(\[\d+ s\] )?\$ `)

// Terminal draws the lines of terminals, one below the other, as an SVG document.
func Terminal(title string, screens ...[]string) string {
	columns, height := 0, -gap
	for _, lines := range screens {
		height += len(lines)*lineHeight + 2*border + gap
		for _, line := range lines {
			columns = max(columns, utf8.RuneCountInString(line))
		}
	}
	width := float64(columns)*charWidth + 2*border
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %d\" width=\"%.0f\" height=\"%d\" role=\"img\">\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(title))
	b.WriteString("<style>text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; " +
		fmt.Sprintf("font-size: %dpx; fill: #d7dae0; white-space: pre } .typed { fill: #8fd08f } .head { fill: #7fb4e8 } .note { fill: #989ea8 }</style>\n", fontSize))
	top := 0
	for _, lines := range screens {
		drawn := len(lines)*lineHeight + 2*border
		fmt.Fprintf(&b, "<rect y=\"%d\" width=\"100%%\" height=\"%d\" rx=\"8\" fill=\"#1c1f24\"/>\n", top, drawn)
		for i, line := range lines {
			class := ""
			switch {
			case prompt.MatchString(line):
				class = ` class="typed"`
			case strings.HasPrefix(line, "time "):
				class = ` class="head"`
			case strings.Contains(line, "  strobe: "):
				class = ` class="note"`
			}
			if line == "" {
				continue
			}
			// The length is given so that columns line up in any font.
			fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\"%s textLength=\"%.1f\" xml:space=\"preserve\">%s</text>\n", border, top+border+lineHeight*i+fontSize+1, class,
				float64(utf8.RuneCountInString(line))*charWidth, html.EscapeString(line))
		}
		top += drawn + gap
	}
	b.WriteString("</svg>\n")
	return b.String()
}

var drawnText = regexp.MustCompile(`<text [^>]*>([^<]*)</text>`)

// TerminalLines returns the lines that Terminal drew, without empty ones.
func TerminalLines(svg string) []string {
	var lines []string
	for _, m := range drawnText.FindAllStringSubmatch(svg, -1) {
		lines = append(lines, html.UnescapeString(m[1]))
	}
	return lines
}

var changing = []struct {
	expr *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(`^\d\d:\d\d:\d\d\s+`), ""},
	{regexp.MustCompile(`\s+(\d+ )?open$`), ""},                                // a span that is open by chance
	{regexp.MustCompile(`measuring took .*`), "measuring took"},                // in words if it is little
	{regexp.MustCompile(`± [\d.]+|\[-?[\d., -]+\]`), "±"},                      // an interval of either form
	{regexp.MustCompile(`\s*-?\d[\d.]*(\s?(ns|µs|ms|s|%)(\b|\s|$)|\b)`), " #"}, // a figure and its unit
	{regexp.MustCompile(`#(\s*±)?\s+(ns|µs|ms|s)\b`), "#$1"},
	{regexp.MustCompile(`\s+`), " "},
}

// Layout returns the parts of a report that do not change from run to run: its columns, names and words, without figures. The
// lines are in alphabetical order, since goroutines start in any order.
func Layout(lines []string) []string {
	var layout []string
	for _, line := range lines {
		for _, c := range changing {
			line = c.expr.ReplaceAllString(line, c.by)
		}
		layout = append(layout, strings.TrimSpace(line))
	}
	slices.Sort(layout)
	return layout
}
