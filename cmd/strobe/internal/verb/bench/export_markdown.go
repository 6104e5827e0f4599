// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"io"
	"strings"

	"github.com/strobe-go/strobe/internal/units"
)

// exportMarkdown writes a table.
func exportMarkdown(w io.Writer, b *measurement, _ bool) error {
	all := b.comparisons()
	fmt.Fprintln(w, "| command | mean, 95 % | median | range | runs | times the first | |\n|---|--:|--:|--:|--:|--:|---|")
	for i, j := range b.jobs {
		name := "`" + strings.NewReplacer("|", `\|`, "`", "'", "\n", " ").Replace(j.name) + "`"
		if len(j.runs) == 0 {
			fmt.Fprintf(w, "| %s | – | – | – | 0 | – | |\n", name)
			continue
		}
		f := j.figures()
		ratio, verdict := "1", ""
		if i > 0 {
			ratio, verdict = strings.TrimSuffix(ratioText(all[i-1].Ratio), " times"), verdictText(all[i-1])
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s to %s | %d | %s | %s |\n", name, inTime(f.mean), units.Duration(f.median), units.Duration(f.min),
			units.Duration(f.max), f.runs, ratio, verdict)
	}
	return nil
}
