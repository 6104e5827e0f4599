// SPDX-License-Identifier: BSD-3-Clause

package shape

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestKindsHaveWords(t *testing.T) {
	for k, want := range map[Kind]string{Plain: "plain", Unit: "unit", Wait: "wait", 7: "shape.Kind(7)"} {
		if k.String() != want {
			t.Errorf("%d is %s, want %s", int(k), k, want)
		}
	}
	var k Kind
	if text, _ := Wait.MarshalText(); string(text) != "wait" || k.UnmarshalText(text) != nil || k != Wait {
		t.Errorf("%s is read as %v", text, k)
	}
}

// The zones of the test: they count their calls, and print them at the end.
const zones = `
import ("fmt"; "os"; "sync/atomic"; "time")
type countedZone struct { calls, open atomic.Int64 }
type countedSpan struct { z *countedZone }
func (z *countedZone) Enter() countedSpan { z.calls.Add(1); z.open.Add(1); return countedSpan{z} }
func (s countedSpan) Exit() { s.z.open.Add(-1) }
var countedZones [COUNT]countedZone
var countedNone countedZone
func countedReading(z *countedZone, r any) *countedZone { if _, ok := r.(interface { SetReadDeadline(time.Time) error }); ok { return z }; return &countedNone }
func printCounts() { for i := range countedZones { fmt.Fprintln(os.Stderr, countedZones[i].calls.Load(), countedZones[i].open.Load()) } }
`

var want = regexp.MustCompile(`(\S[^,]*?) (\d+)(?:, |$)`)

// A program with every form of a statement that waits prints the same with zones in it, and the zones have the calls that the program
// says. The lines of its functions stay.
func TestWaitsKeepTheMeaning(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile("testdata/waits/main.go")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "main.go", text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	p := NewProgram(set, runtime.GOARCH, exports(t, file))
	pkg := p.Add("waits", "go1.24", []*ast.File{file})
	if p.Missing() != nil {
		t.Fatal(p.Missing())
	}

	got := map[int][]string{} // by lines
	var edits []Edit
	var lines []int
	var names []string
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		for _, b := range pkg.Waits(f.Body) {
			edits = append(edits, b.Edits(fmt.Sprintf("(&countedZones[%d])", len(names)), fmt.Sprint("strobe", len(names)), "countedAfter", "countedReading")...)
			lines, names = append(lines, set.Position(b.Pos).Line), append(names, b.Name)
		}
		if f.Name.Name == "main" {
			edits = append(edits, Edit{f.Body.Lbrace + 1, "defer printCounts();"})
		}
	}
	edited := apply(set, text, edits)
	if a, b := bytes.Count(text, []byte("\n")), bytes.Count(edited, []byte("\n")); a != b {
		t.Errorf("%d lines became %d", a, b)
	}
	counting := "package main" + strings.Replace(zones, "COUNT", fmt.Sprint(len(names)), 1) + After("countedAfter", "countedSpan")
	before := run(t, filepath.Join(dir, "before"), map[string]string{"main.go": string(text)})
	after := run(t, filepath.Join(dir, "after"), map[string]string{"main.go": string(edited), "zones.go": counting})
	if before.out != after.out {
		t.Errorf("before:\n%s\nafter:\n%s", before.out, after.out)
	}
	for i, line := range strings.Split(strings.TrimSpace(after.said), "\n") {
		var calls, open int
		if _, err := fmt.Sscan(line, &calls, &open); err != nil {
			t.Fatal(err, after.said)
		}
		if panics := names[i] == "c <-" && open == 1 && calls == 1; open != 0 && !panics { // the send in panics
			t.Errorf("%s at line %d is left %d times", names[i], lines[i], open)
		}
		got[lines[i]] = append(got[lines[i]], fmt.Sprint(names[i], " ", calls))
	}
	for i, line := range strings.Split(string(text), "\n") {
		_, comment, _ := strings.Cut(line, "// want ")
		var wants []string
		for _, m := range want.FindAllStringSubmatch(comment, -1) {
			wants = append(wants, m[1]+" "+m[2])
		}
		if !slices.Equal(got[i+1], wants) {
			t.Errorf("line %d has %q, want %q: %s", i+1, got[i+1], wants, strings.TrimSpace(line))
		}
	}
}

// A name that is not that of a function, or of a method where it is declared, recognises nothing.
func TestTheListedCallsExist(t *testing.T) {
	listed := regexp.MustCompile(`^(?:\(\*?([a-z/]+)\.(\w+)\)|([a-z/]+))(?:\.(\w+))?$`) // the others are not of the standard library
	text := "package p\n"
	for _, word := range strings.Fields(blocking + reading + quick) {
		if m := listed.FindStringSubmatch(word); m != nil {
			text += fmt.Sprintf("import _ %q\n", m[1]+m[3])
		}
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	imported := importer.ForCompiler(set, "gc", exports(t, file))
	n := 0
	for _, word := range strings.Fields(blocking + reading + quick) {
		m := listed.FindStringSubmatch(word)
		if m == nil {
			continue
		}
		n++
		pkg, err := imported.Import(m[1] + m[3])
		if err != nil {
			t.Error(err)
			continue
		}
		var f types.Object
		switch of := strings.Replace(m[2], "conn", "TCPConn", 1); { // which embeds it
		case of == "" && m[4] == "":
			continue // a package
		case of == "":
			f = pkg.Scope().Lookup(m[4])
		case pkg.Scope().Lookup(of) != nil:
			f, _, _ = types.LookupFieldOrMethod(pkg.Scope().Lookup(of).Type(), true, pkg, m[4])
		}
		if f, ok := f.(*types.Func); !ok || f.FullName() != word {
			t.Errorf("%s is %v", word, f)
		}
	}
	if n < 100 {
		t.Errorf("%d names", n)
	}
}

// Packages of the standard library, which have waits in many forms, compile with zones in them.
func TestEditedPackagesAreCorrect(t *testing.T) {
	paths := []string{"net/http", "database/sql", "net/rpc", "os/exec", "net/smtp", "testing", "net/http/httputil", "net/textproto"}
	set := token.NewFileSet()
	total := 0
	for _, path := range paths {
		var files []*ast.File
		var texts [][]byte
		for _, name := range strings.Fields(list(t, "{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}\n{{end}}", path)) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			file, err := parser.ParseFile(set, name, text, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files, texts = append(files, file), append(texts, text)
		}
		find := exports(t, files...)
		p := NewProgram(set, runtime.GOARCH, find)
		pkg := p.Add(path, "", files)
		var again []*ast.File
		n := 0
		for i, file := range files {
			var edits []Edit
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
					for _, b := range pkg.Waits(f.Body) {
						edits = append(edits, b.Edits("countedZone(0)", fmt.Sprint("strobe", n), "countedAfter", "countedReading")...)
						n++
					}
				}
			}
			edited := apply(set, texts[i], edits)
			file, err := parser.ParseFile(set, file.Name.Name+".go", edited, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			again = append(again, file)
		}
		file, err := parser.ParseFile(set, "zones.go", "package "+files[0].Name.Name+
			"\ntype countedZone int\nfunc (z countedZone) Enter() countedZone { return z }\nfunc (z countedZone) Exit() {}\n"+"func countedReading(z countedZone, r any) countedZone { return z }\n"+After("countedAfter", "countedZone"), 0)
		if err != nil {
			t.Fatal(err)
		}
		config := types.Config{Importer: (*imports)(NewProgram(set, runtime.GOARCH, find)), Error: func(err error) { t.Error(err) }}
		config.Check(path, set, append(again, file), nil)
		t.Logf("%s: %d waits", path, n)
		total += n
	}
	if total < 100 {
		t.Errorf("%d waits in %q", total, paths)
	}
}

func TestUnitsAreFoundByTheirLooks(t *testing.T) {
	paths := []string{"github.com/gin-gonic/gin", "github.com/hajimehoshi/ebiten/v2", "github.com/miekg/dns", "golang.org/x/time/rate",
		"connectrpc.com/connect", "github.com/hibiken/asynq", "github.com/nats-io/nats.go",
		"github.com/nats-io/nats.go/jetstream", "github.com/nats-io/nats.go/micro", "github.com/tidwall/redcon", "example.org/main"}
	set := token.NewFileSet()
	var files []*ast.File
	for _, path := range paths {
		name := strings.TrimSuffix(path, "/v2")
		text, err := os.ReadFile(filepath.Join("testdata/units", name[strings.LastIndexByte(name, '/')+1:]+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(set, path, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	p := NewProgram(set, runtime.GOARCH, exports(t, files...))
	for i, path := range paths {
		p.Add(path, "go1.24", files[i:i+1])
	}
	if p.Missing() != nil {
		t.Fatal(p.Missing())
	}
	got := p.Units()
	main := p.all[len(paths)-1]
	wants := 0
	for _, f := range main.functions() {
		why := ""
		for _, c := range main.files[0].Comments {
			if set.Position(c.Pos()).Line == set.Position(f.Pos()).Line {
				why, _ = strings.CutPrefix(c.Text(), "unit: ")
				why = strings.TrimSpace(why)
				if !strings.HasPrefix(c.Text(), "unit: ") {
					why = ""
				}
			}
		}
		if got := got[f.Name.Pos()]; got != why {
			t.Errorf("%s is %q, want %q", f.Name, got, why)
		}
		if why != "" {
			wants++
		}
	}
	if len(got) != wants || wants == 0 {
		t.Errorf("%d units, want %d: %v", len(got), wants, got)
	}
}

// What a package that cannot be imported has is not recognised, and the rest is.
func TestMissingPackagesAreSaid(t *testing.T) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "main.go", `package main
import ("missing"; "time")
func main() { missing.Wait(); time.Sleep(1); c := missing.C(); <-c }
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	find := exports(t)
	p := NewProgram(set, runtime.GOARCH, func(path string) (io.ReadCloser, error) {
		if path == "missing" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return find(path)
	})
	waits := p.Add("main", "", []*ast.File{file}).Waits(file.Decls[1].(*ast.FuncDecl).Body)
	if p.Missing() == nil || !strings.Contains(p.Missing().Error(), "no export data of missing") {
		t.Errorf("the error is %v", p.Missing())
	}
	if len(waits) != 2 || waits[0].Name != "time.Sleep" || waits[1].Name != "<-c" {
		t.Errorf("waits are %v", waits)
	}
}

// apply returns a file with the edits.
func apply(set *token.FileSet, text []byte, edits []Edit) []byte {
	slices.SortStableFunc(edits, func(a, b Edit) int { return int(a.At - b.At) })
	var out []byte
	done := 0
	for _, e := range edits {
		offset := set.PositionFor(e.At, false).Offset
		out = append(append(out, text[done:offset]...), e.Text...)
		done = offset
	}
	return append(out, text[done:]...)
}

// exports finds what the compiler wrote about the packages that files import; of the standard library if that has them.
func exports(t *testing.T, files ...*ast.File) func(string) (io.ReadCloser, error) {
	t.Helper()
	known := map[string]string{}
	paths := []string{"time"}
	for _, f := range files {
		for _, i := range f.Imports {
			path, _ := strconv.Unquote(i.Path.Value)
			if path == "unsafe" {
				continue
			}
			if strings.HasPrefix(path, "golang.org/x/") {
				path = "vendor/" + path
			}
			if !strings.Contains(strings.Split(path, "/")[0], ".") && path != "vendor/golang.org/x/time/rate" {
				paths = append(paths, path)
			}
		}
	}
	for line := range strings.Lines(list(t, "{{.ImportPath}} {{.Export}}", append([]string{"-export"}, paths...)...)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		known[strings.TrimPrefix(path, "vendor/")] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(known[path]) }
}

func list(t *testing.T, format string, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list", "-f", format}, args...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

type ran struct{ out, said string }

// run builds and runs a program in a module of its own.
func run(t *testing.T, dir string, files map[string]string) ran {
	t.Helper()
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	files["go.mod"] = "module waits\n\ngo 1.24\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v:\n%s", err, said.String())
	}
	return ran{out.String(), said.String()}
}
