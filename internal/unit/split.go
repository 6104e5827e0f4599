// SPDX-License-Identifier: BSD-3-Clause

package unit

import (
	"cmp"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// A Divided unit is one of which another reader of the timeline found out what it did.
type Divided struct {
	Lane  int
	Start clock.Instant
	Took  time.Duration
	Split profile.Split
}

// Divide notes what units did, as far as they are kept, and returns those of which it was not known. It sorts its argument.
func (r *Root) Divide(all []Divided) (known []*Kept) {
	slices.SortFunc(all, func(a, b Divided) int { return cmp.Compare(a.Start, b.Start) })
	for _, x := range r.all {
		if x.Split != nil {
			continue
		}
		u := &x.Unit
		i, _ := slices.BinarySearchFunc(all, u.Start-apart(u.Took), func(d Divided, at clock.Instant) int { return cmp.Compare(d.Start, at) })
		for ; i < len(all) && all[i].Start <= u.Start+apart(u.Took); i++ {
			if all[i].Lane == u.Lane && alike(u.Took, all[i].Took) {
				split := all[i].Split
				x.Split, known = &split, append(known, x)
				break
			}
		}
	}
	return known
}

// apart is how far the starts of a unit may differ between two readers: they convert ticks separately.
func apart(took time.Duration) clock.Instant { return slack + clock.Instant(took)/4096 }

func alike(a, b time.Duration) bool { return max(a-b, b-a) <= time.Duration(slack)+a/4096 }
