// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// docs/json.md is generated from the structs that the verbs marshal and the comments on their fields. go test ./cmd/strobe -run
// JSON -update rewrites it.
const jsonFile = "../../docs/json.md"

const jsonIntro = `# The JSON of every verb

With ` + "`--json`" + `, a verb of ` + "`strobe`" + ` prints one JSON object on standard output. The tables are made from the code: they list every key.

- ` + "`schema`" + ` is 1. It is raised when a key is removed or changes its meaning. Keys may be added at any time.
- What is not known is absent, never 0 or null. A key marked *optional* may be absent.
- A name that ends in ` + "`_ns`, `_s`, `_hz` or `_bytes`" + ` has that unit. Shares are fractions of 1.
- ` + "`a.b`" + ` is the key b of the object a, ` + "`a[].b`" + ` that of every element of the list a, and ` + "`a.*`" + ` stands for every key of a.
- Numbers carry all digits of a float64.
- Lists of results are complete, since programs read them: tables are cut after the most important rows and say so, the objects of
  ` + "`gate`, `compare` and `capture`" + ` are not. They grow with the number of benchmarks or files; ` + "`--bench`" + `, packages or
  ` + "`--filter`" + ` narrow them. ` + "`strobe mcp`" + ` gives assistants the tables.
`

// A jsonRow is a key of an object.
type jsonRow struct {
	path, kind, meaning string
	optional            bool
}

// A jsonReader finds the keys of struct types in the source.
type jsonReader struct {
	t      *testing.T
	parsed map[string]map[string]ast.Expr // types by folder and name
	lines  *token.FileSet
}

// shared are struct types with a section of their own, by their name in the source.
var shared = map[string]string{"stat.Interval": "../../stat", "gate.Gate": "internal/gate"}

// folders are the folders of the packages whose types the objects use.
var folders = map[string]string{"stat": "../../stat", "frames": "../../frames", "bench": "../../bench", "decide": "../../stat/decide", "gate": "internal/gate", "profdiff": "internal/profdiff", "host": "internal/host"}

// types returns the types that the files of a folder declare.
func (r *jsonReader) types(dir string) map[string]ast.Expr {
	if all := r.parsed[dir]; all != nil {
		return all
	}
	all := map[string]ast.Expr{}
	var words []string // types that marshal as words
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(r.lines, name, nil, parser.ParseComments)
		if err != nil {
			r.t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						all[s.Name.Name] = s.Type
					}
				}
			case *ast.FuncDecl:
				if d.Name.Name == "MarshalText" {
					words = append(words, d.Recv.List[0].Type.(*ast.Ident).Name)
				}
			}
		}
	}
	for _, name := range words {
		all[name] = ast.NewIdent("string")
	}
	r.parsed[dir] = all
	return all
}

// rows lists the keys of a struct, followed by those of nested structs.
func (r *jsonReader) rows(dir, prefix string, s *ast.StructType) (all []jsonRow) {
	group, last := "", -1 // a comment above a field applies to the fields directly below
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 { // embedded
			_, _, inner, in := r.kind(dir, f.Type)
			all = append(all, r.rows(in, prefix, inner)...)
			continue
		}
		if f.Tag == nil {
			r.t.Errorf("%s: %s has a field without a key", dir, prefix)
			continue
		}
		key, options, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
		if key == "-" {
			continue
		}
		line := r.lines.Position(f.Pos()).Line
		switch {
		case f.Doc != nil:
			group = f.Doc.Text()
		case line != last+1:
			group = ""
		}
		last = r.lines.Position(f.End()).Line
		meaning := group
		if f.Comment != nil {
			meaning = f.Comment.Text()
		}
		meaning = strings.Join(strings.Fields(meaning), " ")
		if meaning == "" {
			r.t.Errorf("%s: the key %s%s has no comment", dir, prefix, key)
		}
		kind, suffix, inner, in := r.kind(dir, f.Type)
		all = append(all, jsonRow{prefix + key, kind, meaning, options != ""})
		if inner != nil {
			all = append(all, r.rows(in, prefix+key+suffix+".", inner)...)
		}
	}
	return all
}

// kind describes a type. inner is a struct in it that must be listed too, and in its folder.
func (r *jsonReader) kind(dir string, e ast.Expr) (kind, suffix string, inner *ast.StructType, in string) {
	switch x := e.(type) {
	case *ast.StarExpr:
		return r.kind(dir, x.X)
	case *ast.ArrayType:
		kind, suffix, inner, in := r.kind(dir, x.Elt)
		return "list of " + plural(kind), "[]" + suffix, inner, in
	case *ast.MapType:
		kind, suffix, inner, in := r.kind(dir, x.Value)
		return "object of " + plural(kind), ".*" + suffix, inner, in
	case *ast.SelectorExpr:
		pkg, name := x.X.(*ast.Ident).Name, x.Sel.Name
		if shared[pkg+"."+name] != "" {
			return fmt.Sprintf("[%s](#%s)", strings.ToLower(name), strings.ToLower(name)), "", nil, ""
		}
		return r.kind(folders[pkg], ast.NewIdent(name))
	case *ast.Ident:
		switch n := x.Name; {
		case n == "string", n == "bool":
			return map[string]string{"string": "string", "bool": "boolean"}[n], "", nil, ""
		case strings.HasPrefix(n, "float"):
			return "number", "", nil, ""
		case strings.HasPrefix(n, "int"), strings.HasPrefix(n, "uint"):
			if found, ok := r.types(dir)[n]; ok { // such as interval
				return r.kind(dir, found)
			}
			return "integer", "", nil, ""
		case r.types(dir)[n] == nil:
			r.t.Errorf("%s: what is %s?", dir, n)
			return n, "", nil, ""
		}
		if s, ok := r.types(dir)[x.Name].(*ast.StructType); ok {
			return "object", "", s, dir
		}
		return r.kind(dir, r.types(dir)[x.Name])
	case *ast.StructType:
		return "object", "", x, dir
	}
	r.t.Errorf("%s: a type of a kind that is not known: %T", dir, e)
	return "", "", nil, ""
}

func plural(kind string) string {
	switch {
	case strings.HasPrefix(kind, "["):
		name, link, _ := strings.Cut(kind, "]")
		return name + "s]" + link
	case strings.HasPrefix(kind, "list"):
		return strings.Replace(kind, "list", "lists", 1)
	}
	return kind + "s"
}

// verb returns the keys of a verb's object, and those of the shared types with their own names as prefix.
func (r *jsonReader) verb(name string) []jsonRow {
	dir := filepath.Join("internal", "verb", name)
	s, ok := r.types(dir)[name+"Object"].(*ast.StructType)
	if !ok {
		r.t.Fatalf("%s has no struct %sObject", dir, name)
	}
	return r.rows(dir, "", s)
}

func (r *jsonReader) shared(name string) []jsonRow {
	_, short, _ := strings.Cut(name, ".")
	return r.rows(shared[name], "", r.types(shared[name])[short].(*ast.StructType))
}

func writeJSONTable(b *strings.Builder, rows []jsonRow) {
	b.WriteString("\n| key | value | meaning |\n|---|---|---|\n")
	for _, row := range rows {
		optional := ""
		if row.optional {
			optional = ", *optional*"
		}
		fmt.Fprintf(b, "| `%s` | %s%s | %s |\n", row.path, row.kind, optional, strings.ReplaceAll(row.meaning, "|", `\|`))
	}
}

func newJSONReader(t *testing.T) *jsonReader {
	return &jsonReader{t, map[string]map[string]ast.Expr{}, token.NewFileSet()}
}

func TestJSONIsDocumented(t *testing.T) {
	r := newJSONReader(t)
	var b strings.Builder
	b.WriteString(jsonIntro)
	for _, v := range verbs() {
		fmt.Fprintf(&b, "\n## strobe %s\n", v.Name)
		writeJSONTable(&b, r.verb(v.Name))
	}
	for _, name := range slices.Sorted(maps.Keys(shared)) {
		_, short, _ := strings.Cut(name, ".")
		fmt.Fprintf(&b, "\n## %s\n", short)
		writeJSONTable(&b, r.shared(name))
	}
	if *update {
		if err := os.WriteFile(jsonFile, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(jsonFile)
	if err != nil || strings.ReplaceAll(string(text), "\r\n", "\n") != b.String() {
		t.Errorf("%s is not what the code says: %v (go test ./cmd/strobe -run JSON -update rewrites it)", jsonFile, err)
	}
}

// keys returns the keys of a verb, with those of the objects in them that have a section of their own.
func (r *jsonReader) keys(verb string) []jsonRow {
	rows := r.verb(verb)
	for _, row := range slices.Clone(rows) {
		for name := range shared {
			_, short, _ := strings.Cut(name, ".")
			if link := "[" + strings.ToLower(short); strings.Contains(row.kind, link) {
				path := row.path
				if strings.HasPrefix(row.kind, "object of") {
					path += ".*"
				}
				for _, in := range r.shared(name) {
					rows = append(rows, jsonRow{path + "." + in.path, in.kind, in.meaning, in.optional})
				}
			}
		}
	}
	return rows
}

// Every key that a verb prints is in its table, and every key that is not optional is printed.
func TestJSONHasTheDocumentedKeys(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	once := command.Join([]string{self, "-test.run=^$"})
	compared := gated(t)
	numbers := clitest.Write(t, "numbers", "x\n"+strings.Repeat("1.5ms\n2.5ms\n4ms\n", 100))
	frame := clitest.Write(t, "frames", strings.Repeat("16\n17\n16.5\n", 100)+"foo\n")
	other := clitest.Write(t, "other", strings.Repeat("10\n11\n10.5\n", 100))
	server := httptest.NewServer(http.HandlerFunc(serveEvents))
	defer server.Close()
	captured := captureFile(t)
	r := newJSONReader(t)
	examples := map[string][]string{
		"guide": {"numbers"}, "mcp": nil,
		"demo": {"--for=300ms", "--boids=50", "--http=off"}, "bench": {"--runs=8", "--gate=50%", "--param=n=1,2", once + " -test.count={n}"},
		"compare": compared[1:], "stat": {"--drop-warm-up", numbers}, "frames": {frame, other}, "top": {"--once", server.URL},
		"trace": {"--for=0", "--output", filepath.Join(t.TempDir(), "a.json"), server.URL}, "capture": {captured, captured},
	}
	if !testing.Short() { // it takes some seconds
		examples["probe"] = nil
	}
	if _, err := exec.LookPath("go"); err == nil {
		examples["gate"] = []string{"--self", "../../rolling", "--bench=Rate", "--max-time=2s", "--layouts=0"}
	}
	real := os.Getenv("PATH")
	if args, ok := exactArguments(t); ok {
		examples["exact"] = args
	}
	scripted := os.Getenv("PATH")
	for _, v := range verbs() {
		args, ok := examples[v.Name]
		if !ok {
			t.Logf("strobe %s is not run here", v.Name)
			if v.Name != "probe" && v.Name != "exact" && v.Name != "gate" && v.Name != "bisect" && v.Name != "open" && v.Name != "run" && v.Name != "build" { // all but the first three have tests of their own
				t.Errorf("no example of strobe %s", v.Name)
			}
			continue
		}
		verb := v.Name
		if t.Setenv("PATH", real); verb == "exact" {
			t.Setenv("PATH", scripted)
		}
		out, errout, code := strobe(t, append([]string{verb, "--json"}, args...)...)
		var o any
		if err := json.Unmarshal([]byte(out), &o); err != nil {
			t.Errorf("%s: exit %d, %v, %q", verb, code, err, errout)
			continue
		}
		missing := check(o, "", r.keys(verb))
		if len(missing) > 0 {
			t.Errorf("%s: %s", verb, strings.Join(missing, "\n"))
		}
	}
	if _, _, code := strobe(t, "stat", "--json", numbers); code != session.Done {
		t.Errorf("exit %d", code)
	}
}

// captureFile writes the capture of a request.
func captureFile(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "capture.html")
	var b bytes.Buffer
	if err := capture.Write(&b, capture.Report{Schema: capture.Schema, Root: "request", Unit: "span", At: time.Now(), Took: 3e6, Usual: 1e6, Cause: capture.Lock, Spent: 2e6}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// serveEvents serves two seconds of events of a program, and an empty file.
func serveEvents(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/events" {
		w.Header().Set("Content-Disposition", "attachment")
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range []string{
		`hello {"version":1,"program":"p","pid":1,"run":"r","loops":["l"],"loop":"l","budget_ns":5,"enabled":true,"zones":[{"name":"z","wait":true}]}`,
		`frames {"at_ns":1,"frames":[[1,1,9]],"runtime":[0,0,null,1,1],"plots":[["q",1,2]],"lost":0}`,
		`frames {"at_ns":2,"frames":[],"runtime":[0,0,3,1,1],"lost":0}`,
		`state {"at_ns":1,"rate_hz":1,"p99_ns":1,"low1_fps":1,"totals":[[0,1,1,1]],"notes":["n"]}`,
		`state {"at_ns":2000000001,"rate_hz":1,"p99_ns":1,"low1_fps":1,"totals":[[0,2,2,2]],"notes":["n"]}`,
	} {
		name, data, _ := strings.Cut(e, " ")
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, data)
	}
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

// exactArguments returns arguments for strobe exact, which then runs scripts in place of its emulator and go test.
func exactArguments(t *testing.T) (args []string, ok bool) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		return nil, false
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"qemu-system-aarch64": "exit 1\n",
		"go":                  "echo 'pkg: example.com/x'; echo 'BenchmarkA 100 12 instructions/op'; echo 'BenchmarkB 7 many'; echo FAIL; exit 1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return []string{"--kernel", filepath.Join(dir, "go"), "test", "./..."}, true
}

// check compares an object with the rows whose paths begin with prefix, and returns what is wrong.
func check(o any, prefix string, rows []jsonRow) (wrong []string) {
	row := func(path string) *jsonRow {
		i := slices.IndexFunc(rows, func(r jsonRow) bool { return r.path == path })
		if i < 0 {
			return nil
		}
		return &rows[i]
	}
	switch x := o.(type) {
	case []any:
		for _, e := range x {
			wrong = append(wrong, check(e, prefix+"[]", rows)...)
		}
	case map[string]any:
		if r := row(prefix); r != nil && strings.HasPrefix(r.kind, "object of") {
			for _, v := range x {
				wrong = append(wrong, check(v, prefix+".*", rows)...)
			}
			return wrong
		}
		if prefix != "" {
			prefix += "."
		}
		for key, v := range x {
			if row(prefix+key) == nil {
				wrong = append(wrong, "not in the table: "+prefix+key)
				continue
			}
			wrong = append(wrong, check(v, prefix+key, rows)...)
		}
		for _, r := range rows {
			key, below := strings.CutPrefix(r.path, prefix)
			if below && !r.optional && !strings.ContainsAny(key, ".[") {
				if _, ok := x[key]; !ok {
					wrong = append(wrong, "not printed: "+r.path)
				}
			}
		}
	case nil:
		wrong = append(wrong, "null: "+prefix)
	}
	return wrong
}
