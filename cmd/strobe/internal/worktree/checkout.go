// SPDX-License-Identifier: BSD-3-Clause

// Package worktree reads the git checkout that the current folder is in, and makes temporary work trees of its commits. It changes
// nothing in the checkout.
package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// A Checkout is the git checkout that the current folder is in.
type Checkout struct {
	Top    string // its folder
	Prefix string // the current folder below Top, with slashes; empty at the top
	Head   string // commit
	Status string // how the files differed from Head when it was opened, as git status says it; empty if they did not
}

// Open finds the checkout that the current folder is in.
func Open(ctx context.Context) (*Checkout, error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, errors.New("git was not found; install it")
	}
	var c Checkout
	var err error
	if c.Top, err = git(ctx, "", "rev-parse", "--show-toplevel"); err != nil || c.Top == "" {
		return nil, errors.New("this folder is not in a git checkout")
	}
	if c.Prefix, err = git(ctx, "", "rev-parse", "--show-prefix"); err != nil {
		return nil, err
	}
	if c.Head, err = git(ctx, "", "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil {
		return nil, errors.New("the checkout has no commit yet")
	}
	c.Status, err = git(ctx, "", "status", "--porcelain")
	return &c, err
}

// Git runs git in the checkout and returns its output without the last newline. The error has the last line of its error output.
func (c *Checkout) Git(ctx context.Context, args ...string) (string, error) {
	return git(ctx, c.Top, args...)
}

// Commit returns the commit that a revision names.
func (c *Checkout) Commit(ctx context.Context, rev string) (string, error) {
	if strings.HasPrefix(rev, "-") {
		return "", fmt.Errorf("%q is not a revision; give one such as main or HEAD~1 first", rev)
	}
	commit, err := c.Git(ctx, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("unknown revision %q; git fetch it, or give one that git log shows", rev)
	}
	return commit, nil
}

// Changed returns the files that differ between a commit and the checkout, with slashes and below Top.
func (c *Checkout) Changed(ctx context.Context, commit string) ([]string, error) {
	tracked, err := c.Git(ctx, "-c", "core.quotePath=false", "diff", "--name-only", "--no-renames", commit)
	if err != nil {
		return nil, err
	}
	other, err := c.Git(ctx, "-c", "core.quotePath=false", "ls-files", "--others", "--exclude-standard")
	return strings.Fields(tracked + "\n" + other), err // a name with blanks becomes several names, which does no harm
}

// Touched returns how the files have changed since the checkout was opened; "" if they have not.
func (c *Checkout) Touched(ctx context.Context) string {
	status, err := git(ctx, "", "status", "--porcelain")
	if err != nil || status == c.Status {
		return ""
	}
	var fresh []string
	for line := range strings.Lines(status) {
		if line = strings.TrimRight(line, "\n"); len(line) > 3 && !strings.Contains(c.Status+"\n", line+"\n") {
			fresh = append(fresh, line[3:])
		}
	}
	return strings.Join(fresh, ", ")
}

// git runs git in a folder.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0") // so that git status writes nothing
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		if text := strings.TrimSpace(errors.String()); text != "" {
			err = fmt.Errorf("git %s: %s", args[0], text[strings.LastIndexByte(text, '\n')+1:])
			text = strings.ReplaceAll(strings.ToLower(text), "out of diskspace", syscall.ENOSPC.Error())
			for _, disk := range []error{syscall.ENOSPC, syscall.EROFS} {
				if strings.Contains(text, disk.Error()) {
					err = because{err, disk}
				}
			}
		}
	}
	return strings.TrimRight(string(out), "\n"), err
}

// because is an error whose text has its cause already.
type because struct {
	error
	cause error
}

func (b because) Unwrap() error { return b.cause }

// Inside reports whether a path is a folder or below it.
func Inside(folder, path string) bool {
	below, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(below)
}
