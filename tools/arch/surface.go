// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// checkSurface requires a package's exported names to be documented and the same on every platform. A name that several builds
// declare needs one comment.
func (c *checker) checkSurface(dir string) {
	files := c.tree.sources(dir)
	if len(files) == 0 || files[0].ast.Name.Name == "main" {
		return
	}
	documented, commented := false, make(map[string]bool)
	for _, f := range files {
		for _, d := range declarations(f.ast) {
			commented[d.name] = commented[d.name] || d.doc != ""
		}
	}
	for _, f := range files {
		documented = documented || f.ast.Doc != nil
		for _, d := range declarations(f.ast) {
			if !commented[d.name] {
				c.report(f.path, "undocumented", "%s has no comment", d.name)
			}
			if !internal(dir) && (d.doc != "" || !commented[d.name]) {
				c.checkFields(f, d)
			}
		}
	}
	if !documented {
		c.report(dir, "undocumented", "no package comment")
	}
	c.checkSameEverywhere(dir, files)
}

// checkFields requires documentation for every exported field and interface method: its own comment, a comment in the same
// group of lines, or its name in the type's comment.
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

// groups splits fields at empty lines.
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

// checkSameEverywhere compares the exported API on every platform with that on the first.
func (c *checker) checkSameEverywhere(dir string, files []*file) {
	var first map[string]token.Pos
	for _, platform := range c.policy.Platforms {
		api := apiLines(c.tree.on(platform, files))
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
