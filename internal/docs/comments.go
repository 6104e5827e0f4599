// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"fmt"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// PackageComments returns the indented blocks of all package comments below root that are commands or
// Go code which names one of the packages. A block that does not parse as Go is taken for prose.
func PackageComments(root string, packages map[string]string) ([]Block, error) {
	var blocks []Block
	fset := token.NewFileSet()
	err := eachFile(root, func(path string) error {
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil || file.Doc == nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		for _, part := range new(comment.Parser).Parse(file.Doc.Text()).Content {
			code, ok := part.(*comment.Code)
			if !ok {
				continue
			}
			b := Block{File: filepath.ToSlash(rel), Line: fset.Position(file.Doc.Pos()).Line, Text: code.Text, Loose: true}
			switch {
			case strings.HasPrefix(code.Text, "$ ") || strings.Contains(code.Text, "\n$ "):
				b.Lang = "sh"
			case namesPackage(code.Text, packages) && parses(code.Text):
				b.Lang = "go"
			default:
				continue
			}
			blocks = append(blocks, b)
		}
		return nil
	})
	return blocks, err
}

var qualified = regexp.MustCompile(`\b([a-z]\w*)\.[A-Z]\w*`)

func namesPackage(text string, packages map[string]string) bool {
	for _, m := range qualified.FindAllStringSubmatch(text, -1) {
		if packages[m[1]] != "" {
			return true
		}
	}
	return false
}

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
		if name := file.Name.Name; name != "main" && !strings.Contains(importPath+"/", "/internal/") {
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
