// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"strings"
	"testing"
)

// The policy holds for the modules that go.work uses, and not for other nested modules.
func TestAModuleOfTheWorkspaceKeepsToThePolicy(t *testing.T) {
	policy := mustParse(t, plantedPolicy)
	module := map[string]string{
		"extra/go.mod":    "module example.com/strobe/extra\n\ngo 1.24.0\n\nrequire example.com/strobe v0.1.0\n",
		"extra/extra.go":  "// Package extra is planted.\npackage extra\n\nimport _ \"example.com/strobe/live\"\n",
		"extra/x_test.go": "package extra\n\nvar _ int = \"text\"\n",
	}
	const work = "go 1.24.0\n\nuse (\n\t.\n\t./extra\n)\n\nreplace example.com/strobe v0.1.0 => ./\n"
	for _, used := range []bool{false, true} {
		if used {
			module["go.work"] = work
		}
		dir := plant(t, policy, module)
		found, err := Check(dir, policy)
		if err != nil {
			t.Fatal(err)
		}
		if got := text(found); strings.Contains(got, "extra has no line under imports") != used {
			t.Errorf("used by go.work: %v, found:\n%s", used, got)
		}
		if found, err = Sound(dir, policy); err != nil {
			t.Fatal(err)
		}
		if got := text(found); strings.Contains(got, "extra") != used {
			t.Errorf("used by go.work: %v, found:\n%s", used, got)
		}
	}
}
