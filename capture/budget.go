// SPDX-License-Identifier: BSD-3-Clause

package capture

import "time"

// A budget keeps explaining within a share of a processor: time is earned as it passes, and spent by what an explanation took.
type budget struct {
	share  float64 // negative: no limit
	saved  time.Duration
	latest time.Time
}

// purse is the most that is saved, and what there is at the beginning: a few explanations in a row.
const purse = 50 * time.Millisecond

func newBudget(share float64, now time.Time) *budget { return &budget{share, purse, now} }

// allows reports whether there is something left at a time.
func (b *budget) allows(now time.Time) bool {
	b.saved = min(purse, b.saved+time.Duration(b.share*float64(now.Sub(b.latest))))
	b.latest = now
	return b.share < 0 || b.saved > 0
}

func (b *budget) spend(d time.Duration) { b.saved -= d }
