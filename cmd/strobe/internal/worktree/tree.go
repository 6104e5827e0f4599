// SPDX-License-Identifier: BSD-3-Clause

package worktree

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// A Tree is a temporary work tree with the files of one commit at a time. Remove removes it, or Sweep if the process is killed
// before.
type Tree struct {
	checkout *Checkout
	temp     string // folder that it is in
	top      string // its own
}

// nesting is the number of folders around a tree, in which what its modules expect above them can be placed.
const nesting = 4

// Add makes a work tree of a commit. A tree that is returned with an error must be removed too.
func (c *Checkout) Add(ctx context.Context, commit string) (*Tree, error) {
	temp, err := Scratch()
	if err != nil {
		return nil, err
	}
	t := &Tree{checkout: c, temp: temp, top: temp}
	for range nesting {
		t.top = filepath.Join(t.top, "x")
	}
	if err := os.MkdirAll(t.top, 0o777); err != nil {
		return t, err
	}
	t.top = filepath.Join(t.top, filepath.Base(c.Top)) // so that nothing in the folder has the same name
	if _, err := c.Git(ctx, "-c", "core.hooksPath="+os.DevNull, "worktree", "add", "--quiet", "--detach", t.top, commit); err != nil {
		return t, err
	}
	return t, t.complete(ctx, commit)
}

// Switch gives the tree the files of another commit, and no others.
func (t *Tree) Switch(ctx context.Context, commit string) error {
	if _, err := git(ctx, t.top, "-c", "core.hooksPath="+os.DevNull, "checkout", "--quiet", "--detach", "--force", commit); err != nil {
		return err
	}
	if _, err := git(ctx, t.top, "clean", "-ffdxq"); err != nil {
		return err
	}
	return t.complete(ctx, commit)
}

// complete adds what git does not check out. It returns an error if the commit lacks the current folder.
func (t *Tree) complete(ctx context.Context, commit string) error {
	if _, err := os.Stat(t.Folder()); err != nil {
		return fmt.Errorf("commit %.12s has no folder %s", commit, t.checkout.Prefix)
	}
	t.submodules(ctx)
	t.outside(ctx, t.Folder())
	return nil
}

// Folder returns the folder of the tree that corresponds to the current one.
func (t *Tree) Folder() string { return filepath.Join(t.top, filepath.FromSlash(t.checkout.Prefix)) }

// Below returns the path of a file in the tree below its top, with slashes; ok is false if the file is outside.
func (t *Tree) Below(file string) (path string, ok bool) {
	path, err := filepath.Rel(t.top, file)
	return filepath.ToSlash(path), err == nil && filepath.IsLocal(path)
}

// Remove removes the tree, even after an interrupt. It does nothing if t is nil.
func (t *Tree) Remove(ctx context.Context) {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	t.checkout.Git(ctx, "worktree", "remove", "--force", t.top)
	os.RemoveAll(t.temp)
	t.checkout.Git(ctx, "worktree", "prune")
}
