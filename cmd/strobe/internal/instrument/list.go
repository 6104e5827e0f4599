// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// A listed is a package as go list -json prints it.
type listed struct {
	Dir, ImportPath, Name string
	ForTest               string // in a variant for a test, the package under test
	Standard, DepOnly     bool
	Module                *module
	Export                string // the file that tells the types of the package, if it was asked for
	GoFiles, CgoFiles     []string
	EmbedPatterns         []string
	EmbedFiles            []string

	CFiles, CXXFiles, MFiles, HFiles, FFiles, SFiles, SwigFiles, SwigCXXFiles, SysoFiles []string

	Error *struct{ Err string }

	inCache bool   // in the module cache, whose files the go command does not replace
	refused string // why its functions cannot have zones; "" if they can
	adopted bool   // belongs to the program, though another module is the main one
}

type module struct {
	Path, Version, Dir, GoMod, GoVersion string
	Main                                 bool
	Replace                              *module
}

const listFields = "Dir,ImportPath,Name,ForTest,Standard,DepOnly,Module,GoFiles,CgoFiles,EmbedPatterns,EmbedFiles," +
	"CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles,Error"

// path returns the import path without the name of a test binary.
func (l *listed) path() string {
	path, _, _ := strings.Cut(l.ImportPath, " ")
	return path
}

// commandLine is the import path of a package that is given as Go files.
const commandLine = "command-line-arguments"

// own reports whether a package belongs to the program itself.
func (l *listed) own() bool {
	return l.Module != nil && l.Module.Main || l.path() == commandLine || l.adopted
}

// local reports whether a package may change without a new version.
func (l *listed) local() bool {
	return !l.Standard && (l.Module == nil || l.Module.Main || l.Module.Replace != nil && l.Module.Replace.Version == "")
}

// show returns the name of a function for people.
func show(p *listed, name string) string { return p.Name + "." + name }

// targets returns what the go command is to build.
func (r Request) targets() []string {
	if strings.HasSuffix(r.Package, ".go") {
		return strings.Fields(r.Package)
	}
	if r.Package == "" {
		return []string{"."}
	}
	return []string{r.Package}
}

// listing returns the arguments of go list. With exports, it compiles the packages, and the compiler names files as they are.
func (r Request) listing(exports bool) []string {
	args := []string{"list", "-deps", "-json=" + listFields}
	if r.Test {
		args = append(args, "-test")
	}
	if !exports {
		return append(args, r.Flags...)
	}
	args[2] += ",Export"
	args = append(args, "-export")
	for _, f := range r.Flags {
		if strings.TrimLeft(f, "-") != "trimpath" {
			args = append(args, f)
		}
	}
	return args
}

// named returns the last arguments of the go command.
func (r Request) named() []string { return append([]string{"--"}, r.targets()...) }

// parseList reads what go list prints.
func parseList(out []byte) (all []*listed, err error) {
	for in := json.NewDecoder(bytes.NewReader(out)); ; {
		l := new(listed)
		if err := in.Decode(l); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if l.Error != nil {
			return nil, errors.New(l.Error.Err)
		}
		all = append(all, l)
	}
}

// program returns the packages of the program among those listed. Of the variants of a package it returns the one that the test binary
// contains.
func (r Request) program(packages []*listed) (all []*listed, err error) {
	var programs []string
	at := map[string]int{}
	for _, l := range packages {
		i, again := at[l.path()]
		switch {
		case r.Test && strings.HasSuffix(l.path(), ".test"): // generated
			programs = append(programs, strings.TrimSuffix(l.path(), ".test"))
		case !again:
			at[l.path()] = len(all)
			all = append(all, l)
		case l.ForTest != "":
			l.DepOnly = l.DepOnly && all[i].DepOnly
			all[i] = l
		}
	}
	var others []*listed // that were asked for
	for _, l := range all {
		switch {
		case l.DepOnly || r.Test:
		case l.Name == "main":
			programs = append(programs, l.path())
		default:
			others = append(others, l)
		}
	}
	return all, r.one(programs, others)
}

// one returns an error unless the request is for one program. others are the packages it asks for that are none.
func (r Request) one(programs []string, others []*listed) error {
	const most = 5
	what := strings.Join(r.targets(), " ")
	switch n := len(programs); {
	case n == 1:
		return nil
	case n > most:
		return fmt.Errorf("%s names %d programs, %s and so on: give one of them", what, n, strings.Join(programs[:most], ", "))
	case n > 1:
		return fmt.Errorf("%s names %d programs: give one of %s", what, n, strings.Join(programs, ", "))
	case r.Test:
		return fmt.Errorf("%s has no tests: none of its files ends in _test.go", what)
	case len(others) == 1:
		return fmt.Errorf("%s is package %s, not main: give a main package; its tests are run with -test.run=. and built with --test", what, others[0].Name)
	default:
		return fmt.Errorf("%s names no main package: give one; the tests of a package are run with -test.run=. and built with --test", what)
	}
}

// run runs the go command and returns what it prints.
func (r Request) run(ctx context.Context, args ...string) ([]byte, error) {
	out, said, err := r.goCommand(ctx, args...)
	if err != nil {
		if text := strings.TrimSpace(string(said)); text != "" {
			return nil, errors.New(firstLines(text))
		}
		return nil, fmt.Errorf("go %s: %w", args[0], err)
	}
	return out, nil
}

// goCommand runs the go command and returns what it writes to its two streams.
func (r Request) goCommand(ctx context.Context, args ...string) (out, said []byte, err error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = r.Dir
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err = cmd.Run()
	return o.Bytes(), e.Bytes(), err
}

// mostLines is how much of what the go command says when it fails is passed on.
const mostLines = 40

// firstLines returns the first lines of a text, and says how many more there are.
func firstLines(text string) string {
	lines := strings.Split(text, "\n")
	if len(lines) <= mostLines {
		return text
	}
	return fmt.Sprintf("%s\n%d more lines; go build shows them", strings.Join(lines[:mostLines], "\n"), len(lines)-mostLines)
}
