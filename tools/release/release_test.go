// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func plant(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func modText(folder string, lines ...string) string {
	return "module " + module{folder: folder}.path() + "\n\ngo 1.24.0\n\n" + strings.Join(lines, "\n") + "\n"
}

// The tree can be released, and the library comes first.
func TestTheLibraryIsTaggedFirst(t *testing.T) {
	modules, err := released("../..")
	if err != nil {
		t.Fatal(err)
	}
	var tags []string
	for _, m := range modules {
		tags = append(tags, m.tag())
	}
	version := modules[0].version
	if tags[0] != version || !slices.Contains(tags, "cmd/strobe/"+version) || !slices.Contains(tags, "contrib/prometheus/"+version) {
		t.Errorf("the tags are %q", tags)
	}
}

func TestAModuleThatCannotBeInstalledIsRefused(t *testing.T) {
	const good = "require " + library + " v0.1.0"
	for _, c := range []struct{ mod, says string }{
		{modText("cmd/strobe", good), ""},
		{modText("cmd/strobe", good, "replace "+library+" => ../.."), "it replaces " + library},
		{modText("cmd/strobe", good, "require "+library+"/contrib/otel v0.1.0"), "require the library alone"},
		{modText("cmd/strobe"), "no module"},
		{modText("cmd/other", good), "its folder says"},
	} {
		root := plant(t, map[string]string{"go.mod": modText("."), "cmd/strobe/go.mod": c.mod})
		if _, err := released(root); (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s\ngives %v, want %q", c.mod, err, c.says)
		}
	}
	internal := plant(t, map[string]string{"go.mod": modText("."), "contrib/x/go.mod": modText("contrib/x", good),
		"contrib/x/x.go": "package x\n\nimport _ \"" + library + "/internal/units\"\n"})
	if _, err := released(internal); err == nil || !strings.Contains(err.Error(), "which a later version of the library may change") {
		t.Errorf("an import of an internal package gives %v", err)
	}
	other := plant(t, map[string]string{"go.mod": modText("."), "cmd/strobe/go.mod": modText("cmd/strobe", good),
		"contrib/x/go.mod": modText("contrib/x", "require "+library+" v0.0.9")})
	if _, err := released(other); err == nil || !strings.Contains(err.Error(), "v0.0.9, and others v0.1.0") {
		t.Errorf("modules that require different versions give %v", err)
	}
}

// An archive has the files that the go command would take from the repository: none of nested modules, and a licence.
func TestAnArchiveHoldsTheModuleAlone(t *testing.T) {
	root := plant(t, map[string]string{
		"go.mod": modText("."), "LICENSE": "free", "a.go": "package a\n", "clock/c.go": "package clock\n", "clock/testdata/in": "1",
		".git/config": "", "contrib/x/go.mod": modText("contrib/x"), "contrib/x/x.go": "package x\n",
	})
	for folder, want := range map[string][]string{
		".":         {"LICENSE", "a.go", "clock/c.go", "clock/testdata/in", "go.mod"},
		"contrib/x": {"LICENSE", "go.mod", "x.go"},
	} {
		m := module{folder: folder, version: "v0.1.0"}
		var archive bytes.Buffer
		if err := m.archive(&archive, root); err != nil {
			t.Fatal(err)
		}
		z, err := zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range z.File {
			name, ok := strings.CutPrefix(f.Name, m.path()+"@v0.1.0/")
			if !ok {
				t.Errorf("%s is outside the module", f.Name)
			}
			got = append(got, name)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s holds %q, want %q", folder, got, want)
		}
	}
}
