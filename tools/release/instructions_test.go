// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The command in RELEASE.md sets the version of the library in every go.mod and go.work of the tree and in the documents that name
// it, and changes no other line.
func TestTheCommandOfTheInstructionsSetsTheVersion(t *testing.T) {
	for _, tool := range []string{"git", "sh", "perl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("the command needs a tool: ", err)
		}
	}
	const top, next = "../..", "v0.2.0"
	text, err := os.ReadFile(filepath.Join(top, "RELEASE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, command, _ := strings.Cut(string(text), "$ perl ")
	command, _, _ = strings.Cut(command, "\n")
	modules, err := released(top)
	if err != nil {
		t.Fatal(err)
	}
	now := modules[0].version
	if written := strings.ReplaceAll(now, ".", `\.`); !strings.Contains(command, ")"+written+"/"+next+"/") {
		t.Fatalf("RELEASE.md has no command that changes %s to %s, but perl %s", now, next, command)
	}
	files := map[string]string{}
	if err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() != "go.mod" && d.Name() != "go.work" && !strings.HasPrefix(filepath.ToSlash(path), top+"/docs/") {
			return err
		}
		text, err := os.ReadFile(path)
		files[strings.TrimPrefix(filepath.ToSlash(path), top+"/")] = string(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	root := plant(t, files)
	mustGit(t, root, "init", "--quiet")
	mustGit(t, root, "add", "--all")
	sh := exec.Command("sh", "-c", "perl "+command)
	sh.Dir = root
	if out, err := sh.CombinedOutput(); err != nil {
		t.Fatalf("perl %s: %v\n%s", command, err, out)
	}
	if modules, err := released(root); err != nil || modules[0].version != next {
		t.Errorf("the version of the modules is then not %s: %v", next, err)
	}
	for name, was := range files {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		is := strings.Split(string(text), "\n")
		for i, line := range strings.Split(was, "\n") {
			if strings.Contains(line, "strobe-go/strobe") {
				line = strings.NewReplacer(" "+now, " "+next, "@"+now, "@"+next).Replace(line)
			}
			if is[i] != line {
				t.Errorf("%s: %q, want %q", name, is[i], line)
			}
		}
	}
}
