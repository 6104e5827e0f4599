// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// modulePath is the path of this module in lines such as "go install PATH@latest".
const modulePath = "github.com/strobe-go/strobe"

var (
	links    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	installs = regexp.MustCompile(`\bgo (get|install) (` + regexp.QuoteMeta(modulePath) + `[\w./-]*)@`)
	floors   = regexp.MustCompile(`\bGo (1\.\d+) or later`)
)

// Links must lead to files of the tree, install commands must name packages, and the version of Go must be that of go.mod.
func TestWhatDocumentsNameIsThere(t *testing.T) {
	goMod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for name, text := range allDocuments(t, slices.Concat(documents, []string{"CHANGELOG.md", "SECURITY.md"})) {
		for _, m := range links.FindAllStringSubmatch(text, -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			n["link"]++
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(name), filepath.FromSlash(target))); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", name, m[1])
			}
		}
		for _, m := range installs.FindAllStringSubmatch(text, -1) {
			n["go "+m[1]]++
			files, _ := filepath.Glob(filepath.Join(root, strings.TrimPrefix(m[2], modulePath), "*.go"))
			main := slices.ContainsFunc(files, func(file string) bool {
				text, _ := os.ReadFile(file)
				return strings.Contains(string(text), "\npackage main\n")
			})
			if len(files) == 0 || main != (m[1] == "install") {
				t.Errorf("%s: %q: %d files, a command: %v", name, m[0], len(files), main)
			}
		}
		for _, m := range floors.FindAllStringSubmatch(text, -1) {
			n["Go"]++
			if !strings.Contains(string(goMod), "\ngo "+m[1]) {
				t.Errorf("%s: %q is not what go.mod has", name, m[0])
			}
		}
	}
	for _, what := range []string{"link", "go get", "go install", "Go"} {
		if n[what] == 0 {
			t.Errorf("no %s was found", what)
		}
	}
}
