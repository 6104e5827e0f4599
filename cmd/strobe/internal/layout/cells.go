// SPDX-License-Identifier: BSD-3-Clause

package layout

import (
	"strings"

	"github.com/rivo/uniseg"

	"github.com/strobe-go/strobe/internal/plain"
)

// Width returns how many columns of a terminal a text takes: characters of East Asian scripts and emoji take two, combining
// ones none.
func Width(text string) int { return uniseg.StringWidth(text) }

// Cut returns the beginning of a text, as many whole characters as fit into width columns.
func Cut(text string, width int) string {
	rest, state := text, -1
	for rest != "" {
		_, next, n, now := uniseg.FirstGraphemeClusterInString(rest, state)
		if width -= n; width < 0 {
			break
		}
		rest, state = next, now
	}
	return text[:len(text)-len(rest)]
}

// Tail returns the end of a text, cut to width columns. Paths and process names differ at the end. A path is cut at a '/' unless half
// of the width would be lost.
func Tail(text string, width int) string {
	text = plain.Text(text)
	over := Width(text) - width
	if over <= 0 {
		return text
	}
	rest, state := text, -1
	for over++; over > 0 && rest != ""; { // and one for the ellipsis
		_, next, n, now := uniseg.FirstGraphemeClusterInString(rest, state)
		rest, state, over = next, now, over-n
	}
	if i := strings.IndexByte(rest, '/'); i >= 0 && 2*Width(rest[i:]) >= width {
		rest = rest[i:]
	}
	return "…" + rest
}

// Head returns the beginning of a text, cut to width columns.
func Head(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	return Cut(text, width-3) + "..."
}
