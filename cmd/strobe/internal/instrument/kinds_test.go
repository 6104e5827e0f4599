// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFunctionsOfFilesWithCAreCounted(t *testing.T) {
	out, err := exec.Command("go", "env", "CGO_ENABLED").Output()
	if err != nil || strings.TrimSpace(string(out)) != "1" || testing.Short() {
		t.Skip("builds a program with C, which takes long and needs a C compiler")
	}
	p, program := build(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"main.go": `package main

// static int twice(int n) { return 2 * n; }
import "C"

import "fmt"

var report = func() {}

//go:noinline
func twice(n int) int { return int(C.twice(C.int(n))) }

func main() {
	for i := range 3 {
		fmt.Print(twice(i), " ")
	}
	fmt.Println()
	report()
}
`}, Request{Attach: true}, reporting)
	if got, want := run(t, program), "0 2 4 \nmain.twice main.go:11 3\nmain.main main.go:13 0"; got != want {
		t.Errorf("prints\n%s, want\n%s", got, want)
	}
	if i := slices.IndexFunc(p.Args, func(a string) bool { return strings.Contains(a, "netgo") }); i >= 0 {
		t.Errorf("a program with C is built with %s", p.Args[i])
	}
}

// A program may have zones of its own, even of the names that its functions get.
func TestZonesOfTheProgramStay(t *testing.T) {
	root, err := libraryRoot("")
	if err != nil {
		t.Fatal(err)
	}
	var text [2]string
	for i, file := range []string{"go.mod", "go.sum"} {
		b, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		text[i] = string(b)
	}
	p, program := build(t, map[string]string{
		"go.mod": strings.Replace(text[0], "module "+libraryPath, "module example.com/m\n\nrequire "+libraryPath+" v0.0.0\n\nreplace "+libraryPath+" => "+root, 1),
		"go.sum": text[1],
		"main.go": `package main

import "github.com/strobe-go/strobe"

var report = func() {}

var zone = strobe.NewZone("main.work")

//go:noinline
func work() { defer zone.Enter().Exit() }

func main() {
	work()
	work()
	report()
}
`}, Request{Attach: true}, reporting)
	if got, want := run(t, program), "main.work main.go:7 2"; !strings.Contains(got, want) {
		t.Errorf("prints\n%s, want %s; zones %v", got, want, names(p))
	}
}

var foreign = flag.Bool("foreign", false, "build and vet for another system, which takes long")

// What is inserted is correct on systems other than this one.
func TestZonesOnWindows(t *testing.T) {
	if !*foreign {
		t.Skip("builds the standard library for Windows; -foreign runs it")
	}
	t.Setenv("GOOS", "windows")
	t.Setenv("CGO_ENABLED", "0")
	p, program := build(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "main.go": "package main\n\nimport (\n\t\"fmt\"\n\t\"time\"\n)\n\n//go:noinline\nfunc work() { time.Sleep(1); fmt.Print() }\n\nfunc main() { work() }\n"},
		Request{Attach: true, Flags: []string{"-tags=strobe_run", "-ldflags=-checklinkname=0"}}, func(t *testing.T, p *Plan, dir string) {
			cmd := exec.Command("go", append(append([]string{"vet"}, slices.DeleteFunc(slices.Clone(p.Args), func(a string) bool { return strings.HasPrefix(a, "-ldflags") })...), ".")...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), p.Env...)
			if said, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, said)
			}
		})
	if text, err := os.ReadFile(program); err != nil || !strings.HasPrefix(string(text), "MZ") || len(p.Zones) != 3 {
		t.Errorf("%v, %d bytes, zones %v", err, len(text), names(p))
	}
}
