// SPDX-License-Identifier: BSD-3-Clause

package clock

// Counters of processors that differ by less than jumpLimit are told from a reference whose rate changes by where the anchors were
// taken: the error of the line then changes by the same amount whenever the same two processors follow each other, in either order,
// and never while the processor stays the same.
type apart struct {
	pairs  [4]pair // the latest is the first
	agreed int     // changes of the processor that shifted the time as the same change had before
	quiet  int     // anchors on the processor of the one before, where they should be
	shift  int64   // the latest that agreed, ns
}

// A pair is two processors, and the shift of the time from the first to the second, ns.
type pair struct {
	low, high int
	shift     int64
}

const (
	apartLimit = ms / 2000 // a shift above it, and above what the rate explains, counts
	enoughPart = 8         // as many changes that agree, and as many quiet anchors, prove it
)

// add adds that the time was off by shift at an anchor on one processor after one on another.
func (a *apart) add(from, to int, shift, tolerance int64) {
	limit := apartLimit + tolerance
	switch {
	case from == 0 || to == 0:
		return
	case from == to && magnitude(shift) > limit: // it is the reference
		*a = apart{}
		return
	case from == to:
		a.quiet++
		return
	case from > to:
		from, to, shift = to, from, -shift
	}
	before, known := a.keep(pair{from, to, shift})
	if !known {
		return
	}
	apart := magnitude(shift - before)
	large, small := max(magnitude(shift), magnitude(before)), min(magnitude(shift), magnitude(before))
	switch {
	case large <= limit:
	case small > limit && apart <= large/4+tolerance:
		a.agreed, a.shift = a.agreed+1, shift
	case apart > limit:
		a.agreed, a.quiet = 0, 0
	}
}

// keep makes p the latest pair, and returns its shift before.
func (a *apart) keep(p pair) (before int64, known bool) {
	at := 0
	for at < len(a.pairs)-1 && (a.pairs[at].low != p.low || a.pairs[at].high != p.high) {
		at++
	}
	old := a.pairs[at]
	copy(a.pairs[1:at+1], a.pairs[:at])
	a.pairs[0] = p
	return old.shift, old.low == p.low && old.high == p.high
}

// proved reports whether the counters differ.
func (a *apart) proved() bool { return a.agreed >= enoughPart && a.quiet >= enoughPart }
