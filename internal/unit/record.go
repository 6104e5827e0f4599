// SPDX-License-Identifier: BSD-3-Clause

package unit

import (
	"cmp"
	"slices"
	"time"
	"unsafe"

	"github.com/strobe-go/strobe/clock"
)

// slack is how far the instants of one moment may differ between two readings, which convert ticks separately.
const slack = clock.Instant(200)

// A record is a span, or several of one path that were added up.
type record struct {
	start clock.Instant // of several, the earliest
	took  time.Duration // of several, the sum
	path  int32
	calls uint32 // that ended: 0 for an open span, more than 1 for several
	depth uint8  // number of enclosing spans of the lane
	level uint8  // number of units around it that have not ended
}

const recordSize = int64(unsafe.Sizeof(record{}))

func (r *record) end() clock.Instant { return r.start + clock.Instant(r.took) }

const (
	mostRecords = 8192 // of a lane before short spans are added up, unless they have very many paths
	whole       = 2048 // that are not added up then: the longest
)

// fold adds up the shorter ones of many records by path and level, and sorts them by level and start. Records of one path and
// level lie in the same unit.
func fold(all []record) []record {
	took := make([]time.Duration, len(all))
	for i := range all {
		took[i] = all[i].took
	}
	slices.Sort(took)
	least := took[max(0, len(took)-whole)]
	type group struct {
		path  int32
		level uint8
	}
	sums := make(map[group]int)
	kept := all[:0]
	for _, r := range all {
		if r.calls == 1 && r.took > least {
			kept = append(kept, r)
			continue
		}
		at := group{r.path, r.level}
		i, found := sums[at]
		if !found {
			sums[at] = len(kept)
			kept = append(kept, r)
			continue
		}
		k := &kept[i]
		k.start, k.took, k.calls = min(k.start, r.start), k.took+r.took, k.calls+r.calls
	}
	slices.SortFunc(kept, func(a, b record) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.start, b.start))
	})
	return kept
}
