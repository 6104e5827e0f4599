// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off && (!amd64 || race || purego)

package strobe

import "github.com/strobe-go/strobe/internal/stamp"

// enter begins a span of z on the calling goroutine. This is the fast path, for paths of zones that have been entered before.
func enter(z *Zone) (*Lane, *node, uint64) {
	switch mode := z.mode.Load(); {
	case mode == sampled:
		if z.skip(stamp.Record()) {
			return nil, nil, 0
		}
	case mode == full && !tracing():
		l := find(stamp.Record())
		if l == nil {
			break
		}
		id, t := stamp.Now()
		if id != l.key.Load() {
			break
		}
		if n := nodeAt(l.at.Get()).child(z); n.zone == z {
			n.begin(t)
			l.at.Set(addr(n))
			return l, n, t
		}
	case mode == off:
		return nil, nil, 0
	}
	return enterSlow(z)
}

// due reports whether this call of a zone that is not full is to be timed, and counts it if the zone is sampled and it is not.
func due(z *Zone) bool { return z.mode.Load() == sampled && !z.skip(stamp.Record()) }
