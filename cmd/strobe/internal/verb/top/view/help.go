// SPDX-License-Identifier: BSD-3-Clause

package view

import "strings"

const helpText = `
p, space  pause, resume      s, S  sort by the next column
/         search a zone      r     reverse the order
n, N      next, previous     a     zones without calls too
f         filter by name     + -   fewer, more frames/dot
esc       clear, deselect    l     next loop
arrows, pgup, pgdn           q     quit

The graph is of the time that frames took, up to 3 budgets;
the line is one budget, or the median if none is given.
"slowest" names the zone that made it longer than the mean.
The 1% low is the rate of the slowest frames. A root zone
has a line: its calls of the last ten seconds, each a unit
such as a request. Figures of
zones are of the last seconds, all goroutines summed up:
  share      time in the zone with inner zones; over
             100 % if goroutines run in parallel
  self       the same without inner zones
  per frame  time in the zone for each frame
  mean       duration of a call
  calls      since the program started
Any key closes this help.`

// legend explains the table above it, if the screen has room.
const legend = "Each row is a zone, summed over all goroutines. share: part of the time spent in it, inner zones included; self: " +
	"without them. ? explains the rest."

func helpLines() (lines []Line) {
	for text := range strings.SplitSeq(helpText[1:], "\n") {
		lines = append(lines, Line{{text, Plain}})
	}
	return lines
}
