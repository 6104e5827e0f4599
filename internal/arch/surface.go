// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"go/ast"
	"go/build"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// checkSurface holds a package's exported names to their number, to being documented, and to being
// the same on every platform.
func (c *checker) checkSurface(dir string) {
	files := c.tree.sources(dir)
	if len(files) == 0 || files[0].ast.Name.Name == "main" {
		return
	}
	exported := map[string]bool{}
	documented := false
	for _, f := range files {
		documented = documented || f.ast.Doc != nil
		for _, d := range declarations(f.ast) {
			exported[d.name] = true
			if d.doc == "" {
				c.report(f.path, "undocumented", "%s has no comment", d.name)
			}
			if !internal(dir) {
				c.checkFields(f, d)
			}
		}
	}
	if !documented {
		c.report(dir, "undocumented", "no package comment")
	}
	if len(exported) > c.policy.Names {
		c.report(dir, "names", "%d exported names, at most %d", len(exported), c.policy.Names)
	}
	c.checkSameEverywhere(dir, files)
}

// internal reports whether a folder's package is for this module only.
func internal(dir string) bool { return slices.Contains(strings.Split(dir, "/"), "internal") }

// A declaration is one exported top-level name, or an exported method of an exported type.
type declaration struct {
	name string // "Limiter" or "Limiter.Wait"
	doc  string // its comment, or that of the group it stands in
	node ast.Node
}

func declarations(f *ast.File) []declaration {
	var all []declaration
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil {
				receiver := receiverName(d.Recv.List[0].Type)
				if !ast.IsExported(receiver) {
					continue
				}
				name = receiver + "." + name
			}
			if d.Name.IsExported() {
				all = append(all, declaration{name, d.Doc.Text(), d})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						all = append(all, declaration{s.Name.Name, firstText(s.Doc, d.Doc, s.Comment), s})
					}
				case *ast.ValueSpec:
					doc := firstText(s.Doc, s.Comment, d.Doc)
					for _, name := range s.Names {
						if name.IsExported() {
							all = append(all, declaration{name.Name, doc, s})
						}
					}
				}
			}
		}
	}
	return all
}

func receiverName(expr ast.Expr) string {
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.IndexListExpr:
			expr = e.X
		case *ast.ParenExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

func firstText(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if text := g.Text(); text != "" {
			return text
		}
	}
	return ""
}

// checkFields wants every exported field and interface method explained: by a comment of its own, by
// one in the same group of lines, or by name in the type's comment.
func (c *checker) checkFields(f *file, d declaration) {
	spec, ok := d.node.(*ast.TypeSpec)
	if !ok {
		return
	}
	var fields *ast.FieldList
	switch t := spec.Type.(type) {
	case *ast.StructType:
		fields = t.Fields
	case *ast.InterfaceType:
		fields = t.Methods
	default:
		return
	}
	for _, group := range c.tree.groups(fields) {
		explained := ""
		for _, field := range group {
			explained += firstText(field.Doc, field.Comment)
		}
		for _, field := range group {
			for _, name := range field.Names {
				if name.IsExported() && explained == "" && !mentions(d.doc, name.Name) {
					c.report(f.path, "undocumented", "%s.%s has no comment, nor has its group of lines", d.name, name.Name)
				}
			}
		}
	}
}

// groups splits fields where an empty line stands between them.
func (t *tree) groups(fields *ast.FieldList) [][]*ast.Field {
	var groups [][]*ast.Field
	end := -1
	for _, field := range fields.List {
		start := field.Pos()
		if field.Doc != nil {
			start = field.Doc.Pos()
		}
		if line := t.fset.Position(start).Line; end < 0 || line > end+1 {
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], field)
		end = t.fset.Position(field.End()).Line
	}
	return groups
}

func mentions(text, name string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).MatchString(text)
}

// checkSameEverywhere compares the exported API of every platform with that of the first.
func (c *checker) checkSameEverywhere(dir string, files []*file) {
	var first map[string]token.Pos
	for _, platform := range c.policy.Platforms {
		api := apiLines(c.on(platform, files))
		if first == nil {
			first = api
			continue
		}
		for _, only := range []struct {
			has, lacks map[string]token.Pos
			where      string
		}{{first, api, "not on " + platform}, {api, first, "on " + platform + ", not on " + c.policy.Platforms[0]}} {
			for _, line := range sortedKeys(only.has) {
				if _, ok := only.lacks[line]; !ok {
					c.report(c.tree.fset.Position(only.has[line]).Filename, "same API", "%s: %s", only.where, strings.TrimSpace(line))
				}
			}
		}
	}
}

// on returns the files that are compiled on a platform.
func (c *checker) on(platform string, files []*file) []*file {
	context := build.Default
	context.GOOS, context.GOARCH, _ = strings.Cut(platform, "/")
	context.CgoEnabled = false
	var match []*file
	for _, f := range files {
		path := filepath.Join(c.tree.root, filepath.FromSlash(f.path))
		if ok, err := context.MatchFile(filepath.Dir(path), filepath.Base(path)); err == nil && ok {
			match = append(match, f)
		}
	}
	return match
}
