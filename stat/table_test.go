// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"flag"
	"strconv"
	"testing"

	"github.com/strobe-go/strobe/internal/tables"
)

var update = flag.Bool("update", false, "write the tables in docs/coverage.md anew")

// documented compares a table with the one of that name in docs/coverage.md, or updates it.
func documented(t *testing.T, name, table string) {
	t.Helper()
	tables.Check(t, "../docs/coverage.md", name, table, *update)
}

// A grid is a table with a row for each process and a column for each size.
type grid struct{ *tables.Grid }

func newGrid(first string, sizes []int) grid {
	var columns []string
	for _, n := range sizes {
		columns = append(columns, strconv.Itoa(n))
	}
	return grid{tables.NewGrid(first, columns...)}
}

func (g grid) row(name string, sizes []int, cell func(n int) string) {
	var cells []string
	for _, n := range sizes {
		cells = append(cells, cell(n))
	}
	g.Row(name, cells...)
}
