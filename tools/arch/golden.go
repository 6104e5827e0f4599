// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// checkGolden compares every public package's API with api/PACKAGE.txt, so that a change of the API is visible in a diff.
func (c *checker) checkGolden() {
	want := c.tree.goldens(c.policy)
	for _, name := range sortedKeys(want) {
		got, err := os.ReadFile(filepath.Join(c.tree.root, name))
		if err != nil {
			c.report(name, "api", "missing; run: go -C tools test ./arch -update")
			continue
		}
		for _, line := range differences(string(got), want[name]) {
			c.report(name, "api", "%s; if that is intended, run: go -C tools test ./arch -update", line)
		}
	}
	for _, name := range c.tree.goldenFiles() {
		if _, ok := want[name]; !ok {
			c.report(name, "api", "describes a package that does not exist; remove it")
		}
	}
}

// Update writes api/PACKAGE.txt for every public package of the module at root and removes the others.
func Update(root string, policy *Policy) error {
	t, err := readTree(root)
	if err != nil {
		return err
	}
	want := t.goldens(policy)
	for _, name := range t.goldenFiles() {
		if _, ok := want[name]; !ok {
			if err := os.Remove(filepath.Join(t.root, name)); err != nil {
				return err
			}
		}
	}
	for name, text := range want {
		file := filepath.Join(t.root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// goldens returns the golden text of every public package by its file's name.
func (t *tree) goldens(policy *Policy) map[string]string {
	want := map[string]string{}
	for _, dir := range t.packages() {
		files := t.sources(dir)
		if len(files) == 0 || files[0].nested || files[0].ast.Name.Name == "main" || internal(dir) {
			continue
		}
		name := files[0].name
		if len(policy.Platforms) > 0 {
			files = t.on(policy.Platforms[0], files)
		}
		lines := sortedKeys(apiLines(files))
		want[path.Join("api", name+".txt")] = strings.Join(append(lines, ""), "\n")
	}
	return want
}

func (t *tree) goldenFiles() []string {
	var names []string
	for _, pattern := range []string{"api/*.txt", "api/*/*.txt"} {
		files, _ := filepath.Glob(filepath.Join(t.root, pattern))
		for _, f := range files {
			names = append(names, t.rel(f))
		}
	}
	return names
}

// differences lists the lines that only one of the two texts has, with - for old and + for new.
func differences(old, new string) []string {
	var diff []string
	olds, news := strings.Split(old, "\n"), strings.Split(new, "\n")
	for _, line := range olds {
		if !slices.Contains(news, line) {
			diff = append(diff, "- "+line)
		}
	}
	for _, line := range news {
		if !slices.Contains(olds, line) {
			diff = append(diff, "+ "+line)
		}
	}
	return diff
}
