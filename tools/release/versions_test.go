// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// All modules of the tree require the same version of another module, so that the tests use the same versions as the users. Only
// golang.org/x and purego are exceptions: their versions depend on the Go that a module needs.
func TestModulesAgreeOnVersions(t *testing.T) {
	const root = "../.."
	required := map[string]map[string][]string{} // by module and version
	if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		case d.Name() != "go.mod":
			return nil
		}
		m, err := readGoMod(path)
		for _, r := range m.Require {
			name := r.Path
			if strings.HasPrefix(name, "golang.org/x/") || name == "github.com/ebitengine/purego" {
				name += " for Go " + m.Go
			}
			if required[name] == nil {
				required[name] = map[string][]string{}
			}
			required[name][r.Version] = append(required[name][r.Version], path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for name, versions := range required {
		if len(versions) > 1 {
			text := ""
			for _, v := range slices.Sorted(maps.Keys(versions)) {
				text += fmt.Sprintf("\n\t%s in %s", v, strings.Join(versions[v], ", "))
			}
			t.Errorf("%s is required in %d versions:%s", name, len(versions), text)
		}
	}
	if library, err := readGoMod(filepath.Join(root, "go.mod")); err != nil || len(required["golang.org/x/sys for Go "+library.Go]) == 0 {
		t.Errorf("the library was not looked at: %v", err)
	}
}
