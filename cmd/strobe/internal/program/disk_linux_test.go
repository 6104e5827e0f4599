// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/child"
)

// The plan has room in the cache folder, but the program has none.
func TestAProgramIsBuiltElsewhereIfTheCacheIsFull(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program, which takes seconds")
	}
	if !child.WithMounts(t) {
		return
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/built\n\ngo 1.24\n", "main.go": "package main\n\nfunc main() { println(1) }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var said bytes.Buffer
	f, s := Flags{Dir: dir}, &session.Session{Ctx: t.Context(), Err: &said}
	plan, err := f.Prepare(s, ".", false, WithPage)
	if err != nil {
		t.Fatal(err)
	}
	defer plan.Close()
	if err := os.MkdirAll(plan.Folder(), 0o777); err != nil {
		t.Fatal(err)
	}
	child.DiskAt(t, plan.Folder(), 1<<16)
	file, err := f.Executable(s, plan, false, t.TempDir())
	if err != nil || !strings.Contains(said.String(), "no room for the program in "+plan.Folder()) {
		t.Fatalf("%v\n%s", err, said.String())
	}
	if out, err := exec.Command(file).CombinedOutput(); err != nil || string(out) != "1\n" {
		t.Errorf("it prints %q, %v", out, err)
	}
	if left, err := os.ReadDir(plan.Folder()); err != nil || len(left) > 0 {
		t.Errorf("%v is left in %s, %v", left, plan.Folder(), err)
	}
}
