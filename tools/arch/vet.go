// SPDX-License-Identifier: BSD-3-Clause

package arch

import (
	"go/ast"
	"go/build"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/suite/vet"
	"golang.org/x/tools/go/types/objectpath"
)

// A fresh records which files the analyzers of go vet have seen. A package is analyzed on each platform on which it has a file that
// is in it on no earlier one: go vet would find the rest there, on the first.
type fresh map[string]bool

// any reports whether there are new files in a folder, and records them.
func (f fresh) any(dir string, files []string) bool {
	found := false
	for _, name := range files {
		path := filepath.Join(dir, name)
		found = found || !f[path]
		f[path] = true
	}
	return found
}

// newInfo returns an Info with all that analyzers use.
func newInfo() *types.Info {
	return &types.Info{
		Types:        map[ast.Expr]types.TypeAndValue{},
		Defs:         map[*ast.Ident]types.Object{},
		Uses:         map[*ast.Ident]types.Object{},
		Implicits:    map[ast.Node]types.Object{},
		Selections:   map[*ast.SelectorExpr]*types.Selection{},
		Scopes:       map[ast.Node]*types.Scope{},
		Instances:    map[*ast.Ident]types.Instance{},
		FileVersions: map[*ast.File]string{},
	}
}

// A vetting runs the analyzers of go vet on one package. Of other packages of the module they are told what they found there, such as
// which functions format like Printf; of those of other modules they know nothing.
type vetting struct {
	pass    analysis.Pass // without what differs between analyzers
	results map[*analysis.Analyzer]any
	facts   facts
	report  func(pos token.Position, message string)
}

// facts are what analyzers know of packages and of their functions.
type facts map[factKey]analysis.Fact

type factKey struct {
	of   any // the path of a package, and of an object in it; an object without a path itself
	kind reflect.Type
}

// keyOf returns the key of a fact about an object: the same for each importer of its package. Only its own package can ask about an
// object without a path, such as a local one.
func keyOf(o types.Object, f analysis.Fact) factKey {
	if o.Pkg() != nil {
		if path, err := objectpath.For(o); err == nil {
			return factKey{o.Pkg().Path() + " " + string(path), reflect.TypeOf(f)}
		}
	}
	return factKey{o, reflect.TypeOf(f)}
}

// vet calls report for each diagnostic of go vet about a package that was checked with info from newInfo.
func (l *loader) vet(pkg *types.Package, info *types.Info, p *listed, report func(pos token.Position, message string)) error {
	// The analyzers of assembly ask for no other platform than this.
	host := build.Default
	defer func() { build.Default = host }()
	build.Default.GOOS, build.Default.GOARCH, _ = strings.Cut(l.platform, "/")

	v := &vetting{results: map[*analysis.Analyzer]any{}, facts: l.facts, report: report}
	v.pass = analysis.Pass{Fset: l.fset, Pkg: pkg, TypesInfo: info, TypesSizes: types.SizesFor("gc", build.Default.GOARCH), ReadFile: os.ReadFile,
		Files: l.filesOf(p), Module: &analysis.Module{GoVersion: p.Module.GoVersion}}
	for _, name := range p.SFiles {
		v.pass.OtherFiles = append(v.pass.OtherFiles, filepath.Join(p.Dir, name))
	}
	for _, a := range vet.Suite {
		if err := v.run(a); err != nil {
			return err
		}
	}
	return nil
}

// run runs an analyzer after those that it needs.
func (v *vetting) run(a *analysis.Analyzer) error {
	if _, done := v.results[a]; done {
		return nil
	}
	pass := v.pass
	pass.Analyzer, pass.ResultOf = a, map[*analysis.Analyzer]any{}
	for _, needed := range a.Requires {
		if err := v.run(needed); err != nil {
			return err
		}
		pass.ResultOf[needed] = v.results[needed]
	}
	pass.Report = func(d analysis.Diagnostic) { v.report(v.pass.Fset.Position(d.Pos), d.Message) }
	pass.ImportObjectFact = func(o types.Object, f analysis.Fact) bool { return v.facts.load(keyOf(o, f), f) }
	pass.ExportObjectFact = func(o types.Object, f analysis.Fact) { v.facts[keyOf(o, f)] = f }
	pass.ImportPackageFact = func(p *types.Package, f analysis.Fact) bool {
		return v.facts.load(factKey{p.Path(), reflect.TypeOf(f)}, f)
	}
	pass.ExportPackageFact = func(f analysis.Fact) { v.facts[factKey{v.pass.Pkg.Path(), reflect.TypeOf(f)}] = f }
	pass.AllObjectFacts = func() []analysis.ObjectFact { return nil }
	pass.AllPackageFacts = func() []analysis.PackageFact { return nil }
	result, err := a.Run(&pass)
	v.results[a] = result
	return err
}

// load copies a fact to f, if it is known.
func (all facts) load(key factKey, f analysis.Fact) bool {
	known, ok := all[key]
	if ok {
		reflect.ValueOf(f).Elem().Set(reflect.ValueOf(known).Elem())
	}
	return ok
}
