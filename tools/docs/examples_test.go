// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// wellShown are the packages that programs import first. They have three examples or more.
var wellShown = map[string]bool{".": true, "clock": true, "pace": true, "perf": true, "bench": true}

// examples matches examples that go test runs, because they have an Output comment.
var examples = regexp.MustCompile(`(?ms)^func Example\w*\(\) \{.*?^\}`)

func TestEveryPackageHasExamplesThatRun(t *testing.T) {
	found := map[string]int{}
	if err := eachFile(root, func(name string) error {
		rel, err := filepath.Rel(root, name)
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		rel = filepath.ToSlash(rel)
		if Importable(rel) {
			found[path.Dir(rel)] += 0
		}
		if !strings.HasSuffix(rel, "_test.go") || !Importable(strings.TrimSuffix(rel, "_test.go")+".go") {
			return nil
		}
		text, err := os.ReadFile(name)
		for _, example := range examples.FindAllString(string(text), -1) {
			if strings.Contains(example, "// Output:") || strings.Contains(example, "// Unordered output:") {
				found[path.Dir(rel)]++
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if len(found) < len(wellShown) {
		t.Fatalf("only %d packages were found", len(found))
	}
	for folder, n := range found {
		want := 1
		switch {
		case wellShown[folder]:
			want = 3
		case folder == "live/auto", folder == "live/attach", folder == "perf/perfbench": // the first two have no functions, the third prints what benchstat needs
			want = 0
		}
		if n < want {
			t.Errorf("package %s: %d examples that run, want %d", folder, n, want)
		}
	}
}
