// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables in docs/coverage.md anew")

const document = "../docs/coverage.md"

// documented compares a table with the one of that name in docs/coverage.md, or writes it there. Simulated shares may differ a
// little, because processors do not round alike.
func documented(t *testing.T, name, table string) {
	t.Helper()
	page, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- table: "+name+" -->\n\n", "\n<!-- end -->"
	before, rest, ok := strings.Cut(string(page), begin)
	old, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no table %q", document, name)
	}
	if *update {
		if err := os.WriteFile(document, []byte(before+begin+table+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if difference := compareTables(old, table); difference != "" {
		t.Errorf("the table %q in %s is out of date: %s; run go test ./stat -update", name, document, difference)
	}
}

// compareTables says where two tables differ, by words or by more than half a percent.
func compareTables(a, b string) string {
	x, y := strings.Fields(a), strings.Fields(b)
	for i := range min(len(x), len(y)) {
		v, err1 := strconv.ParseFloat(strings.Trim(x[i], "()"), 64)
		w, err2 := strconv.ParseFloat(strings.Trim(y[i], "()"), 64)
		if x[i] != y[i] && (err1 != nil || err2 != nil || math.Abs(v-w) > 0.5) {
			return fmt.Sprintf("%q, now %q", x[i], y[i])
		}
	}
	if len(x) != len(y) {
		return fmt.Sprintf("%d words, now %d", len(x), len(y))
	}
	return ""
}

// A grid is a Markdown table with a row for each process and a column for each size.
type grid struct{ text strings.Builder }

func newGrid(first string, sizes []int) *grid {
	g := new(grid)
	g.row(first, sizes, func(n int) string { return strconv.Itoa(n) })
	g.text.WriteString("|---" + strings.Repeat("|---:", len(sizes)) + "|\n")
	return g
}

func (g *grid) row(name string, sizes []int, cell func(n int) string) {
	fmt.Fprintf(&g.text, "| %s |", name)
	for _, n := range sizes {
		fmt.Fprintf(&g.text, " %s |", cell(n))
	}
	g.text.WriteByte('\n')
}

func TestTablesThatDifferAreToldApart(t *testing.T) {
	const a = "| normal | 95.2 | - |"
	for b, same := range map[string]bool{a: true, "| normal | 95.6 | - |": true, "| normal | 95.8 | - |": false, "| normal | (95.2) | - |": true, "| normal | (99) | - |": false, "| normal | 95.2 | 1 |": false,
		"| uniform | 95.2 | - |": false, "| normal | 95.2 | - | 1 |": false} {
		if got := compareTables(a, b); (got == "") != same {
			t.Errorf("%q and %q: %q", a, b, got)
		}
	}
}
