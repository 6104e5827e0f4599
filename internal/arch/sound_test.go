// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"strings"
	"testing"
)

func TestTestsThatDoNotCompileElsewhereAreFound(t *testing.T) {
	policy := mustParse(t, plantedPolicy)
	inside := "package stat\n\nimport _ \"testing\"\n\nvar Seen = "
	outside := "package stat_test\n\nimport \"example.com/strobe/stat\"\n\nvar _ = stat."
	for _, c := range []struct{ name, inside, outside, says string }{
		{name: "sound", inside: inside + "1\n", outside: outside + "Seen\n"},
		{name: "inside", inside: inside + "unknown\n", outside: outside + "Seen\n", says: "undefined: unknown"},
		{name: "outside", inside: inside + "1\n", outside: outside + "Unseen\n", says: "undefined: stat.Unseen"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := plant(t, policy, map[string]string{"stat/in_windows_test.go": c.inside, "stat/out_windows_test.go": c.outside})
			found, err := Sound(dir, policy)
			if err != nil {
				t.Fatal(err)
			}
			if got := text(found); (c.says == "") != (got == "") || !strings.Contains(got, c.says) || strings.Contains(got, "linux") {
				t.Errorf("want %q on windows alone, found:\n%s", c.says, got)
			}
		})
	}
}
