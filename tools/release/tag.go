// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The branch that is released, and the remote where it is published.
const branch, remote = "main", "origin"

// release tags the version of every module of a checkout, in the order in which they require each other, after ./check has
// passed. With push it publishes the branch and the tags atomically; otherwise it prints the command for that.
func release(root, version string, push bool, out io.Writer) error {
	modules, err := released(root)
	if err != nil {
		return err
	}
	if has := modules[0].version; has != version {
		return fmt.Errorf("the modules require %s of the library, not %s: RELEASE.md says how to set the version", has, version)
	}
	var tags []string
	for _, m := range modules {
		tags = append(tags, m.tag())
	}
	commit, err := ready(root, version, tags)
	if err != nil {
		return err
	}
	check := exec.Command("./check")
	check.Dir, check.Stdout, check.Stderr = root, out, out
	check.Env = append(os.Environ(), "STRICT=1") // no step may be left out
	if err := check.Run(); err != nil {
		return fmt.Errorf("./check: %w", err)
	}
	if now, err := ready(root, version, tags); err != nil || now != commit {
		return errors.Join(fmt.Errorf("the checkout changed while ./check ran"), err)
	}
	for i, tag := range tags {
		if _, err := git(root, "tag", "--annotate", "--message", "strobe "+version, tag, commit); err != nil {
			for _, made := range tags[:i] {
				_, undo := git(root, "tag", "--delete", made)
				err = errors.Join(err, undo)
			}
			return err
		}
		fmt.Fprintln(out, "tagged", tag)
	}
	publish := append([]string{"push", "--atomic", remote, branch}, tags...)
	if !push {
		fmt.Fprintln(out, "to publish them:\n    git", strings.Join(publish, " "))
		return nil
	}
	if _, err := git(root, publish...); err != nil {
		return err
	}
	fmt.Fprintln(out, "published")
	return nil
}

// ready returns the commit that can be released, or an error that says what prevents it.
func ready(root, version string, tags []string) (commit string, err error) {
	if on, err := git(root, "symbolic-ref", "--short", "HEAD"); err != nil || on != branch {
		return "", errors.Join(fmt.Errorf("the branch is %q, not %s", on, branch), err)
	}
	changes, err := git(root, "status", "--porcelain")
	if err != nil || changes != "" {
		return "", errors.Join(fmt.Errorf("the checkout has changes that are not committed:\n%s", changes), err)
	}
	text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return "", err
	}
	if _, err := section(string(text), version, time.Now().UTC()); err != nil {
		return "", fmt.Errorf("CHANGELOG.md: %w", err)
	}
	here, err := git(root, "tag", "--list")
	if err != nil {
		return "", err
	}
	there, err := git(root, "ls-remote", remote, "refs/heads/"+branch, "refs/tags/*")
	if err != nil {
		return "", err
	}
	for _, tag := range tags {
		if slices.Contains(strings.Fields(here), tag) || slices.Contains(strings.Fields(there), "refs/tags/"+tag) {
			return "", fmt.Errorf("the tag %s exists: a version that was published never changes", tag)
		}
	}
	if head, name, _ := strings.Cut(there, "\t"); strings.HasPrefix(name, "refs/heads/") {
		if _, err := git(root, "merge-base", "--is-ancestor", head, "HEAD"); err != nil {
			return "", fmt.Errorf("%s of %s has commits that are not here", branch, remote)
		}
	}
	return git(root, "rev-parse", "HEAD")
}

// git runs git in a checkout and returns its output without the last newline.
func git(root string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = root
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSuffix(string(out), "\n"), err
}
