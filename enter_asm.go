// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off && amd64 && !race && !purego

package strobe

// enter begins a span of z on the calling goroutine. This is the short way, for paths that have been entered before. In
// assembly it is one call instead of three, which is a twentieth of a span. It does not know whether Go's tracer runs:
// the first Exit under the tracer sees to that.
//
//go:noescape
func enter(z *Zone) (l *Lane, n *node, start uint64)
