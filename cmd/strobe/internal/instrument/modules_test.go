// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"crypto/sha256"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// names returns the names of the zones of a plan.
func names(p *Plan) (all []string) {
	for _, z := range p.Zones {
		all = append(all, z.Name)
	}
	return all
}

// hashes returns the content of the files below a folder.
func hashes(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	all := map[string][32]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, err := os.ReadFile(path)
			all[path] = sha256.Sum256(text)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const greeting = `package greet

import "fmt"

//go:noinline
func Hello(name string) string { return fmt.Sprint("hello ", name) }

func Small() int { return 1 }

//go:noinline
func quiet() { fmt.Sprint() }
`

const greeter = `package main

import (
	"fmt"

	"example.com/greet"
)

var report = func() {}

func main() {
	for _, f := range []func(){} {
		defer f()
	}
	fmt.Println(greet.Hello("you"), greet.Small())
	report()
}
`

// The ways in which a program may have its modules. The packages of its own module get zones, and those that patterns name.
func TestModulesOfAllKinds(t *testing.T) {
	greet := map[string]string{"greet.go": greeting, "go.mod": "module example.com/greet\n\ngo 1.21\n"}
	in := func(dir string, files map[string]string, more ...string) map[string]string {
		all := map[string]string{}
		for name, text := range files {
			all[filepath.Join(dir, name)] = text
		}
		for i := 0; i < len(more); i += 2 {
			all[more[i]] = more[i+1]
		}
		return all
	}
	const vendored = "# example.com/greet v1.2.3\n## explicit; go 1.21\nexample.com/greet\n"
	for name, c := range map[string]struct {
		files   map[string]string
		request Request
		zones   []string
	}{
		"an old module with a folder": {
			in("greet", map[string]string{"greet.go": greeting, "go.mod": "module example.com/greet\n\ngo 1.16\n"}, "main.go", greeter,
				"go.mod", "module m\n\ngo 1.16\n\nrequire example.com/greet v1.0.0\n\nreplace example.com/greet => ./greet\n"),
			Request{}, []string{"main.main"}},
		"a vendor folder": {
			map[string]string{"main.go": greeter, "go.mod": "module m\n\ngo 1.21\n\nrequire example.com/greet v1.2.3\n",
				"vendor/modules.txt": vendored, "vendor/example.com/greet/greet.go": greeting},
			Request{Zones: []string{"example.com/greet", "main"}}, []string{"greet.Hello", "greet.quiet", "main.main"}},
		"a workspace": {
			in("greet", greet, "app/main.go", greeter, "app/go.mod", "module m\n\ngo 1.21\n", "go.work", "go 1.21\n\nuse (\n\t./app\n\t./greet\n)\n"),
			Request{Package: "./app", Skip: []string{"greet.quiet"}}, []string{"greet.Hello", "main.main"}},
		"files outside any module": {
			map[string]string{"main.go": "package main\n\nimport \"fmt\"\n\nvar report = func() {}\n\nfunc main() {\n\tfmt.Println(\"hello you 1\")\n\treport()\n}\n"},
			Request{Package: "main.go"}, []string{"main.main"}},
	} {
		t.Run(name, func(t *testing.T) {
			var folder string
			var before map[string][32]byte
			p, program := build(t, c.files, c.request, func(t *testing.T, _ *Plan, dir string) {
				folder = dir
				before = map[string][32]byte{}
				for n, text := range c.files {
					before[filepath.Join(dir, n)] = sha256.Sum256([]byte(text))
				}
			})
			if got := run(t, program); got != "hello you 1" {
				t.Errorf("prints %s", got)
			}
			if got := names(p); !slices.Equal(got, c.zones) {
				t.Errorf("zones %q, want %q", got, c.zones)
			}
			if after := hashes(t, folder); !maps.Equal(before, after) {
				t.Errorf("files %v, before %v", after, before)
			}
		})
	}
}

func TestTestBinariesGetZones(t *testing.T) {
	files := map[string]string{"go.mod": "module example.com/greet\n\ngo 1.24\n", "greet.go": greeting, "greet_test.go": `package greet

import "testing"

func TestHello(t *testing.T) {
	if Hello("you") != "hello you" {
		t.Fatal(help())
	}
}

//go:noinline
func help() string { return Hello("help") }
`, "outer_test.go": `package greet_test

import (
	"testing"

	"example.com/greet"
)

func BenchmarkHello(b *testing.B) {
	for range b.N {
		greet.Hello("you")
	}
}
`}
	p, program := build(t, files, Request{Test: true})
	if got := run(t, program, "-test.run=Hello", "-test.v"); !strings.Contains(got, "--- PASS: TestHello") {
		t.Errorf("prints %s", got)
	}
	if got, want := names(p), []string{"greet.Hello", "greet.quiet", "greet.TestHello", "greet.help", "greet_test.BenchmarkHello"}; !slices.Equal(got, want) {
		t.Errorf("zones %q, want %q", got, want)
	}
}
