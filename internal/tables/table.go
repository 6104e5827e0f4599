// SPDX-License-Identifier: BSD-3-Clause

// Package tables is for tests that write the tables of a document.
package tables

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Check compares a table with the one of that name in the document, or writes it there. Simulated shares may differ a
// little, because processors do not round alike.
func Check(t *testing.T, document, name, table string, update bool) {
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
	if update {
		if err := os.WriteFile(document, []byte(before+begin+table+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if difference := compare(old, table); difference != "" {
		t.Errorf("the table %q in %s is out of date: %s; run the test with -update", name, document, difference)
	}
}

// compare says where two tables differ, by words or by more than half a percent.
func compare(a, b string) string {
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

// A Grid is a Markdown table with a row for each process. Use [NewGrid].
type Grid struct{ text strings.Builder }

// NewGrid returns a table with a header, the first column and the given ones.
func NewGrid(first string, columns ...string) *Grid {
	g := new(Grid)
	g.Row(first, columns...)
	g.text.WriteString("|---" + strings.Repeat("|---:", len(columns)) + "|\n")
	return g
}

// Row adds a row.
func (g *Grid) Row(name string, cells ...string) {
	fmt.Fprintf(&g.text, "| %s |", name)
	for _, c := range cells {
		fmt.Fprintf(&g.text, " %s |", c)
	}
	g.text.WriteByte('\n')
}

// String returns the table.
func (g *Grid) String() string { return g.text.String() }
