// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"context"
	"runtime/trace"
)

// inTrace marks the depth of a span that is a region in Go's own trace. Its Exit goes the slow way.
const inTrace = 1 << 63

// begin begins a span of z, and a region of the same name while Go's own tracer runs: the zones then lie beside the
// goroutines' states in go tool trace.
func (l *Lane) begin(z *Zone) Span {
	s := l.push(z)
	if !trace.IsEnabled() {
		return s
	}
	for uint64(len(l.regions)) <= s.depth {
		l.regions = append(l.regions, nil)
	}
	l.regions[s.depth] = trace.StartRegion(context.Background(), z.name)
	s.depth |= inTrace
	return s
}

// endRegions ends the regions of the spans at depth and inside, innermost first.
func (l *Lane) endRegions(depth uint64) {
	for i := len(l.regions) - 1; i >= int(depth); i-- {
		if r := l.regions[i]; r != nil {
			r.End()
		}
	}
	l.regions = l.regions[:min(len(l.regions), int(depth))]
}
