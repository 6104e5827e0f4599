// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"slices"
	"sort"
	"time"

	"github.com/strobe-go/strobe/internal/gotrace"
	"github.com/strobe-go/strobe/internal/switches"
)

// running adds time in which the runtime let g run on a thread.
func (k *sums) running(g, thread int64, i Interval) {
	w := k.window
	cut(i, w.offs[thread], offTime, func(o switches.Off, part Interval) { k.offProcessor(g, o, part) }, func(i Interval) {
		cut(i, k.stopped, itself, func(_ Interval, part Interval) { k.add(g, part, Stopped, "") }, func(i Interval) { k.on(g, thread, i) })
	})
}

// offProcessor adds time in which a thread that ran g was off the processor.
func (k *sums) offProcessor(g int64, o switches.Off, i Interval) {
	cut(i, k.stopped, itself, func(_ Interval, part Interval) { k.add(g, part, Stopped, "") }, func(i Interval) {
		if o.Preempted || o.Earlier {
			k.displaced(g, o, i)
			return
		}
		k.collecting(g, i, func(i Interval) { k.asleep(g, i) })
	})
}

// asleep adds time in which a thread that ran g waited for something.
func (k *sums) asleep(g int64, i Interval) {
	read, stalled := k.window.paged(i)
	switch {
	case 2*stalled >= i.length():
		k.add(g, i, Paging, "")
	case k.window.got(g, Interval{i.From - around, i.To + around}) >= some:
		k.add(g, i, Allocation, "") // it waited for a lock of the runtime's memory
	case read >= i.length():
		k.add(g, i, Paging, "")
	default:
		k.add(g, i, Syscall, "") // one that the runtime was not told of
	}
}

// on adds time in which g was on a processor, as far as is known.
func (k *sums) on(g, thread int64, i Interval) {
	k.collecting(g, i, func(i Interval) { k.work(g, thread, i, "") })
}

// collecting adds time in which g helped the collector, or stopped the world, and passes on the rest.
func (k *sums) collecting(g int64, i Interval, rest func(Interval)) {
	w := k.window
	cut(i, w.helps[g], rangeTime, func(_ gotrace.Range, part Interval) { k.help(g, part, "") }, func(i Interval) {
		cut(i, w.stops, rangeTime, func(r gotrace.Range, part Interval) {
			if r.Goroutine == g {
				k.stop(g, r, part, w.place(r.Stack).where)
			} else {
				rest(part)
			}
		}, rest)
	})
}

// A byte is taken to cost at most dearest to allocate, a page fault at most slow times what it takes alone.
const (
	dearest = 2.5 // ns
	slow    = 2
)

// work adds time in which g executed the program's code, if known at a place, and tells what of it went into memory.
func (k *sums) work(g, thread int64, i Interval, where string) {
	w := k.window
	var fresh []Interval // when it used what it had allocated: until it got the next, but not longer than that much can take
	all := w.news[g]
	n := sort.Search(len(all), func(n int) bool { return all[n].at > i.From })
	for n = max(0, n-1); n < len(all) && all[n].at < i.To; n++ {
		to := all[n].at + Time(dearest*float64(all[n].bytes))
		if n+1 < len(all) {
			to = min(to, all[n+1].at)
		}
		if part := (Interval{all[n].at, to}).and(i); part.From < part.To {
			fresh = append(fresh, part)
		}
	}
	var touched []Interval // before the record of a page fault, which stands for several
	if cost := Time(w.Fault * time.Duration(w.Faults) * slow); cost > 0 {
		all, last := w.faults[thread], i.From-cost
		for _, f := range since(all, i.From) {
			at := f.at
			if at-cost >= i.To {
				break
			}
			if part := (Interval{max(last, at-cost), at}).and(i); part.From < part.To {
				touched = append(touched, part)
			}
			last = at
		}
	}
	cut(i, fresh, itself, func(_ Interval, part Interval) { k.add(g, part, Allocation, "") }, func(i Interval) {
		cut(i, touched, itself, func(_ Interval, part Interval) { k.add(g, part, PageFaults, "") }, func(i Interval) { k.own(g, thread, i, where) })
	})
}

// own adds time in which g executed the program's code on a thread, if known at a place.
func (k *sums) own(g, thread int64, i Interval, where string) {
	cut(i, k.window.absent(thread, i), itself, func(_ Interval, part Interval) {
		k.absent += part.length()
		k.add(g, part, Unclear, "")
	}, func(part Interval) { k.add(g, part, Own, where) })
}

// syscall adds time in a system call.
func (k *sums) syscall(g int64, step *gotrace.Step, i Interval) {
	p := k.window.place(step.Stack)
	c := Syscall
	if p.memory {
		c = PageFaults
	}
	cut(i, k.window.offs[step.Thread], offTime, func(o switches.Off, i Interval) {
		cut(i, k.stopped, itself, func(_ Interval, part Interval) { k.add(g, part, Stopped, "") }, func(i Interval) {
			if o.Preempted {
				k.displaced(g, o, i)
			} else {
				k.add(g, i, c, p.where)
			}
		})
	}, func(i Interval) {
		cut(i, k.stopped, itself, func(_ Interval, part Interval) { k.add(g, part, Stopped, "") }, func(i Interval) {
			if p.inC && k.window.Exact(i.From) {
				k.work(g, step.Thread, i, p.where)
				return
			}
			k.add(g, i, c, p.where)
		})
	})
}

// sampled names the functions that the unit's own code was found in.
func (w *Window) sampled(a *Account, u Unit) {
	if w.Trace == nil || w.Switches != nil && w.Frames == nil {
		return
	}
	for n := range a.Parts[:min(4, len(a.Parts))] {
		p := &a.Parts[n]
		id := u.Goroutine
		if p.Goroutine != 0 {
			id = p.Goroutine
		}
		switch {
		case p.Where != "":
		case p.Cause == Own:
			p.Where = w.commonest(id, p.Spans, w.samples)
		case p.Cause == Allocation:
			if p.Where = w.commonest(id, p.Spans, w.samples); p.Where == "" { // allocation leaves few traces of its caller, but where it waited
				n := slices.IndexFunc(a.Parts, func(o Part) bool {
					return o.Cause == Allocation && o.Zone == p.Zone && o.Goroutine == p.Goroutine && o.Where != ""
				})
				if n >= 0 {
					p.Where = a.Parts[n].Where
				}
			}
		case p.Cause == PageFaults:
			p.Where = w.commonest(id, p.Spans, w.faults)
		case p.Cause == Paging: // the record of the fault is just before the thread leaves its processor
			spans := slices.Clone(p.Spans)
			for i := range spans {
				spans[i].From -= slack
			}
			p.Where = w.commonest(id, spans, w.faults)
		}
	}
}

// commonest returns the function in which goroutine id was found most often at some times; "" if it was not.
func (w *Window) commonest(id int64, spans []Interval, found map[int64][]sample) (where string) {
	g := w.Trace.Goroutine(id)
	if g == nil {
		return ""
	}
	functions, most := make(map[string]int), 0
	for _, i := range spans {
		for s := max(0, g.At(i.From)); s < len(g.Steps) && g.Steps[s].At < i.To; s++ {
			run := Interval{g.Steps[s].At, w.end(g, s)}.and(i)
			for _, f := range since(found[g.Steps[s].Thread], run.From) {
				if f.at > run.To {
					break
				}
				p := w.place(f.stack)
				if f.stack == 0 {
					p = placeOf(w.Frames(f.pcs))
				}
				if name := p.function(); p.own {
					if functions[name]++; functions[name] > most {
						where, most = name, functions[name]
					}
				}
			}
		}
	}
	return where
}

// since returns the samples from a time on.
func since(all []sample, at Time) []sample {
	return all[sort.Search(len(all), func(n int) bool { return all[n].at >= at }):]
}

// help adds time that a goroutine spent on behalf of the collector: its own allocations made it, or, if it made hardly any,
// those of others.
func (k *sums) help(g int64, i Interval, where string) {
	c := GC
	if k.window.got(g, Interval{i.From - look, i.To}) >= plenty {
		c = Allocation
	}
	k.add(g, i, c, where)
}

const (
	around = 500_000    // ns before and after a goroutine was off its processor, unasked, in which what it allocates says what for
	some   = 64 << 10   // bytes
	look   = 20_000_000 // ns before a goroutine helps the collector in which what it allocates made it
	plenty = 1 << 20    // bytes
)

// got returns how much a goroutine allocated.
func (w *Window) got(g int64, i Interval) (bytes int64) {
	for _, a := range w.news[g] {
		if a.at >= i.From && a.at < i.To {
			bytes += a.bytes
		}
	}
	return bytes
}

// crowded reports whether goroutines that did not work for a unit allocated much in its time, and its own at most a quarter of that.
func (w *Window) crowded(u Unit) bool {
	var own, others int64
	for g := range w.news {
		bytes := w.got(g, u.Interval)
		if g == u.Goroutine || slices.ContainsFunc(u.Links, func(l Link) bool { return l.Goroutine == g }) {
			own += bytes
		} else {
			others += bytes
		}
	}
	return others >= plenty && 4*own <= others
}
