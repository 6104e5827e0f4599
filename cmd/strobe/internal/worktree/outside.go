// SPDX-License-Identifier: BSD-3-Clause

package worktree

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// outside makes the modules outside the checkout that go.mod and go.work of a folder refer to available in the tree. If that
// fails, the build will report it.
func (t *Tree) outside(ctx context.Context, folder string) {
	text, err := output(ctx, folder, "go", "env", "-json", "GOMOD", "GOWORK")
	if err != nil {
		return
	}
	var env struct{ GOMOD, GOWORK string }
	if json.Unmarshal(text, &env) != nil {
		return
	}
	for _, x := range []struct {
		file    string
		command []string
	}{{env.GOMOD, []string{"go", "mod", "edit", "-json"}}, {env.GOWORK, []string{"go", "work", "edit", "-json"}}} {
		dir := filepath.Dir(x.file)
		if !filepath.IsAbs(x.file) || !Inside(t.top, dir) { // off, or no module at all
			continue
		}
		text, err := output(ctx, dir, append(x.command, x.file)...)
		if err != nil {
			continue
		}
		var has struct {
			Use     []struct{ DiskPath string }
			Replace []struct {
				New struct{ Path, Version string }
			}
		}
		if json.Unmarshal(text, &has) != nil {
			continue
		}
		for _, u := range has.Use {
			t.link(dir, u.DiskPath)
		}
		for _, r := range has.Replace {
			if r.New.Version == "" {
				t.link(dir, r.New.Path)
			}
		}
	}
}

// output runs a command in a folder and returns what it prints.
func output(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	return cmd.Output()
}

// link makes a folder outside the checkout visible to the tree, in whose folder dir it has a relative path.
func (t *Tree) link(dir, path string) {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return
	}
	at := filepath.Join(dir, path)
	below, err := filepath.Rel(t.top, dir)
	if err != nil || Inside(t.top, at) || !Inside(t.temp, at) {
		return
	}
	if os.MkdirAll(filepath.Dir(at), 0o777) == nil {
		_ = os.Symlink(filepath.Join(t.checkout.Top, below, path), at)
	}
}

// submodules checks out the submodules of the commit, from the checkout if it has them, so that nothing is fetched.
func (t *Tree) submodules(ctx context.Context) {
	text, err := git(ctx, t.top, "config", "--file", ".gitmodules", "--get-regexp", `\.path$`)
	if err != nil { // there are none
		return
	}
	var args []string
	for line := range strings.Lines(text) {
		key, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		name := strings.TrimSuffix(strings.TrimPrefix(key, "submodule."), ".path")
		here := filepath.Join(t.checkout.Top, filepath.FromSlash(path))
		if _, err := os.Stat(filepath.Join(here, ".git")); err == nil {
			args = append(args, "-c", "protocol.file.allow=always", "-c", "submodule."+name+".url="+here)
		}
	}
	_, _ = git(ctx, t.top, append(args, "submodule", "--quiet", "update", "--init", "--recursive")...)
}
