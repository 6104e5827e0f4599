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
