// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
)

// picture draws the histogram, at most as wide as prose.
func (r *summary) picture(p *layout.Printer) {
	if len(r.bins) == 0 {
		return
	}
	widest, most := 0, uint64(1)
	for _, bin := range r.bins {
		widest, most = max(widest, len([]rune(bin.Label))), max(most, bin.N)
	}
	columns := layout.Columns
	if p.Width > 0 {
		columns = min(columns, p.Width)
	}
	room := max(10, columns-widest-2-12)
	p.Printf("\n%s  from  share\n", p.Bold("histogram"))
	for _, bin := range r.bins {
		share := 100 * float64(bin.N) / float64(r.moments.N)
		text := fmt.Sprintf("%5.1f %%", share)
		switch {
		case bin.N == 0:
			text = "      -"
		case share < 0.05:
			text = " <0.1 %"
		}
		p.Printf("%*s %s %s\n", widest+2, bin.Label, text, bar(float64(bin.N)/float64(most)*float64(room)))
	}
}

// bar draws a bar of a length in characters, to an eighth.
func bar(length float64) string {
	eighths := int(math.Round(length * 8))
	if length > 0 {
		eighths = max(1, eighths)
	}
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return text
}
