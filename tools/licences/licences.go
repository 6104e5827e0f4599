// SPDX-License-Identifier: BSD-3-Clause

// Package licences finds the licences of the modules that programs link when they use strobe.
package licences

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	classifier "github.com/google/licenseclassifier/v2"
)

// The systems whose dependencies count; others have no more.
var systems = []string{"linux", "windows", "darwin"}

const own = "github.com/strobe-go/strobe"

// Linked returns the folders of the modules of others that the packages of the module in a folder link on any system, by path.
func Linked(module string) (map[string]string, error) {
	linked := map[string]string{}
	for _, system := range systems {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Dir}}{{end}}", "./...")
		list.Dir, list.Env = module, append(os.Environ(), "GOOS="+system)
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list in %s for %s: %w", module, system, err)
		}
		for line := range strings.Lines(string(out)) {
			path, dir, ok := strings.Cut(strings.TrimSpace(line), "\t")
			if ok && path != own && !strings.HasPrefix(path, own+"/") {
				linked[path] = dir
			}
		}
	}
	return linked, nil
}

// isLicence reports whether a file has the name of one.
func isLicence(name string) bool {
	name = strings.ToLower(name)
	for _, stem := range []string{"licence", "license", "copying", "unlicense"} {
		if rest, ok := strings.CutPrefix(name, stem); ok && (rest == "" || rest[0] == '.' || rest[0] == '-') {
			return true
		}
	}
	return false
}

// Of returns the SPDX names of the licences in the files of a module's folder, in order, without those of parts of it in folders below.
func Of(c *classifier.Classifier, folder string) ([]string, error) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range files {
		if f.IsDir() || !isLicence(f.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if err != nil {
			return nil, err
		}
		for _, m := range c.Match(text).Matches {
			if m.MatchType == "License" && !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	slices.Sort(names)
	return names, nil
}
