// SPDX-License-Identifier: BSD-3-Clause

package layout

import (
	"fmt"
	"strconv"
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

// Tail returns the end of a text, cut to width columns, since paths and process names differ at the end. A path is cut at a '/'
// unless that would lose half of the width.
func Tail(text string, width int) string {
	text = plain.Text(text)
	over := Width(text) - width
	if over <= 0 {
		return text
	}
	rest, state := text, -1
	for over++; over > 0 && rest != ""; { // plus one for the ellipsis
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

// Percent writes a fraction as a percentage, without the sign: 0.999 is "99.9".
func Percent(q float64) string {
	return strconv.FormatFloat(Significant(100*q, 12), 'f', -1, 64)
}

// Significant rounds v to the given number of significant digits.
func Significant(v float64, digits int) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return v
}

// Fixed writes v with the given number of decimals, and never "-0".
func Fixed(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// Bytes writes a size with a binary prefix.
func Bytes(n int64) string {
	x, prefixes := float64(n), []string{"B", "KiB", "MiB", "GiB", "TiB"}
	for x >= 1024 && len(prefixes) > 1 {
		x /= 1024
		prefixes = prefixes[1:]
	}
	return fmt.Sprintf("%.3g %s", x, prefixes[0])
}

// Plural writes a number of things: "1 line", "2 lines".
func Plural(n uint64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
