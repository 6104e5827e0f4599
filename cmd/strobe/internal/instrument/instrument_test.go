// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// build writes the files of a module, prepares a request in it and builds it. It returns the plan and the program.
func build(t *testing.T, files map[string]string, r Request, adjust ...func(*testing.T, *Plan, string)) (*Plan, string) {
	t.Helper()
	r.Dir = t.TempDir()
	for name, text := range files {
		if err := write(filepath.Join(r.Dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Prepare(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	for _, f := range adjust {
		f(t, p, r.Dir)
	}
	program := filepath.Join(t.TempDir(), "program.exe")
	args := []string{"build", "-o", program}
	if r.Test {
		args = []string{"test", "-c", "-o", program}
	}
	cmd := exec.Command("go", append(append(args, p.Args...), p.Targets...)...)
	cmd.Dir, cmd.Env = r.Dir, append(os.Environ(), p.Env...)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return p, program
}

// ordinary builds a program without zones.
func ordinary(t *testing.T, dir string, flags ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "ordinary.exe")
	cmd := exec.Command("go", append([]string{"build", "-o", program}, flags...)...)
	cmd.Dir = dir
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return program
}

// run runs a program and returns what it prints.
func run(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := exec.Command(program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// compiles reports which packages an ordinary build of a folder compiles.
func compiles(t *testing.T, dir string) (all []string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-x", "-o", filepath.Join(t.TempDir(), "program.exe"))
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for line := range strings.Lines(string(said)) {
		if _, pkg, ok := strings.Cut(line, " -p "); ok && strings.Contains(line, "compile") {
			all = append(all, strings.Fields(pkg)[0])
		}
	}
	return all
}

func TestFunctionsOfAModuleGetZones(t *testing.T) {
	var dir string
	before := func(t *testing.T, _ *Plan, folder string) {
		if dir = folder; len(compiles(t, dir)) == 0 {
			t.Error("the first build compiles nothing")
		}
	}
	p, program := build(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.21\n",
		"main.go": `package main

import "fmt"

func main() {
	fmt.Println(work(3))
}

func work(n int) (sum int) {
	for i := 0; i < n; i++ {
		sum += small(i)
		defer func() { sum++ }()
	}
	return sum
}

func small(i int) int { return i * i }
`}, Request{}, before)
	if again := compiles(t, dir); again != nil {
		t.Errorf("after a build with zones, an ordinary build compiles %q again", again)
	}
	if got := run(t, program); got != "8" {
		t.Errorf("prints %s", got)
	}
	if !slices.Contains(p.Args, "-tags=netgo,osusergo") {
		t.Errorf("a program without C gets it by %q", p.Args)
	}
	if len(p.Zones) != 2 || p.Zones[0].Name != "main.main" || p.Zones[1].Name != "main.work" {
		t.Errorf("zones %v", p.Zones)
	}
	if len(p.LeftOut) != 1 || p.LeftOut[0].Name != "main.small" || p.LeftOut[0].Reason != "inlined by the compiler" {
		t.Errorf("left out %v", p.LeftOut)
	}
}
