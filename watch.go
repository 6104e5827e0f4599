// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"bytes"
	"slices"
	"sync"
	"unsafe"
)

// watched is what all Readers share about lanes.
var watched watch

// A watch holds the latest state of each lane, and puts lanes to sleep on which
// only time passes in open spans.
type watch struct {
	sync.Mutex
	pass  uint64
	now   uint64        // ticks of the pass
	lanes []watchedLane // by ID
	paths paths
	held  holding
	seen  uint64 // number of lanes read, in all passes

	awake []*Lane
	idle  []idleLane

	skippers []skipper
	roused   []*Lane

	work scratch
	text []byte
}

// A watchedLane is the latest state of a lane. What each reading needs of it is here too, since looking into thousands of states
// takes long.
type watchedLane struct {
	state   *state
	changed uint64 // the pass in which state was read
	path    int32  // number of the path of leaf, plus 1; 0 if it is not known yet
	leaf    uint16 // of state
	passing bool   // likewise
	idle    uint8  // passes since changed, up to 2
	skips   bool   // it is one of watch.skippers
}

// look reads the lanes that may have changed, at tick now, which is later than in the previous pass.
func (w *watch) look(now uint64) {
	w.pass++
	w.rouse()
	lanes.Lock()
	w.awake = append(w.awake[:0], lanes.awake...)
	n := len(lanes.all)
	lanes.Unlock()
	for len(w.lanes) < n {
		w.lanes = append(w.lanes, watchedLane{})
	}
	w.idle = w.idle[:0]
	active := 0
	for _, l := range w.awake {
		if l.id >= n {
			continue
		}
		w.seen++
		key := l.key.Load() // first: any later span restores it if it is missing
		if l.shared || w.changes(l, now) {
			active++
			continue
		}
		if k := &w.lanes[l.id]; k.idle < 2 {
			k.idle++
		}
		if w.lanes[l.id].idle > 1 {
			w.idle = append(w.idle, idleLane{l, key == 0, w.work.tally.skipped()})
		}
	}
	w.now = now
	inUse(active)
	w.sleep()
	clear(w.awake)
	w.held.set(uint64(cap(w.lanes))*uint64(unsafe.Sizeof(watchedLane{})) +
		uint64(cap(w.skippers))*uint64(unsafe.Sizeof(skipper{})) + w.paths.bytes())
}

// changes reads a lane and reports whether it has changed since it was read before.
func (w *watch) changes(l *Lane, now uint64) bool {
	k := &w.lanes[l.id]
	w.work.tally.read(l)
	w.text = w.work.tally.pack(w.text[:0])
	if k.state != nil && bytes.Equal(w.text, k.state.text) && !k.state.raisedOpen() {
		return false
	}
	w.work.shape = grown(w.work.shape[:0], l, len(w.work.tally.nodes))
	before := (*tally)(nil)
	if k.state != nil {
		before = &w.work.then
		before.unpack(k.state)
		if w.work.tally.hold(before) {
			w.text = w.work.tally.pack(w.text[:0])
			if bytes.Equal(w.text, k.state.text) && !k.state.raisedOpen() {
				return false
			}
		}
		before.settle(w.work.shape, w.now, nil) // no reading is later
	}
	w.work.tally.settle(w.work.shape, now, before)
	old := k.state
	s := newState(&w.work.tally, w.text).keep()
	*k = watchedLane{state: s, changed: w.pass, leaf: s.leaf, passing: s.passing(), skips: k.skips}
	old.drop()
	return true
}

// An idleLane is a lane that has not changed, with or without its key.
type idleLane struct {
	*Lane
	keyless bool   // the key was missing before the lane was read
	skipped uint64 // number of skipped calls that were read
}

// sleep puts lanes to sleep that have not changed for two passes. A lane stays awake for one pass after its key was removed:
// that pass sees what began before, and later spans wake the lane when they begin or end. TimelineReaders remove keys too.
func (w *watch) sleep() {
	if len(w.idle) == 0 {
		return
	}
	lanes.Lock()
	defer lanes.Unlock()
	for _, l := range w.idle {
		if key := l.key.Load(); key != 0 {
			l.key.CompareAndSwap(key, 0)
		} else {
			l.awake = !l.keyless
			if !l.awake {
				w.addSkipper(l)
			}
		}
	}
	lanes.awake = slices.DeleteFunc(lanes.awake, func(l *Lane) bool { return !l.awake })
}
