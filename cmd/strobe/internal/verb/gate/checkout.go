// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A checkout is a git checkout, and a second work tree of it that has the base.
type checkout struct {
	top    string // its folder
	prefix string // the current folder below top
	head   string // commit
	base   string // commit to compare with
	status string // how the work tree differs from head, as git status says it
	tree   string // work tree of the base
	temp   string // folder that tree is in
}

// git runs git and returns what it prints. The error is its last line.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		if text := strings.TrimSpace(errors.String()); text != "" {
			err = fmt.Errorf("git %s: %s", args[0], text[strings.LastIndexByte(text, '\n')+1:])
		}
	}
	return strings.TrimRight(string(out), "\n"), err
}

// openCheckout finds the checkout that the current folder is in, and the merge base of its HEAD with a revision.
func openCheckout(ctx context.Context, rev string) (*checkout, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, errors.New("git was not found; install it, or use --self, which needs none")
	}
	if strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("%q is not a revision; give one such as main or HEAD~1 first", rev)
	}
	var c checkout
	var err error
	if c.top, err = git(ctx, "", "rev-parse", "--show-toplevel"); err != nil || c.top == "" {
		return nil, errors.New("this folder is not in a git checkout; run strobe gate in one, or strobe gate --self")
	}
	if c.prefix, err = git(ctx, "", "rev-parse", "--show-prefix"); err != nil {
		return nil, err
	}
	if c.head, err = git(ctx, "", "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil {
		return nil, errors.New("the checkout has no commit yet")
	}
	commit, err := git(ctx, "", "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("unknown revision %q; git fetch it, or give one that git log shows", rev)
	}
	if c.base, err = git(ctx, "", "merge-base", c.head, commit); err != nil {
		return nil, fmt.Errorf("HEAD and %s have no common ancestor here; in a shallow clone, git fetch --unshallow gets it", rev)
	}
	c.status, err = git(ctx, "", "status", "--porcelain")
	return &c, err
}

// add makes the work tree of the base.
func (c *checkout) add(ctx context.Context) error {
	temp, err := newScratch()
	if err != nil {
		return err
	}
	c.temp, c.tree = temp, temp
	for range nesting {
		c.tree = filepath.Join(c.tree, "x")
	}
	if err := os.MkdirAll(c.tree, 0o777); err != nil {
		return err
	}
	c.tree = filepath.Join(c.tree, filepath.Base(c.top)) // so that nothing beside it has its name
	if _, err := git(ctx, c.top, "-c", "core.hooksPath="+os.DevNull, "worktree", "add", "--quiet", "--detach", c.tree, c.base); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(c.tree, filepath.FromSlash(c.prefix))); err != nil {
		return fmt.Errorf("the base, %.12s, has no folder %s: there is nothing to compare with", c.base, c.prefix)
	}
	return nil
}

// remove removes the work tree, even after an interrupt.
func (c *checkout) remove(ctx context.Context) {
	if c.temp == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	git(ctx, c.top, "worktree", "remove", "--force", c.tree)
	os.RemoveAll(c.temp)
	git(ctx, c.top, "worktree", "prune")
}

// changed returns the files that differ between the base and the work tree, with slashes and below top.
func (c *checkout) changed(ctx context.Context) ([]string, error) {
	tracked, err := git(ctx, c.top, "-c", "core.quotePath=false", "diff", "--name-only", "--no-renames", c.base)
	if err != nil {
		return nil, err
	}
	other, err := git(ctx, c.top, "-c", "core.quotePath=false", "ls-files", "--others", "--exclude-standard")
	return strings.Fields(tracked + "\n" + other), err // a name with blanks becomes several, which does no harm
}

// touched returns how the work tree differs from what it was at the start; empty if it does not.
func (c *checkout) touched(ctx context.Context) string {
	status, err := git(ctx, "", "status", "--porcelain")
	if err != nil || status == c.status {
		return ""
	}
	var fresh []string
	for line := range strings.Lines(status) {
		if line = strings.TrimRight(line, "\n"); len(line) > 3 && !strings.Contains(c.status+"\n", line+"\n") {
			fresh = append(fresh, line[3:])
		}
	}
	return strings.Join(fresh, ", ")
}

// folder returns the current folder in the work tree of the base.
func (c *checkout) folder() string { return filepath.Join(c.tree, filepath.FromSlash(c.prefix)) }
