// SPDX-License-Identifier: BSD-3-Clause

package unit

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sort"
	"time"
	"unsafe"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

const (
	Slowest = 20 // units of a root zone that are kept whatever their age: the longest

	mostRoots  = 8  // root zones that have units
	minutes    = 60 // of which the slowest units are kept
	ofMinute   = 3  // units of each
	ofFresh    = 30 // units of each of the two latest ones
	periods    = 7  // of the random sample: six that are complete, and the current one
	ofPeriod   = 32 // units of each
	mostChosen = 32 // units that Keep was called for
	period     = 10 * time.Second
	fineWidth  = time.Second
	coarse     = 10 * time.Second
	fineMost   = 600 // columns: ten minutes
	coarseMost = 360 // an hour
	mostGone   = 4096
)

// A Keeper keeps units of root zones in bounded memory: the slowest ones of all and of each minute, a random sample of the latest
// ones, and how many took how long.
type Keeper struct {
	More  bool // there are root zones whose units are not kept: only the first 8 are
	limit int64
	rand  *rand.Rand
	roots []*Root
}

// NewKeeper returns a keeper of units that use about limit bytes.
func NewKeeper(limit int64) *Keeper {
	return &Keeper{limit: limit, rand: rand.New(rand.NewPCG(1, 2))}
}

// A Root is the units of a root zone.
type Root struct {
	Zone   int
	N      uint64        // number of the latest unit
	Took   time.Duration // all units that were added, together
	Fine   Heat          // a column a second, for ten minutes
	Coarse Heat          // a column for ten seconds, for an hour

	all     []*Kept // by number
	slowest []*Kept // the longest last
	chosen  []*Kept // the latest last
	minutes []batch
	sample  []batch
	gone    []Gone // the latest
	first   uint64 // number of the first of these
	bytes   int64
}

// A Kept unit does not change, except that it loses its spans.
type Kept struct {
	Number  uint64 // of the root zone's units, in the order in which they were read or chosen, from 1 on
	Unit    profile.Unit
	Sampled bool           // it is one of the random sample of the latest minute
	Split   *profile.Split // what it did; nil if that is not known

	slow int // lists of slow units that hold it
	size int64
}

// Slow reports whether the unit is kept because it was slow.
func (k *Kept) Slow() bool { return k.slow > 0 }

// End returns when the unit ended.
func (k *Kept) End() clock.Instant { return k.Unit.Start + clock.Instant(k.Unit.Took) }

// Gone says that a unit is no longer one of the sample, or no longer kept.
type Gone struct {
	Number uint64
	Kept   bool // it is still kept, because it was slow
}

// A batch is the units of a stretch of time.
type batch struct {
	number int64 // of the stretch
	seen   int   // units so far
	units  []*Kept
}

// Roots returns the root zones that have units, in the order of their first ones.
func (k *Keeper) Roots() []*Root { return k.roots }

// Root returns the units of a root zone; nil if there are none.
func (k *Keeper) Root(zone int) *Root {
	for _, r := range k.roots {
		if r.Zone == zone {
			return r
		}
	}
	return nil
}

// Declare makes a root zone one of those that have units, before its first one has ended, unless there are too many. It returns it;
// nil if there are too many.
func (k *Keeper) Declare(zone int) *Root {
	if r := k.Root(zone); r != nil {
		return r
	}
	if len(k.roots) == mostRoots {
		k.More = true
		return nil
	}
	k.roots = append(k.roots, &Root{Zone: zone, Fine: Heat{Width: fineWidth, most: fineMost}, Coarse: Heat{Width: coarse, most: coarseMost}})
	return k.roots[len(k.roots)-1]
}

// Add adds a unit that has ended. It copies what it keeps.
func (k *Keeper) Add(u *profile.Unit) {
	r := k.Declare(u.Zone)
	if r == nil {
		return
	}
	r.N++
	r.Took += u.Took
	end := u.Start + clock.Instant(u.Took)
	r.Fine.add(end, u.Took, r.N)
	r.Coarse.add(end, u.Took, r.N)
	var x *Kept
	keep := func() *Kept {
		if x == nil {
			x = &Kept{Number: r.N, Unit: Clone(u)}
			x.size = sizeOf(&x.Unit)
			r.bytes += x.size
			r.all = append(r.all, x)
		}
		return x
	}
	r.slow(u.Took, int64(end)/int64(time.Minute), keep)
	r.random(k.rand, int64(end)/int64(period), keep)
	if x != nil {
		if !x.Slow() {
			r.strip(x) // only slow units are looked at one by one
		}
		r.trim(k.limit / int64(len(k.roots)))
	}
}

// Keep keeps a unit that another collector may have read, such as one that was explained, until 32 later ones were kept so. It does
// not count a second time. Keep copies the unit.
func (k *Keeper) Keep(u *profile.Unit) {
	r := k.Declare(u.Zone)
	if r == nil {
		return
	}
	is := func(x *Kept) bool {
		return x.Unit.Lane == u.Lane && max(x.Unit.Start-u.Start, u.Start-x.Unit.Start) <= apart(u.Took) && alike(u.Took, x.Unit.Took)
	}
	if slices.ContainsFunc(r.chosen, is) {
		return
	}
	var x *Kept
	if i := slices.IndexFunc(r.all, is); i >= 0 {
		x = r.all[i]
	} else {
		r.N++
		x = &Kept{Number: r.N, Unit: Clone(u)}
		x.size = sizeOf(&x.Unit)
		r.bytes += x.size
		r.all = append(r.all, x)
	}
	x.slow++
	if r.chosen = append(r.chosen, x); len(r.chosen) > mostChosen {
		r.forgive(&r.chosen)
	}
	r.trim(k.limit / int64(len(k.roots)))
}

// slow keeps a unit if it is one of the slowest ones, or of the slowest ones of its minute.
func (r *Root) slow(took time.Duration, minute int64, keep func() *Kept) {
	if len(r.slowest) < Slowest || took > r.slowest[0].Unit.Took {
		r.slowest = insert(r.slowest, keep())
		if len(r.slowest) > Slowest {
			r.forgive(&r.slowest)
		}
	}
	b := of(&r.minutes, minute, minutes, func(old *batch) {
		for len(old.units) > 0 {
			r.forgive(&old.units)
		}
	})
	if b == nil {
		return
	}
	most := ofFresh
	if newest := r.minutes[len(r.minutes)-1].number; minute < newest-1 {
		most = ofMinute
	}
	if b.seen++; len(b.units) < most || took > b.units[0].Unit.Took {
		b.units = insert(b.units, keep())
	}
	for len(b.units) > most {
		r.forgive(&b.units)
	}
	for i := len(r.minutes) - 2; i >= 0; i-- { // a new minute makes another one old
		o := &r.minutes[i]
		if len(o.units) > ofMinute && o.number < r.minutes[len(r.minutes)-1].number-1 {
			for len(o.units) > ofMinute {
				r.forgive(&o.units)
			}
			break
		}
	}
}

// insert adds a unit to a list of slow ones; of those that took as long, the earlier counts as slower.
func insert(list []*Kept, x *Kept) []*Kept {
	x.slow++
	i := sort.Search(len(list), func(i int) bool { return list[i].Unit.Took >= x.Unit.Took })
	return slices.Insert(list, i, x)
}

// forgive drops the first unit of a list, the shortest of slow ones.
func (r *Root) forgive(list *[]*Kept) {
	x := (*list)[0]
	*list = slices.Delete(*list, 0, 1)
	if x.slow--; x.slow > 0 {
		return
	}
	if x.Sampled {
		r.strip(x)
	} else {
		r.drop(x)
	}
}

// random keeps a unit if it belongs to the random sample of its period: each one with the same probability.
func (r *Root) random(from *rand.Rand, number int64, keep func() *Kept) {
	b := of(&r.sample, number, periods, func(old *batch) {
		for _, x := range old.units {
			r.unsample(x)
		}
	})
	if b == nil {
		return
	}
	b.seen++
	if len(b.units) < ofPeriod {
		x := keep()
		x.Sampled = true
		b.units = append(b.units, x)
	} else if i := from.IntN(b.seen); i < ofPeriod {
		r.unsample(b.units[i])
		x := keep()
		x.Sampled = true
		b.units[i] = x
	}
}

// unsample drops a unit of the sample, unless it is kept for another reason.
func (r *Root) unsample(x *Kept) {
	if x.Sampled = false; x.Slow() {
		r.note(Gone{x.Number, true})
	} else {
		r.drop(x)
	}
}

// of returns the batch of a stretch of time, which may be new; nil if it is too old. The stretches that become too old are passed
// to drop.
func of(all *[]batch, number int64, most int, drop func(*batch)) *batch {
	list := *all
	i := len(list)
	for i > 0 && list[i-1].number > number {
		i--
	}
	if i > 0 && list[i-1].number == number {
		return &list[i-1]
	}
	if i < len(list) && list[len(list)-1].number-number >= int64(most) {
		return nil
	}
	list = slices.Insert(list, i, batch{number: number})
	for list[len(list)-1].number-list[0].number >= int64(most) {
		drop(&list[0])
		list = slices.Delete(list, 0, 1)
		i--
	}
	*all = list
	return &list[i]
}

// drop forgets a unit.
func (r *Root) drop(x *Kept) {
	r.bytes -= x.size
	if i, found := r.place(x.Number); found {
		r.all = slices.Delete(r.all, i, i+1)
	}
	r.note(Gone{x.Number, false})
}

func (r *Root) note(g Gone) {
	if len(r.gone) == 2*mostGone {
		r.gone = append(r.gone[:0], r.gone[mostGone:]...)
		r.first += mostGone
	}
	r.gone = append(r.gone, g)
}

// strip drops the spans of a unit.
func (r *Root) strip(x *Kept) {
	x.Unit.Left += uint64(len(x.Unit.Spans))
	x.Unit.Spans = nil
	size := sizeOf(&x.Unit)
	r.bytes += size - x.size
	x.size = size
}

// trim makes room: first the spans of slow units that are not among the slowest of all are dropped, from the oldest minute on, then
// these units, then the chosen ones, then the sample, then the least of the slowest ones.
func (r *Root) trim(limit int64) {
	full := func() bool { return r.bytes > limit }
	for i := 0; i < len(r.minutes) && full(); i++ {
		for _, x := range r.minutes[i].units {
			if x.slow == 1 && x.Unit.Spans != nil {
				r.strip(x)
			}
		}
	}
	for i := 0; i < len(r.minutes) && full(); i++ {
		for b := &r.minutes[i]; len(b.units) > 0 && full(); {
			r.forgive(&b.units)
		}
	}
	for len(r.chosen) > 0 && full() {
		r.forgive(&r.chosen)
	}
	for i := 0; i < len(r.sample) && full(); i++ {
		for _, x := range r.sample[i].units {
			r.unsample(x)
		}
		r.sample[i].units = nil
	}
	for len(r.slowest) > 1 && full() {
		r.forgive(&r.slowest)
	}
	if len(r.slowest) == 1 && full() {
		r.strip(r.slowest[0])
	}
}

func (r *Root) place(number uint64) (i int, found bool) {
	return slices.BinarySearchFunc(r.all, number, func(k *Kept, number uint64) int { return cmp.Compare(k.Number, number) })
}

// After returns the units that are kept with numbers above one, by number. It is valid until the next unit is added.
func (r *Root) After(number uint64) []*Kept {
	i, _ := r.place(number + 1)
	return r.all[i:]
}

// Unit returns the unit with a number; nil if it is not kept.
func (r *Root) Unit(number uint64) *Kept {
	if i, found := r.place(number); found {
		return r.all[i]
	}
	return nil
}

// Longest returns the slowest units, the longest last. It is valid until the next unit is added.
func (r *Root) Longest() []*Kept { return r.slowest }

// SlowestSince returns the slowest of the units that ended after a time, among those of the two latest minutes; nil if there are none.
func (r *Root) SlowestSince(at clock.Instant) (slowest *Kept) {
	for _, b := range r.minutes[max(0, len(r.minutes)-2):] {
		for _, x := range b.units {
			if x.End() > at && (slowest == nil || x.Unit.Took > slowest.Unit.Took) {
				slowest = x
			}
		}
	}
	return slowest
}

// Gone returns which units were dropped after a place in the order of drops, and the place of the next one. ok is false if too many
// were to tell: what is kept has to be looked at anew.
func (r *Root) Gone(place uint64) (gone []Gone, next uint64, ok bool) {
	next = r.first + uint64(len(r.gone))
	if place < r.first || place > next {
		return nil, next, false
	}
	return r.gone[place-r.first:], next, true
}

// Past returns the columns of Coarse from before those of Fine.
func (r *Root) Past() []Column {
	if len(r.Fine.columns) == 0 {
		return nil
	}
	return r.Coarse.before(r.Fine.columns[0].From)
}

// Forget drops all units.
func (k *Keeper) Forget() {
	for _, r := range k.roots {
		n := r.N
		*r = Root{Zone: r.Zone, N: n, Fine: Heat{Width: fineWidth, most: fineMost}, Coarse: Heat{Width: coarse, most: coarseMost}, first: r.first + uint64(len(r.gone)) + 1}
	}
}

// Bytes returns about how much memory is used.
func (k *Keeper) Bytes() (bytes int64) {
	for _, r := range k.roots {
		bytes += r.bytes + r.Fine.bytes() + r.Coarse.bytes() + int64(cap(r.gone))*int64(unsafe.Sizeof(Gone{})) + int64(cap(r.all))*8
	}
	return bytes
}

// sizeOf returns about how many bytes a unit takes. The texts of notes are counted as its own.
func sizeOf(u *profile.Unit) int64 {
	size := int64(unsafe.Sizeof(Kept{})) + int64(cap(u.Tree))*int64(unsafe.Sizeof(profile.Node{})) + int64(cap(u.Spans))*int64(unsafe.Sizeof(profile.UnitSpan{}))
	for i := range u.Notes {
		size += int64(unsafe.Sizeof(profile.Note{})) + int64(len(u.Notes[i].Key)+len(u.Notes[i].Value))
	}
	for i := range u.Missing {
		size += 16 + int64(len(u.Missing[i]))
	}
	return size
}
