// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A source is a parsed file of a package.
type source struct {
	path      string // absolute
	text      []byte
	set       *token.FileSet // of the program
	file      *ast.File
	functions []function
	joins     bool // as settings.joins
	embedded  bool // the program has its text, too, so that the file stays as it is
}

// read parses the files of a package, those that use cgo and those that are embedded last. The first one may be changed: it is added if
// all are embedded.
func read(set *token.FileSet, p *listed, closures, joins bool, embedded map[string]bool) ([]*source, error) {
	var all, fixed []*source
	for _, name := range append(p.GoFiles[:len(p.GoFiles):len(p.GoFiles)], p.CgoFiles...) {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(p.Dir, name)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s := &source{path, text, set, file, functions(set, file, closures), joins, embedded[path]}
		if s.embedded {
			fixed = append(fixed, s)
		} else {
			all = append(all, s)
		}
	}
	if len(all) == 0 && len(fixed) > 0 {
		s, err := added(set, p)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return append(all, fixed...), nil
}

// choose marks the functions of a file that get no zone.
func (s *source) choose(l *listed, w wishes, isInlined map[place]bool) {
	for i := range s.functions {
		f := &s.functions[i]
		wish := w.of(l, f.name, l.own())
		if matches(w.units, l, f.name) {
			f.unit, wish = byName, always
		}
		f.named = wish == always || l.Name == "main" && f.name == "main"
		switch at := (place{f.position.Filename, f.position.Line, f.compiled()}); {
		case w.skips(l, f.name):
			f.reason = "left out by --skip"
		case wish == no:
			f.reason = isUnasked
		case l.refused != "":
			f.reason = l.refused
		case s.embedded:
			f.reason = isEmbedded
		case f.reason != "" || f.named || s.isTest(f.name):
		case isInlined[at]:
			f.reason = isSmall
		case isLeaf(f.decl.Body):
			f.reason = isBrief
		}
		if f.reason != "" {
			f.unit = ""
		}
	}
}

// isTest reports whether package testing calls a function of the file, as a value, so that it is not inlined.
func (s *source) isTest(name string) bool {
	if !strings.HasSuffix(s.path, "_test.go") {
		return false
	}
	for _, prefix := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func where(at token.Position) string {
	return at.Filename + ":" + strconv.Itoa(at.Line)
}

// unused returns a prefix of names that no file of a package contains.
func unused(files []*source) string {
	for prefix := "strobe_z"; ; prefix += "_" {
		found := false
		for _, f := range files {
			found = found || strings.Contains(string(f.text), prefix)
		}
		if !found {
			return prefix
		}
	}
}
