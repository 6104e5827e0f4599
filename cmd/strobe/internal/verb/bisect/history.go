// SPDX-License-Identifier: BSD-3-Clause

package bisect

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/worktree"
	"github.com/strobe-go/strobe/internal/plain"
)

// A commit is one of a history.
type commit struct {
	hash, author, date, subject string // the date is that of the author, as in RFC 3339
	parents                     []string
}

// short returns the beginning of the hash.
func (c *commit) short() string { return c.hash[:12] }

// String returns what to call the commit in messages.
func (c *commit) String() string {
	return fmt.Sprintf("%s (%s)", c.short(), layout.Head(c.subject, 50))
}

// A history is what is searched: the good commit, and then those up to the bad one by first parents.
type history struct {
	in      *worktree.Checkout
	name    string // of the range
	commits []commit
}

// mostCommits is up to how many commits a search takes seconds rather than minutes to think.
const mostCommits = 2000

// openHistory reads the commits between two revisions.
func openHistory(ctx context.Context, in *worktree.Checkout, goodRev, badRev string) (*history, error) {
	good, err := in.Commit(ctx, goodRev)
	if err != nil {
		return nil, err
	}
	bad, err := in.Commit(ctx, badRev)
	if err != nil {
		return nil, err
	}
	if good == bad {
		return nil, fmt.Errorf("%s and %s are the same commit, %.12s", goodRev, badRev, good)
	}
	h := &history{in: in, name: goodRev + ".." + badRev}
	if _, err := in.Git(ctx, "merge-base", "--is-ancestor", good, bad); err != nil {
		return nil, h.unrelated(ctx, goodRev, badRev, good, bad)
	}
	first, err := h.log(ctx, "--no-walk", good)
	if err != nil {
		return nil, err
	}
	rest, err := h.log(ctx, "--reverse", "--first-parent", good+".."+bad)
	if err != nil {
		return nil, err
	}
	if len(rest) > mostCommits {
		return nil, fmt.Errorf("%s has %d commits; give a range of at most %d, such as between two releases", h.name, len(rest), mostCommits)
	}
	h.commits = append(first, rest...)
	return h, nil
}

// unrelated says why there is no way from one commit to the other.
func (h *history) unrelated(ctx context.Context, goodRev, badRev, good, bad string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if shallow, err := h.in.Git(ctx, "rev-parse", "--is-shallow-repository"); err == nil && shallow == "true" {
		return fmt.Errorf("%s is not known to come before %s, since this clone is shallow; git fetch --unshallow gets the commits between", goodRev, badRev)
	}
	if _, err := h.in.Git(ctx, "merge-base", "--is-ancestor", bad, good); err == nil {
		return fmt.Errorf("%s comes after %s; give the earlier one first: %s..%s", goodRev, badRev, badRev, goodRev)
	}
	base, err := h.in.Git(ctx, "merge-base", good, bad)
	if err != nil {
		return fmt.Errorf("%s and %s have no common ancestor", goodRev, badRev)
	}
	return fmt.Errorf("%s is not a descendant of %s; their last common ancestor is %.12s: if the benchmark was fast there, give %.12s..%s", badRev, goodRev, base, base, badRev)
}

// log reads commits.
func (h *history) log(ctx context.Context, args ...string) (all []commit, err error) {
	text, err := h.in.Git(ctx, append([]string{"log", "--format=%H%x00%P%x00%an%x00%aI%x00%s"}, args...)...)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\x00", 5)
		if len(f) < 5 {
			return nil, errors.New("git log prints something else than commits")
		}
		all = append(all, commit{hash: f[0], parents: strings.Fields(f[1]), author: plain.Text(f[2]), date: f[3], subject: plain.Text(f[4])})
	}
	return all, nil
}

// merged returns the commits that a merge has brought: those of its second parent since the last common ancestor of both.
func (h *history) merged(ctx context.Context, merge *commit) (*history, error) {
	if len(merge.parents) != 2 {
		return nil, fmt.Errorf("%s has %d parents", merge.short(), len(merge.parents))
	}
	base, err := h.in.Git(ctx, "merge-base", merge.parents[0], merge.parents[1])
	if err != nil {
		return nil, err
	}
	return openHistory(ctx, h.in, base, merge.parents[1])
}

// state returns what identifies the files of a commit that a benchmark may read, apart from its program: in a folder, in those called
// testdata, and which it is known to open. Without opened, all files but Go's count.
func (h *history) state(ctx context.Context, commit, folder string, opened []string, known bool) (string, error) {
	tree, err := h.in.Git(ctx, "-c", "core.quotePath=false", "ls-tree", "-r", "--full-tree", commit)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for line := range strings.Lines(tree) {
		_, file, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		code := strings.HasSuffix(file, ".go")
		reads := !known && !code || strings.Contains("/"+file, "/testdata/") || !code && worktree.Inside(folder, file)
		for _, name := range opened {
			reads = reads || worktree.Inside(name, file)
		}
		if reads {
			text.WriteString(line)
		}
	}
	return text.String(), nil
}
