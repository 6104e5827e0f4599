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

const library = "github.com/strobe-go/strobe"

// A module is released under a tag of its own.
type module struct {
	folder  string // relative to the root, with slashes; "." for the library
	version string
	text    []byte // its go.mod
	goMod
}

func (m module) path() string {
	if m.folder == "." {
		return library
	}
	return library + "/" + m.folder
}

// tag returns the tag that the go command looks for in the repository.
func (m module) tag() string {
	if m.folder == "." {
		return m.version
	}
	return m.folder + "/" + m.version
}

// released returns the modules below root that are released, each after those that it requires. Their version is that of the
// library that they require. It returns an error if a module could not be installed.
func released(root string) ([]module, error) {
	modules := []module{}
	version := ""
	for _, pattern := range []string{".", "cmd/*", "contrib/*"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern), "go.mod"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			m, err := readModule(root, file)
			if err != nil {
				return nil, err
			}
			if err := errors.Join(m.check(&version), m.checkImports(filepath.Dir(file))); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			modules = append(modules, m)
		}
	}
	if version == "" {
		return nil, fmt.Errorf("no module in %s requires the library", root)
	}
	for i := range modules {
		modules[i].version = version
	}
	return modules, nil
}

func readModule(root, file string) (m module, err error) {
	folder, err := filepath.Rel(root, filepath.Dir(file))
	if err != nil {
		return m, err
	}
	m.folder = filepath.ToSlash(folder)
	if m.text, err = os.ReadFile(file); err != nil {
		return m, err
	}
	m.goMod, err = readGoMod(file)
	return m, err
}

// check returns an error if the go command would refuse to install or require the module. It sets version if that is empty.
func (m module) check(version *string) error {
	if m.Module.Path != m.path() {
		return fmt.Errorf("the module is %s, and its folder says %s", m.Module.Path, m.path())
	}
	for _, r := range m.Replace {
		return fmt.Errorf("it replaces %s, so go install refuses it: use go.work", r.Old.Path)
	}
	for _, r := range m.Require {
		switch {
		case strings.HasPrefix(r.Path, library+"/"):
			return fmt.Errorf("it requires %s: released modules require the library alone", r.Path)
		case r.Path == library && *version == "":
			*version = r.Version
		case r.Path == library && r.Version != *version:
			return fmt.Errorf("it requires %s %s, and others %s", r.Path, r.Version, *version)
		}
	}
	return nil
}

// checkImports returns an error if a module of contrib imports internal packages of the library: its users may have a later
// version of the library, in which these have changed. The command always has the matching version.
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

// A goMod is what this program needs of a go.mod file.
type goMod struct {
	Module  struct{ Path string }
	Go      string
	Require []struct{ Path, Version string }
	Replace []struct{ Old struct{ Path string } }
}

func readGoMod(file string) (m goMod, err error) {
	out, err := exec.Command("go", "mod", "edit", "-json", file).Output()
	if err != nil {
		return m, fmt.Errorf("go mod edit -json %s: %w", file, err)
	}
	return m, json.Unmarshal(out, &m)
}
