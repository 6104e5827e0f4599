// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// modules are public, and have benchmarks of many kinds and lengths.
var modules = []string{
	"github.com/google/uuid@v1.6.0",
	"github.com/julienschmidt/httprouter@v1.3.0",
	"github.com/cespare/xxhash/v2@v2.3.0",
	"github.com/BurntSushi/toml@v1.6.0",
	"github.com/dustin/go-humanize@v1.1.0",
	"github.com/yuin/gopher-lua@v1.1.2",
}

// nothing is set in which no change has been made that could cost anything.
const nothing = "unchanged"

// unchanged gates a public module to which a function was added that nothing calls.
func unchanged(ctx context.Context, w *workshop, j job) (try, error) {
	dir, done, err := w.repository()
	if err != nil {
		return try{}, err
	}
	defer done()
	var module struct{ Dir, Error string }
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", j.kind)
	cmd.Dir, cmd.Env = w.temp, w.env
	out, err := cmd.Output()
	if bad := json.Unmarshal(out, &module); err != nil || bad != nil || module.Error != "" {
		return try{}, errors.Join(err, bad, errors.New(module.Error))
	}
	if err := copyAll(dir, module.Dir); err != nil {
		return try{}, err
	}
	if err := commit(ctx, dir); err != nil {
		return try{}, err
	}
	if err := addUnused(dir); err != nil {
		return try{}, err
	}
	t, err := w.gate(ctx, dir, j)
	t.Set = nothing
	return t, err
}

// copyAll copies a folder, so that its files can be changed.
func copyAll(dir, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(dir, below), 0o777)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, below), text, 0o666)
	})
}

// addUnused adds a function to each folder with tests, before the first function of the longest file. The lines of the others change
// by it, and their instructions do not.
func addUnused(dir string) error {
	added := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if path != dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if tests, err := filepath.Glob(filepath.Join(path, "*_test.go")); err != nil || len(tests) == 0 {
			return err
		}
		done, err := addTo(path)
		if done {
			added++
		}
		return err
	})
	if err == nil && added == 0 {
		err = errors.New("no file to which a function could be added")
	}
	return err
}

// addTo adds the function in one folder.
func addTo(dir string) (done bool, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return false, err
	}
	var longest string
	var text []byte
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return false, err
		}
		if len(source) > len(text) && !bytes.Contains(source, []byte("//go:build")) {
			longest, text = file, source
		}
	}
	if longest == "" {
		return false, nil
	}
	at, err := firstFunction(longest, text)
	if err != nil || at < 0 {
		return false, err
	}
	const unused = "func addedAndNeverCalled(n int) int {\n\tif n < 2 {\n\t\treturn n\n\t}\n\treturn addedAndNeverCalled(n-1) + addedAndNeverCalled(n-2)\n}\n\n"
	return true, os.WriteFile(longest, bytes.Join([][]byte{text[:at], []byte(unused), text[at:]}, nil), 0o666)
}

// firstFunction returns where the first function of a file begins, with its comment; -1 if it has none.
func firstFunction(file string, text []byte) (int, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	for _, d := range f.Decls {
		if function, ok := d.(*ast.FuncDecl); ok {
			at := function.Pos()
			if function.Doc != nil {
				at = function.Doc.Pos()
			}
			return set.Position(at).Offset, nil
		}
	}
	return -1, nil
}
