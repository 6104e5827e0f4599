// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"time"

	"github.com/strobe-go/strobe/internal/pressure"
)

// quota returns for how long the quota of the control group was used up in i, between the readings of d: on average of the processors that
// the scheduler uses, and summed over all. On a processor for which it is used up, no wait ends, no system call
// returns, and no timer is looked at.
func (w *Window) quota(d growth, i Interval) Bounds {
	times, ok := d.of(pressure.Throttlings)
	spent, known := d.of(pressure.Throttled)
	if !ok || !known {
		return Bounds{}
	}
	procs := time.Duration(max(1, w.limit(i.From))) // a trace may lack it
	sum := min(d.within(i.length(), times, time.Duration(spent)), procs*i.length())
	return Bounds{sum / procs, min(sum, i.length()), true}
}

// throttledWaits notes for how long waits may have lasted because the quota was used up, and not because of what they waited for.
func (a *Account) throttledWaits() {
	if !a.Quota.Known {
		return
	}
	for i := range a.Late {
		if l := &a.Late[i]; l.Cause == Preempted && a.Quota.Most >= l.Took/2 {
			l.Cause = Throttled
		}
	}
	for _, c := range []Cause{Sleep, Network, Syscall} {
		if took := min(a.Sum(c), a.Quota.Most-a.Sum(Throttled)); took > 0 {
			a.Late = append(a.Late, Late{Of: c, Cause: Throttled, Took: took})
		}
	}
}

// throttledWaker tells of what ended a wait whether it was off the processor for the quota. What it seems to have done may be that, without
// records of switches.
func (a *Account) throttledWaker(by *Waker) {
	if !a.Quota.Known {
		return
	}
	if by.First != nil {
		a.throttledWaker(by.First)
	}
	seems := !a.Exact && (by.Main.Cause == Own || by.Main.Cause == Allocation || by.Main.Cause == Syscall || by.Main.Cause == NoProcessor)
	switch {
	case by.Main.Cause == Preempted && a.Quota.Most >= by.Took/2, seems && float64(a.Quota.Least) >= punctual*float64(by.Took):
		by.Main.Cause, by.Main.Where = Throttled, ""
	case seems && a.Quota.Most >= by.Took/2:
		by.Main, by.Took = Key{}, 0
	}
}
