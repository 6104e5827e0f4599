// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	needed    = regexp.MustCompile(`(?m)^go (1\.(\d+)\S*)$`)
	versionOf = regexp.MustCompile("(?m)^\\| `(\\S+)` \\| (\\S+) \\|$")
	newestGo  = regexp.MustCompile(`(?m)^newest=go(\S+)`)
	setUp     = regexp.MustCompile(`(?m)^          go-version: '?([\w.]+)'?$`)
)

// goVersions returns the Go versions that the modules need, such as 1.24.0, by folder, and the highest minor version.
func goVersions(t *testing.T) (byFolder map[string]string, highest int) {
	t.Helper()
	modules, err := Modules(root)
	if err != nil {
		t.Fatal(err)
	}
	byFolder = map[string]string{}
	for folder := range modules {
		text, err := os.ReadFile(filepath.Join(folder, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(root, folder)
		m := needed.FindStringSubmatch(string(text))
		if m == nil || err != nil {
			t.Fatalf("%s: no line about Go in go.mod: %v", folder, err)
		}
		byFolder[filepath.ToSlash(rel)] = m[1]
		minor, _ := strconv.Atoi(m[2])
		highest = max(highest, minor)
	}
	return byFolder, highest
}

// The table in docs/limits.md lists the modules that users import or install, with the Go version of their go.mod.
func TestTheTableOfGoVersionsNamesAllModules(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "limits.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Go versions\n")
	section, _, _ = strings.Cut(section, "\n## ")
	table := map[string]string{}
	for _, m := range versionOf.FindAllStringSubmatch(section, -1) {
		table[m[1]] = m[2]
	}
	byFolder, _ := goVersions(t)
	for folder, version := range byFolder {
		if folder == "tools" {
			continue
		}
		name, want := strings.TrimSuffix(modulePath+"/"+folder, "/."), strings.TrimSuffix(version, ".0")
		if table[name] != want {
			t.Errorf("docs/limits.md, Go versions: %q, want the line\n| `%s` | %s |", table[name], name, want)
		}
		delete(table, name)
	}
	for name := range table {
		t.Errorf("docs/limits.md, Go versions: %s is not a module", name)
	}
	check, err := os.ReadFile(filepath.Join(root, "check"))
	if err != nil {
		t.Fatal(err)
	}
	newest := newestGo.FindSubmatch(check)
	if newest == nil {
		t.Fatal("check names no newest Go")
	}
	for _, version := range []string{byFolder["."], string(newest[1])} {
		if !strings.Contains(section, " "+version) {
			t.Errorf("docs/limits.md, Go versions: ./check tests with Go %s, which is not there", version)
		}
	}
}

// The workflows set up a version of Go that every module builds with.
func TestWorkflowsSetUpAGoForAllModules(t *testing.T) {
	_, highest := goVersions(t)
	n := 0
	for name, text := range workflows(t) {
		for _, m := range setUp.FindAllStringSubmatch(text, -1) {
			n++
			if m[1] != "stable" && m[1] != "1."+strconv.Itoa(highest) {
				t.Errorf("%s: Go %s, and a module needs 1.%d", name, m[1], highest)
			}
		}
	}
	if n == 0 {
		t.Error("no workflow sets up Go")
	}
}
