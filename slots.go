// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"strconv"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/budget"
	"github.com/strobe-go/strobe/internal/goroutine"
	"github.com/strobe-go/strobe/internal/stamp"
)

// lanes are all lanes. Lanes are never removed: the runtime reuses the records of goroutines, so there are at most as many
// lanes as goroutines have existed at the same time.
var lanes struct {
	sync.Mutex
	all    []*Lane
	awake  []*Lane       // those that may have changed since the last pass of a Reader
	moving []*Lane       // those that may have changed since the last pass of a TimelineReader
	first  clock.Instant // when the first lane was made
	shared atomic.Pointer[Lane]
	full   atomic.Bool // the table of slots cannot grow
	later  int         // lanes that got their own distributions after a crowd had gone
}

// laneTable maps the address of a goroutine's record to its lane, without a lock. It is nil until the first lane is made.
var laneTable atomic.Pointer[slots]

// slots is an open hash table. It is filled under the lock of lanes, and replaced by a larger one when it is half full.
type slots struct {
	first *slot
	mask  uint64 // of offsets in bytes
	all   []slot
	used  int
}

type slot struct {
	record atomic.Uint64
	lane   atomic.Pointer[Lane]
}

const (
	slotBytes = uint64(unsafe.Sizeof(slot{}))
	probes    = 16 // number of slots that may hold a record, from its own on
	fewSlots  = 256
)

func newSlots(n uint64) *slots {
	s := &slots{all: make([]slot, n+probes), mask: (n - 1) * slotBytes}
	s.first = &s.all[0]
	return s
}

func (s *slots) bytes() uint64 { return uint64(len(s.all)) * slotBytes }

// from returns the slots that may hold a record.
func (s *slots) from(record uint64) []slot {
	i := hash(record) & s.mask / slotBytes
	return s.all[i : i+probes]
}

// find returns the lane of the goroutine with that record; nil if it has none.
func find(record uint64) *Lane {
	s := laneTable.Load()
	if s == nil {
		return nil
	}
	places := s.from(record)
	for i := range places {
		switch places[i].record.Load() {
		case record:
			return places[i].lane.Load()
		case 0:
			return nil
		}
	}
	return nil
}

// insert adds the lane of a record to the table, or to a larger one that replaces it. It returns false if the budget does not
// allow that. The lock of lanes is held.
func insert(record uint64, l *Lane) bool {
	s := laneTable.Load()
	if s == nil {
		s = newSlots(fewSlots)
		memory.Force(s.bytes())
		laneTable.Store(s)
	}
	if 2*s.used < len(s.all)-probes && s.put(record, l) {
		return true
	}
	for n := 2 * uint64(len(s.all)-probes); ; n *= 2 {
		if !memory.Take((n+probes)*slotBytes, budget.Essential) {
			return s.put(record, l)
		}
		larger := newSlots(n)
		if larger.copy(s) && larger.put(record, l) {
			memory.Give(s.bytes())
			laneTable.Store(larger)
			return true
		}
		memory.Give(larger.bytes())
	}
}

func (s *slots) put(record uint64, l *Lane) bool {
	places := s.from(record)
	for i := range places {
		switch places[i].record.Load() {
		case 0:
			s.used++
			fallthrough
		case record:
			places[i].lane.Store(l) // before the record, so that a reader that finds the record finds the lane
			places[i].record.Store(record)
			return true
		}
	}
	return false
}

func (s *slots) copy(from *slots) bool {
	for i := range from.all {
		if record := from.all[i].record.Load(); record != 0 && !s.put(record, from.all[i].lane.Load()) {
			return false
		}
	}
	return true
}

// laneOf returns the lane of the calling goroutine, which it makes at first use.
func laneOf() *Lane {
	if !stamp.HasGoroutine {
		return sharedLane()
	}
	record, id := stamp.Record(), stamp.Goroutine()
	l := find(record)
	if l == nil || l.shared && memory.Room(2*laneBytes) {
		l = addLane(record, id)
	}
	if !l.shared && l.key.Load() != id {
		l.own(id)
	}
	return l
}

// addLane makes the lane of a goroutine. If the budget does not allow one, it returns the shared lane.
func addLane(record, id uint64) *Lane {
	if lanes.full.Load() && !memory.Room(2*laneBytes) {
		return sharedLane()
	}
	l := newLane()
	if l == nil {
		l = sharedLane()
	} else {
		l.byRecord, l.mask = record, ^uint64(0)
		l.number.Set(id)
		l.key.Store(id)
		if !crowded.Load() { // describe takes a traceback
			l.describe(id)
		}
		enlist(l)
	}
	lanes.Lock()
	lanes.full.Store(!insert(record, l))
	lanes.Unlock()
	refresh()
	return l
}

// describe labels the lane of the calling goroutine, if anything but its number is known.
func (l *Lane) describe(id uint64) {
	number, thread := goroutine.Describe()
	if number == id && thread == 0 {
		return
	}
	text := &label{number: id, thread: thread}
	if number != id {
		text.name = "g" + strconv.FormatUint(number, 10)
	}
	l.tell(text)
}

func (t *label) bytes() uint64 { return uint64(unsafe.Sizeof(*t)) + uint64(len(t.name)) }

// tell replaces what is known about the lane.
func (l *Lane) tell(text *label) {
	memory.Force(text.bytes())
	if old := l.label.Swap(text); old != nil {
		memory.Give(old.bytes())
	}
}

// sharedLane returns the lane of goroutines that have no other.
func sharedLane() *Lane {
	if l := lanes.shared.Load(); l != nil {
		return l
	}
	lanes.Lock()
	defer lanes.Unlock()
	if l := lanes.shared.Load(); l != nil {
		return l
	}
	memory.Force(laneBytes)
	l := &Lane{shared: true}
	l.at.Set(addr(&foldedHere))
	l.tell(&label{name: "shared"})
	list(l)
	lanes.shared.Store(l)
	return l
}

// newLane returns a lane without an owner; nil if the budget does not allow one.
func newLane() *Lane {
	if !memory.Take(laneBytes, budget.Essential) {
		return nil
	}
	lanes.Lock()
	pooled := len(lanes.all) >= distributions()
	lanes.Unlock()
	l := &Lane{pooled: pooled}
	if !l.tree.makeRoot(l.pooled) {
		memory.Give(laneBytes)
		return nil
	}
	l.at.Set(addr(l.tree.root()))
	return l
}

// enlist adds a lane to the list of all lanes.
func enlist(l *Lane) {
	lanes.Lock()
	defer lanes.Unlock()
	list(l)
}

// list is enlist with the lock of lanes held.
func list(l *Lane) {
	l.id = len(lanes.all)
	l.random = uint64(l.id)*2862933555777941757 + 3037000493
	if len(lanes.all) == 0 {
		lanes.first = clock.Now()
	}
	lanes.all = append(lanes.all, l)
	l.awake = true
	lanes.awake = append(lanes.awake, l)
	l.moving = true
	lanes.moving = append(lanes.moving, l)
	if len(lanes.all) > distributions() {
		crowded.Store(true)
	}
	if p := recording.Load(); p != nil {
		l.chunk.Store(p.Fresh())
	}
}

// own makes the calling goroutine, whose number is id, the owner of the lane: either the lane was asleep, or its goroutine
// has ended and the runtime has given the record to this one.
func (l *Lane) own(id uint64) {
	if l.number.Get() != id {
		l.abandon()
		l.number.Set(id)
		l.before.Set(l.before.Get() + 1)
		if c := l.chunk.Load(); c != nil {
			c.Own(id)
		}
	}
	if old := l.key.Load(); old != 0 && l.key.CompareAndSwap(old, id) {
		return
	}
	l.wake(id)
}

// wake makes Readers read the lane again. key is what Enter and Exit compare with.
func (l *Lane) wake(key uint64) {
	lanes.Lock()
	defer lanes.Unlock()
	l.key.Store(key)
	if !l.awake {
		l.awake = true
		lanes.awake = append(lanes.awake, l)
	}
	if !l.moving {
		l.moving = true
		lanes.moving = append(lanes.moving, l)
	}
}

// abandon forgets the spans that a goroutine left open when it ended. Their end times are unknown, so they do not count.
func (l *Lane) abandon() {
	open := uint64(0)
	at := nodeAt(l.at.Get())
	if f := l.folding; f != nil && len(f.spans) > 0 {
		at = f.under
		open += uint64(len(f.spans))
		f.spans, f.under = f.spans[:0], nil
		if all := f.moved.Load(); all != nil {
			for i := range *all {
				(*all)[i].open = 0
			}
		}
	}
	if l.dissectNoMore(); l.timing != nil {
		l.timing.open = l.timing.open[:0]
	}
	for n := at; n.parent != nil; n = n.parent {
		n.total.Set((n.total.Get() + n.start.Get()) ^ isOpen)
		n.start.Set(0)
		n.flags &^= ofSpan
		open++
	}
	l.regions = nil
	l.at.Set(addr(l.tree.root()))
	if open > 0 {
		misuse.abandoned.Add(open)
	}
}
