// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// averages returns the number of pairs of groups of n runs in which the average is clearly different. Runs of one configuration
// differ by scatter, and the configurations by difference. The bootstrap within runs takes most of the time and hardly ever
// decides: it is left out.
func averages(t *testing.T, pairs, n int, scatter, difference float64) (clear int) {
	t.Helper()
	r := rand.New(rand.NewPCG(4, uint64(n)))
	for range pairs {
		c, err := CompareGroups(runs(r, n, 1, scatter), runs(r, n, 1+difference, scatter), Options{Resamples: -1})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range c.Differences {
			if d.Key == "avg_fps" && d.Clear {
				clear++
			}
		}
	}
	return clear
}

// The table in docs/command.md is the result of this simulation.
func TestGroupsHaveThePowerThatTheDocumentSays(t *testing.T) {
	if testing.Short() {
		t.Skip("compares 1800 pairs of groups")
	}
	const pairs = 100
	text, err := os.ReadFile("../docs/command.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, scatter := range []int{1, 2} {
		for _, n := range []int{3, 5, 8} {
			row := fmt.Sprintf("| %d | %d |", scatter, n)
			_, line, found := strings.Cut(string(text), row)
			var said [3]int
			if _, err := fmt.Sscanf(line, " %d | %d | %d |", &said[0], &said[1], &said[2]); !found || err != nil {
				t.Errorf("docs/command.md has no row %q: %v", row, err)
			}
			for i, difference := range []float64{0.03, 0.05, 0.10} {
				found := 100 * averages(t, pairs, n, float64(scatter)/100, difference) / pairs
				row += fmt.Sprintf(" %d |", found)
				if found < said[i]-10 || found > said[i]+10 {
					t.Errorf("%d runs, %d %% between runs, %+.0f %%: %d of 100 found, the document says %d", n, scatter, 100*difference, found, said[i])
				}
			}
			t.Log(row)
		}
	}
}
