// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"runtime"
	"time"
)

// A budget keeps explaining within a share of a processor: time is earned as it passes, and spent by what explanations took.
type budget struct {
	share  float64 // negative: no limit
	saved  time.Duration
	latest time.Time
}

// purse is the most that is saved, and what there is at the beginning: a few explanations in a row.
const purse = 20 * time.Millisecond

func newBudget(share float64, now time.Time) *budget { return &budget{share, purse, now} }

// allows reports whether there is something left at a time.
func (b *budget) allows(now time.Time) bool {
	b.saved = min(purse, b.saved+time.Duration(b.share*float64(now.Sub(b.latest))))
	b.latest = now
	return b.share < 0 || b.saved > 0
}

func (b *budget) spend(d time.Duration) { b.saved -= d }

// overhead returns what everything has taken until now.
func (w *watch) overhead(now time.Time) Overhead {
	all := max(time.Second, now.Sub(w.began)).Seconds() // of a moment no share would be of use
	return Overhead{w.explains.Seconds() / all, w.reads.Seconds() / all, w.events.Seconds() / all}
}

// processorTime returns how much processor time f takes on its thread: on a busy machine much less than how long it takes, which is
// what it returns if the system does not tell.
func (w *watch) processorTime(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began := time.Now()
	before, _ := w.pressure.ThreadTime()
	f()
	if after, ok := w.pressure.ThreadTime(); ok {
		return after - before
	}
	return time.Since(began)
}
