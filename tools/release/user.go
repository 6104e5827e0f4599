// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A user is a program in testdata/users.
type user struct {
	name   string
	gets   []string // packages that its author gets with go get
	env    []string
	prints string // what its output contains
}

// getsOthers reports whether it gets more than the library. Users of the library alone have the modules of modules.txt in their
// graph and no others.
func (u user) getsOthers() bool {
	return slices.ContainsFunc(u.gets, func(pkg string) bool { return strings.HasPrefix(pkg, library+"/contrib/") })
}

var users = []user{
	{"core", []string{library}, nil, "elsewhere"},
	{"trace", []string{library, library + "/trace"}, nil, "traced"},
	{"auto", []string{library + "/live/auto"}, []string{"STROBE_HTTP=127.0.0.1:0"}, "strobe: live view at http://127.0.0.1:"},
	{"ebitengine", []string{library + "/contrib/ebitengine"}, nil, "strobeebiten: the game is already wrapped"},
	{"grpc", []string{library + "/contrib/grpc"}, nil, "2 options of a server"},
	{"otel", []string{library + "/contrib/otel"}, nil, "strobe.zone"},
	{"prometheus", []string{library + "/contrib/prometheus"}, nil, "strobe_zone_calls_total"},
	{"sql", []string{library + "/contrib/sql"}, nil, "SELECT ?"},
	{"tracy", []string{library + "/contrib/tracy"}, nil, "serving at 127.0.0.1:"},
	{"victoria", []string{library + "/contrib/victoria"}, nil, `strobe_zone_calls_total{zone="elsewhere"} 1`},
}

// commands installs the commands and runs them.
func (e *elsewhere) commands(out io.Writer) error {
	for _, c := range []struct {
		pkg           string
		args          []string
		stdin, prints string
	}{
		{"/cmd/strobe", []string{"--version"}, "", e.version},
		{"/cmd/strobe", []string{"stat", "-"}, strings.Repeat("1\n2\n3\n", 20), "mean"},
		{"/contrib/spanvet/cmd/spanvet", []string{"-V=full"}, "", "version"},
	} {
		name := filepath.Join(e.bin, filepath.Base(c.pkg))
		if _, err := os.Stat(name); err != nil {
			if _, err := e.run(e.folder, nil, "", "go", "install", library+c.pkg+"@"+e.version); err != nil {
				return err
			}
			fmt.Fprintf(out, "installed %s\n", c.pkg[1:])
		}
		text, err := e.run(e.folder, nil, c.stdin, name, c.args...)
		if err != nil {
			return err
		}
		if !strings.Contains(text, c.prints) {
			return fmt.Errorf("%s %s does not print %q:\n%s", c.pkg[1:], strings.Join(c.args, " "), c.prints, text)
		}
	}
	return nil
}

// instrument runs a program that does not know of strobe with the installed command, without a network.
func (e *elsewhere) instrument(root string) error {
	text, err := os.ReadFile(filepath.Join(root, "examples", "plain", "main.go"))
	if err != nil {
		return err
	}
	folder, mod := filepath.Join(e.folder, "plain"), "module example.com/plain\n\ngo 1.24\n"
	for name, text := range map[string]string{"main.go": string(text), "go.mod": mod} {
		if err := errors.Join(os.MkdirAll(folder, 0o777), os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666)); err != nil {
			return err
		}
	}
	env := []string{"GOPROXY=off", "STROBE_CACHE=" + filepath.Join(e.folder, "cache")}
	report, err := e.run(folder, env, "", filepath.Join(e.bin, "strobe"), "run", "--report", ".", "-turns", "1")
	if err != nil {
		return err
	}
	if !strings.Contains(report, "main.count") {
		return fmt.Errorf("strobe run does not report main.count:\n%s", report)
	}
	if after, err := os.ReadFile(filepath.Join(folder, "go.mod")); err != nil || string(after) != mod {
		return fmt.Errorf("strobe run changed go.mod: %w\n%s", err, after)
	}
	return nil
}

// use makes a module of a program, gets what it imports, and vets, builds and runs it.
func (e *elsewhere) use(root string, u user) error {
	from, to := filepath.Join(root, "tools", "release", "testdata", "users", u.name), filepath.Join(e.folder, u.name)
	program, err := os.ReadFile(filepath.Join(from, "main.go"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(to, "main.go"), program, 0o666); err != nil {
		return err
	}
	get := []string{"get"}
	for _, pkg := range u.gets {
		get = append(get, pkg+"@"+e.version)
	}
	for _, args := range [][]string{
		{"mod", "init", "example.com/" + u.name},
		get,
		{"vet", "-mod=mod", "."}, // this adds the other modules that the program imports
		{"build", "-o", "program.exe", "."},
	} {
		if _, err := e.run(to, nil, "", "go", args...); err != nil {
			return err
		}
	}
	text, err := e.run(to, u.env, "", filepath.Join(to, "program.exe"))
	if err != nil {
		return err
	}
	if !strings.Contains(text, u.prints) {
		return fmt.Errorf("it does not print %q:\n%s", u.prints, text)
	}
	if u.getsOthers() {
		return nil
	}
	got, err := e.run(to, nil, "", "go", "list", "-m", "-f", "{{if not .Main}}{{.Path}}{{end}}", "all")
	if err != nil {
		return err
	}
	want, err := os.ReadFile(filepath.Join(root, "tools", "release", "testdata", "users", "modules.txt"))
	if err == nil && got != string(want) {
		err = fmt.Errorf("its module graph has\n%snot\n%s", got, want)
	}
	return err
}
