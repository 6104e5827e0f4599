// SPDX-License-Identifier: BSD-3-Clause

package e2e

// loop runs 2n instructions and a few that do not depend on n.
//
//go:noescape
func loop(n int)
