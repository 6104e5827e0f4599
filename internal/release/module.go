// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The path of the library, and the version that is rehearsed.
const (
	library = "github.com/strobe-go/strobe"
	version = "v0.1.0"
)

// A module is released under a tag of its own.
type module struct {
	folder string // relative to the root, with slashes; "." for the library
	file   []byte // its go.mod
}

func (m module) path() string {
	if m.folder == "." {
		return library
	}
	return library + "/" + m.folder
}

// tag is what the go command looks for in the repository.
func (m module) tag() string {
	if m.folder == "." {
		return version
	}
	return m.folder + "/" + version
}

// released returns the modules below root that are released, each after those that it requires. It is an error if one could
// not be installed.
func released(root string) ([]module, error) {
	modules := []module{}
	for _, pattern := range []string{".", "cmd/*", "contrib/*"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern), "go.mod"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			folder, err := filepath.Rel(root, filepath.Dir(file))
			if err != nil {
				return nil, err
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			m := module{filepath.ToSlash(folder), text}
			if err := errors.Join(m.check(file), m.checkImports(filepath.Dir(file))); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			modules = append(modules, m)
		}
	}
	if len(modules) < 2 {
		return nil, fmt.Errorf("%s holds %d modules to release", root, len(modules))
	}
	return modules, nil
}

// check finds what the go command would refuse in a module that somebody installs or requires.
func (m module) check(file string) error {
	out, err := exec.Command("go", "mod", "edit", "-json", file).Output()
	if err != nil {
		return fmt.Errorf("go mod edit: %w", err)
	}
	var mod struct {
		Module  struct{ Path string }
		Require []struct{ Path, Version string }
		Replace []struct{ Old struct{ Path string } }
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		return err
	}
	if mod.Module.Path != m.path() {
		return fmt.Errorf("the module is %s, and its folder says %s", mod.Module.Path, m.path())
	}
	for _, r := range mod.Replace {
		return fmt.Errorf("it replaces %s, so go install refuses it: use go.work", r.Old.Path)
	}
	for _, r := range mod.Require {
		ours := r.Path == library || strings.HasPrefix(r.Path, library+"/")
		switch {
		case ours && r.Path != library:
			return fmt.Errorf("it requires %s: released modules require the library alone", r.Path)
		case ours && r.Version != version:
			return fmt.Errorf("it requires %s %s, not %s", r.Path, r.Version, version)
		}
	}
	return nil
}

// checkImports finds what a module of contrib imports of the library's internal packages. Its users may have a later version of
// the library, in which those have changed. The command always has its own version.
func (m module) checkImports(folder string) error {
	if !strings.HasPrefix(m.folder, "contrib/") {
		return nil
	}
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, imp := range file.Imports {
			if strings.HasPrefix(imp.Path.Value, `"`+library+"/internal/") {
				return fmt.Errorf("%s imports %s, which a later version of the library may change", path, imp.Path.Value)
			}
		}
		return nil
	})
}
