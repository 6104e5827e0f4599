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
		"a module that requires a later version of what the library needs": {
			in("greet", map[string]string{"greet.go": greeting, "go.mod": "module example.com/greet\n\ngo 1.21\n\nrequire golang.org/x/sys v0.99.0\n"}, "main.go", greeter,
				"go.mod", "module m\n\ngo 1.21\n\nrequire example.com/greet v1.0.0\n\nreplace example.com/greet => ./greet\n"),
			Request{}, []string{"main.main"}},
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

// Packages of other modules, and of the standard library, get zones where patterns ask for them.
func TestPackagesOfOthersAreCounted(t *testing.T) {
	sums, err := os.ReadFile(filepath.Join("..", "..", "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	_, version, _ := strings.Cut(string(own), "golang.org/x/mod ") // which is in the module cache, since this test is made of it
	version, _, _ = strings.Cut(version, "\n")
	files := map[string]string{"go.sum": string(sums), "go.mod": "module m\n\ngo 1.24.0\n\nrequire golang.org/x/mod " + version + "\n", "main.go": `package main

import (
	"encoding/csv"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/mod/semver"
)

var report = func() {}

type said struct{ strings.Builder }

func (s *said) Read(p []byte) (int, error) {
	var at [32]uintptr
	frames := runtime.CallersFrames(at[:runtime.Callers(1, at[:])])
	for f, more := frames.Next(); more; f, more = frames.Next() {
		fmt.Fprintln(s, f.Function, f.File, f.Line)
	}
	return copy(p, "a,b\nc,d\n"), nil
}

func main() {
	s := &said{}
	r := csv.NewReader(s)
	r.Read()
	fmt.Println(s, semver.Compare("v1.2.3", "v1.2.4"), semver.IsValid("v1"))
	r.Read()
	report()
}
`}
	var plain string
	calls := []string{"csv.(*Reader).Read reader.go:", "csv.(*Reader).readLine reader.go:", "semver.Compare semver.go:"}
	if s, err := settingsOf(t.Context(), Request{}); err != nil || s.downloaded() {
		t.Logf("%s is a downloaded Go (%v): its standard library gets no zones", s.Root, err)
		calls = calls[2:]
	}
	p, program := build(t, files, Request{Zones: []string{"golang.org/x/mod/semver.Compare, encoding/csv.(*Reader)...", "strconv..."}},
		func(t *testing.T, p *Plan, dir string) {
			plain = run(t, ordinary(t, dir))
			reporting(t, p, dir)
		})
	counts, ok := strings.CutPrefix(run(t, program), plain+"\n")
	if !ok || !strings.Contains(plain, "csv.(*Reader).readLine") {
		t.Errorf("prints\n%s, does not print\n%s", counts, plain)
	}
	for _, want := range calls {
		if _, rest, ok := strings.Cut(counts, want); !ok || !strings.HasSuffix(strings.SplitN(rest, "\n", 2)[0], map[bool]string{true: " 1", false: " 2"}[want[0] == 's']) {
			t.Errorf("counts\n%s", counts)
		}
	}
	for _, l := range p.LeftOut {
		if l.Package == "strconv" && len(calls) > 1 && l.Reason != "zones are made of its package" && l.Reason != isUnasked {
			t.Errorf("%s is left out: %s", l.Name, l.Reason)
		}
	}
}

// What cannot be done is refused in one line.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.24\n", "main.go": "package main\n\nfunc main() { println() }\n", "bad/bad.go": "package main\n\nfunc main() { undefined() }\n"} {
		if err := write(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for want, r := range map[string]Request{
		`no function of the program matches "net/http.Get"`:                                                    {Zones: []string{"net/http.Get"}},
		`"main.main twice": a pattern is a package or a function`:                                              {Zones: []string{"main.main twice"}},
		`no function of the program matches "main.turn"`:                                                       {Units: []string{"main.turn"}},
		"none of the functions that match main.main can be a unit; the first is main.main: left out by --skip": {Units: []string{"main.main"}, Skip: []string{"main.main"}},
		"none of the functions that match runtime can have a zone; the first is runtime.":                      {Zones: []string{"runtime"}},
		"run it without -overlay":     {Flags: []string{"-overlay=x.json"}},
		"leave out -covermode":        {Flags: []string{"-covermode=count"}},
		"undefined: undefined":        {Package: "./bad"},
		"no required module provides": {Package: "example.com/none"},
	} {
		r.Dir = dir
		p, err := Prepare(t.Context(), r)
		if err == nil {
			p.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", r, err, want)
		}
	}
}

// A plan is made again if a file of the program changes, and only then.
func TestPlansAreKept(t *testing.T) {
	r := Request{Dir: t.TempDir()}
	text := "package main\n\nfunc main() { println(%s) }\n"
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	prepare := func() *Plan {
		t.Helper()
		p, err := Prepare(t.Context(), r)
		must(err)
		t.Cleanup(func() { p.Close() })
		return p
	}
	main := filepath.Join(r.Dir, "main.go")
	must(write(filepath.Join(r.Dir, "go.mod"), []byte("module m\n\ngo 1.24\n")))
	must(write(main, []byte(strings.Replace(text, "%s", "1", 1))))
	first := prepare()
	if again := prepare(); again.dir != first.dir || !slices.Equal(names(again), names(first)) {
		t.Errorf("the plan %s of %q is made again: %s of %q", first.dir, names(first), again.dir, names(again))
	}
	must(write(main, []byte(strings.Replace(text, "%s", "2", 1))))
	if other := prepare(); other.dir == first.dir {
		t.Error("a changed file has the plan of the old one")
	}
	must(write(filepath.Join(r.Dir, "more.go"), []byte("package main\n\nfunc more() { defer main() }\n")))
	if other := prepare(); !slices.Contains(names(other), "main.more") {
		t.Errorf("zones %q after another file was added", names(other))
	}
}

// The go command takes -mod=vendor for a module that requires nothing and has no vendor folder, as GOFLAGS may have it for all modules.
func TestAModuleWithoutRequirementsNeedsNoVendorFolder(t *testing.T) {
	_, program := build(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "main.go": "package main\n\nfunc main() { print(1) }\n"}, Request{Flags: []string{"-mod=vendor"}})
	if got := run(t, program); got != "1" {
		t.Errorf("prints %q", got)
	}
}
