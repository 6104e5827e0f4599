// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"cmp"
	"slices"
	"time"
)

func (a *Account) sort() {
	slices.SortFunc(a.Parts, func(a, b Part) int {
		return cmp.Or(-cmp.Compare(a.Took, b.Took), cmp.Compare(a.Cause, b.Cause), cmp.Compare(a.Zone, b.Zone), cmp.Compare(a.Where, b.Where), cmp.Compare(a.Goroutine, b.Goroutine))
	})
}

// Sum returns how much of the time had a cause.
func (a *Account) Sum(c Cause) (sum time.Duration) {
	for i := range a.Parts {
		if a.Parts[i].Cause == c {
			sum += a.Parts[i].Took
		}
	}
	return sum
}

// move gives d of the time of one cause to another: of the longest parts first.
func (a *Account) move(from, to Cause, d time.Duration) {
	a.sort()
	var moved []Part
	for i := range a.Parts {
		p := &a.Parts[i]
		if p.Cause != from || d <= 0 {
			continue
		}
		part := min(d, p.Took)
		p.Took -= part
		d -= part
		moved = append(moved, Part{Key: Key{Cause: to, Zone: p.Zone, Goroutine: p.Goroutine}, Took: part})
	}
	a.Parts = append(a.Parts, moved...)
	a.merge()
}

// rename gives all time of one cause to another.
func (a *Account) rename(from, to Cause) {
	for i := range a.Parts {
		if a.Parts[i].Cause == from {
			a.Parts[i].Cause = to
		}
	}
	a.merge()
}

// merge adds up parts of the same key, and drops empty ones.
func (a *Account) merge() {
	at := make(map[Key]int)
	kept := a.Parts[:0]
	for _, p := range a.Parts {
		if i, known := at[p.Key]; known {
			kept[i].Took += p.Took
			continue
		}
		if p.Took > 0 {
			at[p.Key] = len(kept)
			kept = append(kept, p)
		}
	}
	a.Parts = kept
}
