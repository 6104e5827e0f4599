// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Packages returns the import paths of the importable packages of the modules at and below root by name.
func Packages(root string) (map[string]string, error) {
	packages := map[string]string{}
	modules, err := Modules(root)
	if err != nil {
		return nil, err
	}
	if modules[filepath.Clean(root)] == "" {
		return nil, fmt.Errorf("%s holds no go.mod", root)
	}
	err = eachFile(root, func(path string) error {
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly)
		if err != nil {
			return err
		}
		dir := filepath.Dir(path)
		above := dir
		for modules[above] == "" {
			above = filepath.Dir(above)
		}
		rel, err := filepath.Rel(above, dir)
		if err != nil {
			return err
		}
		importPath := strings.TrimSuffix(modules[above]+"/"+filepath.ToSlash(rel), "/.")
		if name := file.Name.Name; name != "main" && !strings.Contains(importPath+"/", "/internal/") && !strings.Contains(importPath, "/tools/") {
			packages[name] = importPath
		}
		return nil
	})
	return packages, err
}

// Modules returns the module paths by folder, root's included.
func Modules(root string) (map[string]string, error) {
	modules := map[string]string{}
	return modules, eachFile(root, func(path string) error {
		if filepath.Base(path) != "go.mod" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if m := regexp.MustCompile(`(?m)^module\s+(\S+)`).FindSubmatch(text); m != nil {
			modules[filepath.Dir(path)] = string(m[1])
		}
		return nil
	})
}

// eachFile visits the files that belong to the source below root.
func eachFile(root string, visit func(path string) error) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (name == "testdata" || name == "node_modules" || strings.ContainsAny(name[:1], "._")) {
				return filepath.SkipDir
			}
			return nil
		}
		return visit(path)
	})
}
