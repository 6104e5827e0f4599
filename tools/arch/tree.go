// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A tree is the Go source below a root folder, including nested modules.
type tree struct {
	root, module string
	workspace    workspace
	fset         *token.FileSet
	files        []*file
}

// A file is one parsed Go file.
type file struct {
	path, dir  string // relative to the root, with slashes
	name       string // of the package in the policy
	test       bool
	nested     bool // of a nested module outside the workspace
	generated  bool
	standalone bool // a separate program: //go:build ignore
	lines      int
	ast        *ast.File
}

func readTree(root string) (*tree, error) {
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return nil, err
	}
	if root, err = filepath.Abs(root); err != nil {
		return nil, err
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	work, err := readWorkspace(root)
	if err != nil {
		return nil, err
	}
	module, _, _ := strings.Cut(strings.TrimPrefix(string(mod), "module "), "\n")
	t := &tree{root: root, module: strings.TrimSpace(module), workspace: work, fset: outsideTrees().fset}
	var nested []string
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, base := t.rel(path), d.Name()
		switch {
		case d.IsDir() && path != root && (base == "testdata" || base == "node_modules" || strings.ContainsAny(base[:1], "._")):
			return filepath.SkipDir
		case d.IsDir() && path != root:
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && !slices.Contains(work.folders, rel) {
				nested = append(nested, rel+"/")
			}
			return nil
		case d.IsDir() || filepath.Ext(base) != ".go" || strings.HasPrefix(base, "."):
			return nil
		}
		in := slices.ContainsFunc(nested, func(prefix string) bool { return strings.HasPrefix(rel, prefix) })
		return t.add(rel, in)
	})
	return t, err
}

func (t *tree) add(path string, nested bool) error {
	src, err := os.ReadFile(filepath.Join(t.root, path))
	if err != nil {
		return err
	}
	parsed, err := parser.ParseFile(t.fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("the tree does not parse: %w", err)
	}
	dir := filepath.ToSlash(filepath.Dir(path))
	name := dir
	if dir == "." {
		name = filepath.Base(t.module)
	}
	t.files = append(t.files, &file{
		path: path, dir: dir, name: name,
		test:       strings.HasSuffix(path, "_test.go"),
		nested:     nested,
		generated:  ast.IsGenerated(parsed),
		standalone: standalone(parsed),
		lines:      bytes.Count(src, []byte("\n")),
		ast:        parsed,
	})
	return nil
}

// standalone reports whether a build constraint asks for the tag "ignore".
func standalone(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() > f.Package || !constraint.IsGoBuild(c.Text) {
				continue
			}
			expr, err := constraint.Parse(c.Text)
			return err == nil && (dependsOnIgnore(expr, true) || dependsOnIgnore(expr, false))
		}
	}
	return false
}

// dependsOnIgnore reports whether expr needs the tag "ignore" if all other tags have the value others.
func dependsOnIgnore(expr constraint.Expr, others bool) bool {
	with := expr.Eval(func(tag string) bool { return others || tag == "ignore" })
	return with && !expr.Eval(func(tag string) bool { return others && tag != "ignore" })
}

// packages returns the folders that contain a package, sorted.
func (t *tree) packages() []string {
	var dirs []string
	for _, f := range t.files {
		dirs = append(dirs, f.dir)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// sources returns the files of a folder that make up its package: no tests, no stand-alone programs.
func (t *tree) sources(dir string) []*file {
	var sources []*file
	for _, f := range t.files {
		if f.dir == dir && !f.test && !f.standalone {
			sources = append(sources, f)
		}
	}
	return sources
}

func (t *tree) rel(path string) string {
	rel, err := filepath.Rel(t.root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

func (f *file) imports() []string {
	var paths []string
	for _, spec := range f.ast.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		paths = append(paths, path)
	}
	return paths
}

// A workspace is the modules of a tree that are checked together: those that its go.work uses, or the one at its root.
type workspace struct {
	folders []string // of the modules, relative to the root
	env     string   // makes the go command see the same modules
}

func readWorkspace(root string) (workspace, error) {
	file := filepath.Join(root, "go.work")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		above := filepath.Join(filepath.Dir(root), "go.work") // that of contrib leads its modules to the library
		if _, err := os.Stat(above); err == nil {
			return workspace{[]string{"."}, "GOWORK=" + above}, nil
		}
		return workspace{[]string{"."}, "GOWORK=off"}, nil
	}
	w := workspace{env: "GOWORK=" + file}
	for _, use := range regexp.MustCompile(`(?m)^use\s+(\([^)]*\)|\S+)`).FindAllStringSubmatch(string(text), -1) {
		for _, folder := range strings.Fields(strings.Trim(use[1], "()")) {
			w.folders = append(w.folders, path.Clean(folder))
		}
	}
	return w, err
}

// patterns match all packages of the modules.
func (w workspace) patterns() []string {
	var patterns []string
	for _, folder := range w.folders {
		patterns = append(patterns, "./"+path.Join(folder, "..."))
	}
	return patterns
}
