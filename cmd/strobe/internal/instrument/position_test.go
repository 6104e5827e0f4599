// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A lexeme is a token with its position, as the compiler tells it.
type lexeme struct {
	at      token.Position
	tok     token.Token
	literal string
}

func lexemes(path string, text []byte) (all []lexeme) {
	set := token.NewFileSet()
	file := set.AddFile(path, -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return all
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		at := set.Position(pos)
		at.Offset = 0
		all = append(all, lexeme{at, tok, literal})
	}
}

// Each token of a source must have its position in the changed file: tools print them.
func TestTokensKeepTheirPositions(t *testing.T) {
	settings, err := settingsOf(t.Context(), Request{})
	if err != nil {
		t.Fatal(err)
	}
	packages := map[string]string{"odd": filepath.Join(t.TempDir(), "odd")}
	for _, name := range []string{"go/printer", "text/template/parse", "slices"} {
		packages[name] = filepath.Join(settings.Root, "src", filepath.FromSlash(name))
	}
	if err := write(filepath.Join(packages["odd"], "odd.go"), []byte(`// Package odd is.
package odd /* so */ // and so
import "fmt"; import ("os")
var a, b = 1, 2
func one() { fmt.Println(a, b) }; func two() (n int) { defer func() { recover() }(); return len(os.Args) }
//line grammar.y:7
func three() { /* what */ one() // here
	two() }
/*line other.y:3:5*/ func four() { one(); two() }
func five() {
	// nothing
}
`)); err != nil {
		t.Fatal(err)
	}
	for name, dir := range packages {
		l := &listed{Dir: dir, ImportPath: name, Name: filepath.Base(name)}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if n := e.Name(); strings.HasSuffix(n, ".go") && !strings.HasSuffix(n, "_test.go") {
				l.GoFiles = append(l.GoFiles, n)
			}
		}
		files, err := read(token.NewFileSet(), l, true, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		zones := 0
		for path, text := range rewrite(l, files, true, nil) {
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			rest := lexemes(path, text)
			for _, want := range lexemes(path, before) {
				for len(rest) > 0 && rest[0] != want {
					rest = rest[1:]
				}
				if len(rest) == 0 {
					t.Fatalf("%s: %q is not at %v", path, want.literal, want.at)
				}
			}
			zones += strings.Count(string(text), ".Enter().Exit()")
		}
		if zones < 5 {
			t.Errorf("%s has %d zones", name, zones)
		}
	}
}
