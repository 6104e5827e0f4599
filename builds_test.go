// SPDX-License-Identifier: BSD-3-Clause

package strobe

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// off.go declares the exported names of the other files again, so that programs compile in both builds.
func TestBothBuildsExportTheSame(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Skip("the source is not here: ", err)
	}
	on, off := exported(t, files, false), exported(t, files, true)
	if len(on) < 50 {
		t.Errorf("only %d names were found", len(on))
	}
	for name, what := range on {
		if off[name] != what {
			t.Errorf("%s is %q, with strobe_off %q", name, what, off[name])
		}
	}
	for name := range off {
		if _, found := on[name]; !found {
			t.Errorf("only strobe_off has %s", name)
		}
	}
}

// exported returns the exported names of a build: functions and methods with their types, types with their exported fields.
func exported(t *testing.T, files []string, off bool) map[string]string {
	t.Helper()
	out := make(map[string]string)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") || !built(t, string(text), off) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				receiver := ""
				if d.Recv != nil {
					receiver = source(t, d.Recv.List[0].Type) + "."
				}
				if d.Name.IsExported() && ast.IsExported(strings.TrimLeft(receiver, "*")) == (receiver != "") {
					out[receiver+d.Name.Name] = "func" + types(t, d.Type.Params) + types(t, d.Type.Results)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					declare(t, out, s)
				}
			}
		}
	}
	return out
}

func declare(t *testing.T, out map[string]string, s ast.Spec) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.IsExported() {
				out[n.Name] = "value"
			}
		}
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return
		}
		out[s.Name.Name] = "type"
		if fields, ok := s.Type.(*ast.StructType); ok {
			for _, f := range fields.Fields.List {
				for _, n := range f.Names {
					if n.IsExported() {
						out[s.Name.Name+" field "+n.Name] = source(t, f.Type)
					}
				}
			}
		}
	}
}

// built reports whether a file belongs to the build on some system.
func built(t *testing.T, text string, off bool) bool {
	_, line, found := strings.Cut(text, "\n//go:build ")
	if !found {
		return true
	}
	line, _, _ = strings.Cut(line, "\n")
	x, err := constraint.Parse("//go:build " + line)
	if err != nil {
		t.Fatal(err)
	}
	return x.Eval(func(tag string) bool { return tag == "strobe_off" && off })
}

// types returns the types of parameters, without their names.
func types(t *testing.T, list *ast.FieldList) string {
	var all []string
	if list != nil {
		for _, f := range list.List {
			for range max(1, len(f.Names)) {
				all = append(all, source(t, f.Type))
			}
		}
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// source returns the text of code, without comments.
func source(t *testing.T, code any) string {
	t.Helper()
	var b strings.Builder
	if err := printer.Fprint(&b, token.NewFileSet(), code); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
