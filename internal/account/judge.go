// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"slices"
	"strings"
	"time"
)

// A Verdict is what made a unit slow.
type Verdict struct {
	Cause Cause           // Unclear if nothing explains enough
	Share float64         // of the time beyond what is usual that Cause alone explains, from 0 to 1; 0 if Cause is Unclear
	Spent time.Duration   // time of Cause beyond what is usual
	Part  int             // index of the part of Cause that grew most; -1 if Cause is Unclear
	Late  Late            // if Cause is Unclear because what ended waits may have been ready long before; if not, Of is Unclear
	Usual []time.Duration // of each part of the slow account; 0 if it is not usual, or unknown
}

// What a cause must explain of the time beyond what is usual. Counters know the time of the process, not that of the unit, so that
// more is asked of them.
const (
	enough      = 0.55
	enoughBlind = 0.7
)

// few is how many accounts of ordinary units a median needs.
const few = 3

// Judge compares the account of a slow unit with those of ordinary units of the same root. typical is the median of their durations,
// which may be known where their accounts are not. longer, which may be nil, returns accounts of units that took longer than ordinary
// ones and were not slow either. Judge gives time of the slow account another cause if only the comparison shows it.
func Judge(slow *Account, usual []Account, typical time.Duration, longer func() []Account) Verdict {
	v := Verdict{Part: -1}
	beyond, all := excess(slow, usual, typical)
	doubtful := overslept(slow, usual, longer, &beyond)
	slow.usedUp(&beyond, &doubtful, all)
	best := Unclear
	for c := range beyond {
		if Cause(c) != Unclear && (best == Unclear || beyond[c] > beyond[best]) {
			best = Cause(c)
		}
	}
	limit := enough
	if best == Allocation || best == GC { // what allocates much makes collections
		if both := beyond[Allocation] + beyond[GC]; beyond[Allocation] > 0 && beyond[GC] > 0 && 4*beyond[Allocation] >= both {
			best, beyond[Allocation] = Allocation, both
		}
	}
	touched := min(beyond[PageFaults], touchedWhereAllocated(slow))
	if both := beyond[Allocation] + touched; touched > 0 && both > beyond[best] && 4*beyond[Allocation] >= both && float64(beyond[best]) < enough*float64(all) {
		best = Allocation
	} else {
		touched = 0
	}
	if all > 0 && best != Unclear || slow.Continued {
		best, limit = doubt(slow, best, &beyond, all)
	}
	v.Usual = usualParts(slow, usual)
	due := beyond[best] - doubtful[best]
	if best == Allocation {
		due += touched
	}
	if slow.Crowded && (best == NoProcessor || best == GC) { // both are due to the goroutines that allocate
		due = beyond[NoProcessor] + beyond[GC]
	}
	if best == Unclear || all <= 0 || float64(due) < limit*float64(all) {
		if float64(due+doubtful[best]) >= limit*float64(all) {
			v.Late = slow.longestLate(best)
		}
		return v
	}
	v.Cause, v.Spent = best, beyond[best]
	v.Share = min(1, float64(beyond[best])/float64(all))
	var most time.Duration
	for i := range slow.Parts {
		if d := slow.Parts[i].Took - v.Usual[i]; slow.Parts[i].Cause == best && (v.Part < 0 || d > most) {
			v.Part, most = i, d
		}
	}
	return v
}

// touchedWhereAllocated returns the time of page faults in functions in which the unit also allocated: in memory that they had
// allocated, most likely.
func touchedWhereAllocated(slow *Account) (sum time.Duration) {
	for i := range slow.Parts {
		p := &slow.Parts[i]
		if p.Cause == PageFaults && p.Where != "" && slices.ContainsFunc(slow.Parts, func(a Part) bool {
			return a.Cause == Allocation && function(a.Where) == function(p.Where)
		}) {
			sum += p.Took
		}
	}
	return sum
}

// function returns the function of a place.
func function(where string) string {
	if _, named, ok := strings.Cut(where, " ("); ok {
		return strings.TrimSuffix(named, ")")
	}
	return where
}

// punctual is how much of a sleep beyond what is usual must be for what nothing looked at, at most, for all of it to be.
const punctual = 0.8

// overslept gives time that a unit has slept beyond what is usual to what kept its timers from being looked at, if a few others slept
// where this one slept longest: that tells how long it wanted to. It returns for how much of its waits of each cause this may be so
// otherwise: how long a connection or a system call needed, nothing tells. A sleep that was too long may also have ended late because
// the thread that was to look at its timer had woken and got no processor.
func overslept(slow *Account, usual []Account, longer func() []Account, beyond *[Causes]time.Duration) (doubtful [Causes]time.Duration) {
	most := slow.longestLate(Sleep)
	var surely time.Duration
	for _, l := range slow.Late {
		if doubtful[l.Of] += l.Took; l.Of == Sleep && l.Cause == most.Cause {
			surely += l.Took
		}
	}
	if most.Cause == Throttled {
		surely = min(surely, slow.Quota.Least)
	}
	longest := slices.IndexFunc(slow.Parts, func(p Part) bool { return p.Cause == Sleep })
	if most.Cause == Unclear && slow.Waited == 0 || longest < 0 || len(usual) < few {
		return doubtful
	}
	slept := func(all []Account) []Account {
		return slices.DeleteFunc(slices.Clone(all), func(a Account) bool { return a.time(slow.Parts[longest].Key) == 0 })
	}
	sleepers := slept(usual)
	if len(sleepers) < few && longer != nil {
		sleepers = append(sleepers, slept(longer())...)
	}
	if len(sleepers) < few {
		return doubtful
	}
	wanted := median(sleepers, func(a *Account) time.Duration { return a.Sum(Sleep) })
	over := max(0, min(beyond[Sleep], slow.Sum(Sleep)-wanted))
	doubtful[Sleep] = min(doubtful[Sleep], over)
	if most.Cause == Unclear || over == 0 || float64(surely) < punctual*float64(over) {
		if float64(slow.Waited) >= punctual*float64(over) {
			doubtful[Sleep] = over
			slow.Late = append(slow.Late, Late{Of: Sleep, Cause: Unclear, Took: over})
		}
		return doubtful
	}
	give(slow, Sleep, most.Cause, over, beyond)
	for i := range slow.Parts {
		if p := &slow.Parts[i]; p.Cause == most.Cause && p.By.Took < most.By.Took {
			p.By = most.By
		}
	}
	doubtful[Sleep] = 0
	return doubtful
}

// longestLate returns what of waits of a cause may have been late for longest.
func (a *Account) longestLate(of Cause) (most Late) {
	for _, l := range a.Late {
		if l.Of == of && (most.Of != of || l.Took > most.Took) {
			most = l
		}
	}
	return most
}

// usedUp gives doubtful waits to the quota if at least a fourth of what is not usual was certainly its fault, and it was used up for as long.
func (a *Account) usedUp(beyond, doubtful *[Causes]time.Duration, all time.Duration) {
	if beyond[Throttled] == 0 || 4*beyond[Throttled] < all {
		return
	}
	for _, c := range []Cause{Sleep, Network, Syscall} {
		d := min(beyond[c], doubtful[c])
		if d > 0 && float64(a.Quota.Least) >= punctual*float64(beyond[Throttled]+d) {
			give(a, c, Throttled, d, beyond)
			doubtful[c] = 0
		}
	}
}

// excess returns how much more time each cause took than is usual, and the sum of what is positive.
func excess(slow *Account, usual []Account, typical time.Duration) (beyond [Causes]time.Duration, all time.Duration) {
	known := len(usual) >= few
	for c := range beyond {
		sum := slow.Sum(Cause(c))
		if known {
			beyond[c] = max(0, sum-median(usual, func(a *Account) time.Duration { return a.Sum(Cause(c)) }))
			all += beyond[c]
		} else { // at least, whatever the usual time goes into
			beyond[c] = max(0, sum-typical)
		}
	}
	if !known {
		all = slow.Took - typical
	}
	return beyond, all
}

// doubt returns the cause after a look at what the sources cannot tell apart, and the share that it must explain.
func doubt(slow *Account, best Cause, beyond *[Causes]time.Duration, all time.Duration) (Cause, float64) {
	much := func(d time.Duration) bool { return float64(d) >= enough*float64(all) }
	some := func(d time.Duration) bool { return 4*d >= all }
	on := best == Own || best == Allocation || best == NoProcessor // or other programs had the processors
	switch {
	case !slow.States:
		if slow.Continued && much(beyond[Unclear]) {
			return give(slow, Unclear, Stopped, beyond[Unclear], beyond), enough
		}
		if !slow.Switches && on {
			return Unclear, 1
		}
		return best, enoughBlind
	case slow.Stalled > 0 && (best == Own || best == Allocation) && 2*slow.Stalled >= beyond[best]: // it may have been the system, looking for memory
		return Unclear, 1
	case slow.Exact:
		if best == Own && slow.Hidden.Known && much(slow.Hidden.Least) { // on a processor by all records, and yet it used none
			return give(slow, Own, Stolen, slow.Hidden.Least, beyond), enough
		}
		return best, enough
	case !slow.Hidden.Known && on:
		return Unclear, 1
	case best == Own && slow.Faulted >= beyond[Own]*3/5:
		return give(slow, Own, PageFaults, slow.Faulted, beyond), enough
	case best == Own && (some(slow.Faulted) || some(slow.Hidden.Most)), best == Allocation && some(slow.Hidden.Most):
		return Unclear, 1
	case best == Preempted && slow.Hidden.Most > 0:
		return best, enoughBlind
	}
	return best, enough
}

// give gives time of one cause to another, which it returns.
func give(slow *Account, from, to Cause, d time.Duration, beyond *[Causes]time.Duration) Cause {
	d = min(d, beyond[from])
	slow.move(from, to, d)
	slow.sort()
	beyond[from] -= d
	beyond[to] += d
	return to
}

// usualParts returns the median of each part of the slow account.
func usualParts(slow *Account, usual []Account) []time.Duration {
	out := make([]time.Duration, len(slow.Parts))
	if len(usual) < few {
		return out
	}
	for i := range slow.Parts {
		out[i] = usualTime(usual, slow.Parts[i].Key)
	}
	return out
}

// usualTime returns the median of the parts like one in the accounts of ordinary units.
func usualTime(usual []Account, key Key) time.Duration {
	return median(usual, func(a *Account) time.Duration { return a.time(key) })
}

// time returns the time of the parts like one.
func (a *Account) time(key Key) (sum time.Duration) {
	key = alike(key)
	for n := range a.Parts {
		if alike(a.Parts[n].Key) == key {
			sum += a.Parts[n].Took
		}
	}
	return sum
}

// alike leaves out of a key what differs between units that do the same: the number of a goroutine, and functions that were sampled.
func alike(k Key) Key {
	k.Goroutine = min(k.Goroutine, 1)
	if k.Cause == Own || k.Cause == Allocation || k.Cause == PageFaults || k.Cause == Paging {
		k.Where = ""
	}
	return k
}

func median(all []Account, of func(*Account) time.Duration) time.Duration {
	values := make([]time.Duration, len(all))
	for i := range all {
		values[i] = of(&all[i])
	}
	slices.Sort(values)
	return values[len(values)/2]
}
