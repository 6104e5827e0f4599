// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off && amd64 && !race && !purego

package strobe

// enter begins a span of z on the calling goroutine. This is the fast path, for paths of zones that have been entered before.
// In assembly it is one call instead of three, which saves a twentieth of a span. It does not know whether Go's tracer is
// running: the first Exit under the tracer handles that.
//
//go:noescape
func enter(z *Zone) (l *Lane, n *node, start uint64)

// due reports whether this call of a zone that is not full is to be timed, and counts it if the zone is sampled and it is not.
//
//go:noescape
func due(z *Zone) bool
