// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"fmt"

	"github.com/strobe-go/strobe/cmd/strobe/internal/worktree"
)

// A checkout is a git checkout, and a work tree of the base that it is compared with.
type checkout struct {
	*worktree.Checkout
	base string         // commit
	tree *worktree.Tree // nil until it is added
}

// openCheckout finds the checkout that the current folder is in, and the merge base of its HEAD with a revision.
func openCheckout(ctx context.Context, rev string) (*checkout, error) {
	in, err := worktree.Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w; strobe gate --self needs none", err)
	}
	commit, err := in.Commit(ctx, rev)
	if err != nil {
		return nil, err
	}
	base, err := in.Git(ctx, "merge-base", in.Head, commit)
	if err != nil {
		return nil, fmt.Errorf("HEAD and %s have no common ancestor here; in a shallow clone, git fetch --unshallow gets it", rev)
	}
	return &checkout{Checkout: in, base: base}, nil
}

// add makes the work tree of the base.
func (c *checkout) add(ctx context.Context) (err error) {
	if c.tree, err = c.Add(ctx, c.base); err != nil {
		return fmt.Errorf("the base cannot be compared with: %w", err)
	}
	return nil
}
