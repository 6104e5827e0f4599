// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
)

// A target is a package to mutate and the tests that must detect the mutants.
type target struct {
	name    string // as on the command line
	pkg     goPackage
	tests   []goPackage
	mutants []mutant
	skip    *regexp.Regexp // tests that are not run; nil for none
	short   bool           // tests are run with -short
	cache   string         // of the go command while it builds mutants, "" for the usual one
}

// A goPackage is the output of go list about a package.
type goPackage struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
}

// find resolves "stat" or "internal/word+." to a target.
func find(ctx context.Context, name string, only *regexp.Regexp) (*target, error) {
	var dirs []string
	for _, dir := range strings.Split(name, "+") {
		dirs = append(dirs, "./"+dir)
	}
	out, err := goCommand(ctx, "", append([]string{"list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles"}, dirs...)...)
	if err != nil {
		return nil, err
	}
	t := &target{name: name}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if t.pkg.Dir == "" {
			t.pkg = p
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			t.tests = append(t.tests, p)
		}
	}
	for _, file := range t.pkg.GoFiles {
		found, err := mutants(filepath.Join(t.pkg.Dir, file))
		if err != nil {
			return nil, err
		}
		for _, m := range found {
			if only == nil || only.MatchString(m.function) {
				t.mutants = append(t.mutants, m)
			}
		}
	}
	return t, nil
}

// line describes a mutant for the report.
func (t *target) line(m *mutant, v verdict) string {
	note := ""
	switch v {
	case uncovered:
		note = "   (no test runs it)"
	case timedOut:
		note = "   (timed out)"
	}
	return fmt.Sprintf("%4d  %s%s", m.at.line, t.where(m), note)
}

// where names a mutant in the form of explained.txt.
func (t *target) where(m *mutant) string {
	dir, _, _ := strings.Cut(t.name, "+")
	return filepath.ToSlash(filepath.Join(dir, filepath.Base(m.file))) + " " + m.function + ": " + m.old + " -> " + m.new
}
