// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What the go command would embed differs only if an input does.
func TestAllThatIsEmbeddedIsAnInput(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := write(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	put("go.mod", "module example.com/m\n\ngo 1.24\n")
	put("main.go", `package main

import "embed"

//go:embed a.txt web/*/pages web/style?.css all:data _own
//go:embed "with space/*.html"
var files embed.FS

func main() {}
`)
	for _, name := range []string{"a.txt", "b.txt", "web/one/pages/x/y", "web/one/other", "web/two/pages/z", "web/style1.css", "web/style.css", "data/.hidden/x", "data/y", "_own/file", "_own/_not", "with space/p.html"} {
		put(name, name)
	}
	list := func() (l listed, files []string) {
		t.Helper()
		cmd := exec.Command("go", "list", "-json=Dir,EmbedPatterns,EmbedFiles")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		var embeds struct{ EmbedFiles []string }
		if json.Unmarshal(out, &l) != nil || json.Unmarshal(out, &embeds) != nil {
			t.Fatalf("%s", out)
		}
		return l, embeds.EmbedFiles
	}
	first, files := list()
	inputs, ok := first.embedded()
	if !ok || len(files) < 7 {
		t.Fatalf("%v, %q", ok, files)
	}
	for _, f := range files {
		if !slices.ContainsFunc(inputs, func(in input) bool { return !in.Folder && in.Path == filepath.Join(dir, filepath.FromSlash(f)) }) {
			t.Errorf("%s is embedded, and no input", f)
		}
	}
	inputs = append(inputs, input{Path: dir, Folder: true}) // as for any package
	state := func() (all []string) {
		for _, in := range inputs {
			all = append(all, in.Path+" "+in.read())
		}
		return all
	}
	for _, name := range []string{"web/three/pages/w", "web/one/pages/x/v", "web/one/pages/u/t", "web/style2.css", "data/.hidden/z", "data/new/file", "_own/more/x", "with space/q.html"} {
		before := state()
		put(name, "")
		if _, now := list(); slices.Equal(now, files) || slices.Equal(state(), before) {
			t.Errorf("with %s: %q", name, now)
		}
		for path := filepath.Join(dir, filepath.FromSlash(name)); os.Remove(path) == nil; { // and the folders that were made for it
			path = filepath.Dir(path)
		}
	}
	for _, name := range files {
		before := state()
		put(name, "another text")
		if slices.Equal(state(), before) {
			t.Errorf("%s has changed, and no input has", name)
		}
	}
	put("data/large", strings.Repeat("x", mostEmbeddedBytes))
	if _, ok := first.embedded(); ok {
		t.Error("so much is read each time")
	}
}

// A program that embeds its sources reads what its author wrote, and other files have the zones.
func TestEmbeddedSourcesStayAsTheyAre(t *testing.T) {
	if testing.Short() {
		t.Skip("builds three programs")
	}
	const (
		doc  = "// Package is the documentation.\npackage main\n\n//go:noinline\nfunc documented() { work() }\n"
		rest = "package main\n\nimport _ \"embed\"\n\n//go:embed doc.go\nvar doc string\n\nvar report = func() {}\n\n//go:noinline\nfunc work() {}\n\nfunc main() {\n\tprintln(doc)\n\tdocumented()\n\treport()\n}\n"
		all  = "package main\n\nimport _ \"embed\"\n\n//go:embed main.go\nvar text string\n\n//go:noinline\nfunc work() {}\n\nfunc main() { work(); println(text) }\n"
	)
	p, program := build(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "doc.go": doc, "main.go": rest}, Request{Attach: true}, reporting)
	if got, want := run(t, program), doc+"\nmain.main main.go:13 0"; got != want {
		t.Errorf("prints\n%s, want\n%s", got, want)
	}
	if i := slices.IndexFunc(p.LeftOut, func(f LeftOut) bool { return f.Name == "main.documented" }); i < 0 || p.LeftOut[i].Reason != isEmbedded {
		t.Errorf("%+v", p.LeftOut)
	}
	for _, pkg := range []string{".", "main.go"} { // nothing but an added file has zones
		p, program := build(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "main.go": all}, Request{Package: pkg, Attach: true})
		if got := run(t, program); got != strings.TrimSpace(all) || len(p.Zones) > 0 {
			t.Errorf("%s: prints\n%s, with %d zones", pkg, got, len(p.Zones))
		}
	}
}
