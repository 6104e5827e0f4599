// SPDX-License-Identifier: BSD-3-Clause

package tables

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTablesThatDifferAreToldApart(t *testing.T) {
	const a = "| normal | 95.2 | - |"
	for b, same := range map[string]bool{a: true, "| normal | 95.6 | - |": true, "| normal | 95.8 | - |": false, "| normal | (95.2) | - |": true, "| normal | (99) | - |": false, "| normal | 95.2 | 1 |": false,
		"| uniform | 95.2 | - |": false, "| normal | 95.2 | - | 1 |": false} {
		if got := compare(a, b); (got == "") != same {
			t.Errorf("%q and %q: %q", a, b, got)
		}
	}
}

func TestATableIsReplacedWhereItStands(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	const before, after = "# Page\n\n<!-- table: a -->\n\n| old |\n\n<!-- end -->\n\n<!-- table: b -->\n\n| b |\n\n<!-- end -->\n", "| x | 16 |\n|---|---:|\n| normal | 95 |\n"
	if err := os.WriteFile(path, []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	g := NewGrid("x", "16")
	g.Row("normal", "95")
	Check(t, path, "a", g.String(), true)
	page, err := os.ReadFile(path)
	if want := strings.Replace(before, "| old |\n", after, 1); err != nil || string(page) != want {
		t.Errorf("%q, want %q", page, want)
	}
	Check(t, path, "a", g.String(), false)
	Check(t, path, "b", "| b |\n", false)
}
