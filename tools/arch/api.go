// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"bytes"
	"go/ast"
	"go/printer"
	"go/token"
	"strings"
)

// A declaration is one exported top-level name, or an exported method of an exported type.
type declaration struct {
	name string // "Limiter" or "Limiter.Wait"
	doc  string // its comment, or that of its group
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

// apiLines renders the exported API of some files, with one line for each name, method, field or interface method, and its
// position.
func apiLines(files []*file) map[string]token.Pos {
	lines := map[string]token.Pos{}
	for _, f := range files {
		for _, d := range declarations(f.ast) {
			switch n := d.node.(type) {
			case *ast.FuncDecl:
				lines[render(&ast.FuncDecl{Recv: n.Recv, Name: n.Name, Type: n.Type})] = n.Pos()
			case *ast.ValueSpec:
				lines[valueLine(f.ast, n, d.name)] = n.Pos()
			case *ast.TypeSpec:
				typeLines(lines, n)
			}
		}
	}
	return lines
}

func typeLines(lines map[string]token.Pos, spec *ast.TypeSpec) {
	short := &ast.TypeSpec{Name: spec.Name, TypeParams: spec.TypeParams, Assign: spec.Assign, Type: spec.Type}
	var fields *ast.FieldList
	switch t := spec.Type.(type) {
	case *ast.StructType:
		fields, short.Type = t.Fields, ast.NewIdent("struct")
	case *ast.InterfaceType:
		fields, short.Type = t.Methods, ast.NewIdent("interface")
	}
	head := "type " + render(short)
	lines[head] = spec.Pos()
	if fields == nil {
		return
	}
	for _, field := range fields.List {
		for _, name := range field.Names {
			if name.IsExported() {
				text := " " + render(field.Type)
				if _, ok := spec.Type.(*ast.InterfaceType); ok {
					text = strings.TrimPrefix(text, " func")
				}
				lines[head+", "+name.Name+text] = name.Pos()
			}
		}
		if len(field.Names) == 0 {
			lines[head+", embeds "+render(field.Type)] = field.Pos()
		}
	}
}

// valueLine renders a constant or variable, with its type if the source states it.
func valueLine(f *ast.File, spec *ast.ValueSpec, name string) string {
	for _, decl := range f.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		var carried ast.Expr // a constant without type and value repeats the one before
		for _, s := range d.Specs {
			v, ok := s.(*ast.ValueSpec)
			if !ok {
				break
			}
			if v.Type != nil || len(v.Values) > 0 {
				carried = v.Type
			}
			if v != spec {
				continue
			}
			line := d.Tok.String() + " " + name
			if carried != nil {
				line += " " + render(carried)
			}
			return line
		}
	}
	return name
}

func render(node any) string {
	var buf bytes.Buffer
	if err := printer.Fprint(&buf, token.NewFileSet(), node); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(buf.String()), " ")
}
