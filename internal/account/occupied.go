// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"cmp"
	"slices"

	"github.com/strobe-go/strobe/internal/switches"
)

// An occupation is a time in which a thread of the program was on a processor.
type occupation struct {
	Interval
	thread int64
}

func occupationTime(b occupation) Interval { return b.Interval }

// occupations returns the times in which threads were on processors, as far as it is known on which: that is recorded when they leave.
func occupations(offs map[int64][]switches.Off) map[int][]occupation {
	all := make(map[int][]occupation)
	for thread, times := range offs {
		for n := 1; n < len(times); n++ {
			if on := (Interval{Time(times[n-1].To), Time(times[n].From)}); times[n].Processor >= 0 && on.From < on.To {
				all[times[n].Processor] = append(all[times[n].Processor], occupation{on, thread})
			}
		}
	}
	for _, times := range all {
		slices.SortFunc(times, func(a, b occupation) int { return cmp.Compare(a.From, b.From) })
	}
	return all
}
