// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// nesting is how many folders the work tree of the base is in, so that what its modules find above them can be put there.
const nesting = 4

// complete gives the work tree of the base what a new one lacks: the contents of submodules, and the modules outside the checkout
// that go.mod and go.work refer to. What cannot be had is left to the build to complain about.
func (c *checkout) complete(ctx context.Context) {
	c.submodules(ctx)
	text, err := tool(ctx, c.folder(), "go", "env", "-json", "GOMOD", "GOWORK")
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
		if !filepath.IsAbs(x.file) || !inside(c.tree, dir) { // off, or no module at all
			continue
		}
		text, err := tool(ctx, dir, append(x.command, x.file)...)
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
			c.link(dir, u.DiskPath)
		}
		for _, r := range has.Replace {
			if r.New.Version == "" {
				c.link(dir, r.New.Path)
			}
		}
	}
}

// link makes a folder outside the checkout visible to the work tree of the base, in whose folder dir it has a relative path.
func (c *checkout) link(dir, path string) {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return
	}
	at := filepath.Join(dir, path)
	below, err := filepath.Rel(c.tree, dir)
	if err != nil || inside(c.tree, at) || !inside(c.temp, at) {
		return
	}
	if os.MkdirAll(filepath.Dir(at), 0o777) == nil {
		_ = os.Symlink(filepath.Join(c.top, below, path), at)
	}
}

// inside reports whether a path is a folder or below it.
func inside(folder, path string) bool {
	below, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(below)
}

// submodules checks out those of the base, from the working tree where that has them, so that nothing is fetched.
func (c *checkout) submodules(ctx context.Context) {
	text, err := git(ctx, c.tree, "config", "--file", ".gitmodules", "--get-regexp", `\.path$`)
	if err != nil { // there are none
		return
	}
	var args []string
	for line := range strings.Lines(text) {
		key, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		name := strings.TrimSuffix(strings.TrimPrefix(key, "submodule."), ".path")
		here := filepath.Join(c.top, filepath.FromSlash(path))
		if _, err := os.Stat(filepath.Join(here, ".git")); err == nil {
			args = append(args, "-c", "protocol.file.allow=always", "-c", "submodule."+name+".url="+here)
		}
	}
	_, _ = git(ctx, c.tree, append(args, "submodule", "--quiet", "update", "--init", "--recursive")...)
}
