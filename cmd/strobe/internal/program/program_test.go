// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument"
	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument/shape"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

func TestUnitsAreNamedWithTheReason(t *testing.T) {
	p := &instrument.Plan{LeftOut: make([]instrument.LeftOut, 7)}
	for i := range 5 {
		p.Zones = append(p.Zones, instrument.Zone{Name: fmt.Sprintf("main.f%d", i), Package: "a", Kind: shape.Unit, Why: "an http handler"})
	}
	p.Zones = slices.Insert(p.Zones, 1, p.Zones[0]) // of a function that has two of a kind
	want := "6 zones in 1 package; 7 functions have none (--list says why)\n" +
		"units: main.f0, an http handler; main.f1, an http handler; main.f2, an http handler; and 3 more (--list shows all, --skip leaves out)"
	if got := strings.Join(Describe(p), "\n"); got != want {
		t.Errorf("%s", got)
	}
}

func TestWhatIsLeftOutForItsCostIsNamed(t *testing.T) {
	p := &instrument.Plan{Costly: []instrument.Costly{{Name: "mu.Lock in a.g", Share: 0.051}, {Package: "a", Name: "a.f", Share: 0.07, Self: 0.3}, {}, {}}}
	want := "left out, since measuring them slowed an earlier run: a.f by 7.0 % (it had 30.0 % of the self time), mu.Lock in a.g by 5.1 %,  by 0.0 %; and 1 more (--all-functions brings them back)"
	if got := Describe(p)[1]; got != want {
		t.Errorf("%s", got)
	}
}

func TestAListIsBoundedUnlessAllIsWanted(t *testing.T) {
	p := &instrument.Plan{}
	for i := range 3000 {
		p.Zones = append(p.Zones, instrument.Zone{Name: fmt.Sprintf("main.f%d", i)})
		p.LeftOut = append(p.LeftOut, instrument.LeftOut{Name: fmt.Sprintf("main.g%d", i), Reason: fmt.Sprint("reason ", i%5%4)})
	}
	for all, want := range map[bool]string{false: "100 of 3000 zones and 100 of 3000 functions without; --all lists all. Without, by reason: 1200: reason 0; 600: reason 1; 600: reason 2; and 1 more.",
		true: "3000 of 3000 zones and 3000 of 3000 functions without. Without, by reason: 1200: reason 0; 600: reason 1; 600: reason 2; and 1 more."} {
		var out bytes.Buffer
		if err := List(&session.Session{Out: &out}, ".", p, all); err != nil {
			t.Fatal(err)
		}
		lines := strings.Count(out.String(), "\n")
		if !strings.HasSuffix(strings.Join(strings.Fields(out.String()), " "), want) || (lines > 210) != all {
			t.Errorf("%d lines, %q", lines, out.String()[max(0, out.Len()-400):])
		}
	}
}

func TestFlagsOfTheGoCommandAreKept(t *testing.T) {
	end := []string{endTag}
	for _, x := range []struct {
		flags   []string
		goflags string
		tags    []string
		linker  string
		want    string
	}{
		{nil, "", []string{endTag, noPageTag}, "", "-tags=strobe_run,strobe_nopage -ldflags=-checklinkname=0"},
		{nil, "", end, "", "-tags=strobe_run -ldflags=-checklinkname=0"},
		{nil, "", end, noDebug, "-tags=strobe_run -ldflags=-w -checklinkname=0"},
		{[]string{"-race", "-tags=a,b"}, "", end, noDebug, "-race -tags=a,b,strobe_run -ldflags=-w -checklinkname=0"},
		{[]string{"-ldflags=-s"}, "-mod=mod -tags=c -ldflags=-X=a.b=c", end, noDebug, "-tags=c,strobe_run -ldflags=-s -checklinkname=0"},
		{nil, "-ldflags=-X=a.b=c", end, noDebug, "-tags=strobe_run -ldflags=-X=a.b=c -checklinkname=0"},
		{[]string{"--tags=a b"}, "", end, "", "-tags=a,b,strobe_run -ldflags=-checklinkname=0"},
	} {
		if got := strings.Join(withTags(x.flags, x.goflags, x.tags, x.linker), " "); got != x.want {
			t.Errorf("%q: %s, want %s", x.flags, got, x.want)
		}
	}
}

func TestTheFirstWordIsThePackage(t *testing.T) {
	for words, want := range map[string]string{"./a -b c": "./a|-b c", "a.go b.go c": "a.go b.go|c", "-- ./a -- -b": "./a|-- -b", ".": ".|"} {
		target, args := Split(strings.Fields(words))
		if got := target + "|" + strings.Join(args, " "); got != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
}

// A program is built when it is new and when it has changed, and not each time. That of a plan whose place another has taken is removed.
// Where something else than Go files and what they embed may change, the go command tells whether it has.
func TestAProgramIsBuiltOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program four times, which takes seconds")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	folder := ""
	build := func(fixed, built bool, when, want string) {
		t.Helper()
		var said bytes.Buffer
		f, s := Flags{Dir: dir}, &session.Session{Ctx: t.Context(), Err: &said}
		plan, err := f.Prepare(s, ".", false, WithPage)
		if err != nil {
			t.Fatal(err)
		}
		defer plan.Close()
		if !slices.Contains(plan.Args, "-ldflags=-w -checklinkname=0") {
			t.Errorf("a program that is only run is built with %q", plan.Args)
		}
		if plan.Fixed != fixed || plan.IsBuilt() != built {
			t.Errorf("%s: fixed: %v, built: %v", when, plan.Fixed, plan.IsBuilt())
		}
		file, err := f.Executable(s, plan, false, t.TempDir())
		if err != nil {
			t.Fatalf("%s: %v\n%s", when, err, said.String())
		}
		if out, err := exec.Command(file).CombinedOutput(); err != nil || string(out) != want+"\n" {
			t.Errorf("%s: it prints %q, %v; want %q", when, out, err, want)
		}
		folder = plan.Folder()
	}
	write("go.mod", "module example.com/built\n\ngo 1.24\n")
	write("text.txt", "text")
	write("main.go", "package main\n\nfunc main() { println(1) }\n")
	build(true, false, "new", "1")
	build(true, true, "the same", "1")
	old := folder
	write("main.go", "package main\n\nfunc main() { println(2) }\n")
	build(true, false, "another source", "2")
	if _, err := os.Stat(old); err == nil || old == folder {
		t.Errorf("%s is still there", old)
	}
	write("main.go", "package main\n\nimport _ \"embed\"\n\n//go:embed text.txt\nvar text string\n\nfunc main() { println(text) }\n")
	build(true, false, "with a file", "text")
	build(true, true, "with the same file", "text")
	write("text.txt", "another text")
	build(true, false, "with another file", "another text")
	write("main.s", "// assembly\n")
	build(false, false, "with another language", "another text")
}

// A page that nobody can open is left out of the program, unless the environment asks for one.
func TestAProgramWithoutAPageHasNoWebServer(t *testing.T) {
	dir := folder(t, map[string]string{"go.mod": "module example.com/plain\n\ngo 1.24\n", "main.go": "package main\n\nfunc main() { println(1) }\n"})
	for _, c := range []struct {
		use  Use
		http string
		page bool
	}{{WithPage, "", true}, {Kept, "", true}, {WithoutPage, "", false}, {WithoutPage, "127.0.0.1:0", true}} {
		t.Setenv("STROBE_HTTP", c.http)
		f := Flags{Dir: dir}
		plan, err := f.Prepare(&session.Session{Ctx: t.Context(), Err: new(bytes.Buffer)}, ".", false, c.use)
		if err != nil {
			t.Fatal(err)
		}
		defer plan.Close()
		cmd := exec.Command("go", append(append([]string{"list", "-deps"}, plan.Args...), plan.Targets...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), plan.Env...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if page := slices.Contains(strings.Fields(string(out)), "net/http"); page != c.page {
			t.Errorf("use %d, STROBE_HTTP=%s: with a web server: %v", c.use, c.http, page)
		}
	}
}

// folder returns a folder with the given files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The package in the current folder has tests, too.
func TestTheTestsAreThoseOfThePackage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a test binary, which takes seconds")
	}
	tests := func(pkg string) string {
		return "package " + pkg + "\n\nimport \"testing\"\n\nfunc TestIt(*testing.T) { println(\"tests of " + pkg + "\") }\n"
	}
	var said bytes.Buffer
	f, s := Flags{Dir: folder(t, map[string]string{"go.mod": "module example.com/top\n\ngo 1.24\n", "top_test.go": tests("top"), "sub/sub_test.go": tests("sub")})}, &session.Session{Ctx: t.Context(), Err: &said}
	plan, err := f.Prepare(s, "./sub", true, WithPage)
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	file, err := f.Executable(s, plan, true, t.TempDir())
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	if out, err := exec.Command(file).CombinedOutput(); err != nil || !strings.Contains(string(out), "tests of sub") || strings.Contains(string(out), "top") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestWhatIsNotOneProgramIsRefused(t *testing.T) {
	f := Flags{Dir: folder(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n", "lib/lib.go": "package lib\n", "lib/other/o.go": "package other\n",
		"a/main.go": "package main\n\nfunc main() {}\n", "b/main.go": "package main\n\nfunc main() {}\n",
	})}
	for target, want := range map[string]string{
		"./lib":      "./lib is package lib, not main: give a main package; its tests are run with -test.run=. and built with --test",
		"./lib/...":  "./lib/... names no main package: give one; the tests of a package are run with -test.run=. and built with --test",
		"./...":      "./... names 2 programs: give one of example.com/m/a, example.com/m/b",
		"test ./lib": "./lib has no tests: none of its files ends in _test.go",
		"./none":     "directory not found",
		".":          "no Go files in ",
	} {
		name, test := strings.CutPrefix(target, "test ")
		plan, err := f.Prepare(&session.Session{Ctx: t.Context(), Err: new(bytes.Buffer)}, name, test, WithPage)
		if err == nil {
			plan.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", target, err, want)
		}
	}
}
