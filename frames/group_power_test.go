// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/long"
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
		t.Skip("compares pairs of groups")
	}
	// A share of 20 pairs has a standard error of at most 11 of 100, one of 100 pairs 5. The pairs are the same in each run.
	pairs, most := 20, 33
	if long.Enabled {
		pairs, most = 100, 10
	}
	t.Logf("%d pairs of each kind, whose figures may differ by %d of 100; ./check long compares 100", pairs, most)
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
				if found < said[i]-most || found > said[i]+most {
					t.Errorf("%d runs, %d %% between runs, %+.0f %%: %d of 100 found, the document says %d", n, scatter, 100*difference, found, said[i])
				}
			}
			t.Log(row)
		}
	}
}
