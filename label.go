// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"bytes"
	"runtime"
	"runtime/trace"
	"strconv"
)

// A label says what is known of a lane beside its numbers.
type label struct {
	name      string
	goroutine int64 // the runtime's number, as tracebacks show it; 0 if unknown
	thread    int   // the system's number of the thread the goroutine is locked to; 0 if it is not
}

func (l *label) text() string {
	switch {
	case l.name != "":
		return l.name
	case l.thread != 0:
		return "g" + strconv.FormatInt(l.goroutine, 10) + " thread " + strconv.Itoa(l.thread)
	}
	return "g" + strconv.FormatInt(l.goroutine, 10)
}

// callerLabel reads the first line of the caller's traceback, which also tells whether it is locked to its thread.
// That takes 2 µs, once for each lane.
func callerLabel() *label {
	var buf [96]byte
	line := buf[:runtime.Stack(buf[:], false)]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	l := new(label)
	if rest, ok := bytes.CutPrefix(line, []byte("goroutine ")); ok {
		if i := bytes.IndexByte(rest, ' '); i > 0 {
			l.goroutine, _ = strconv.ParseInt(string(rest[:i]), 10, 64)
		}
	}
	if bytes.Contains(line, []byte("locked to thread")) {
		l.thread = threadID()
	}
	return l
}

// NewLane returns a lane that its user passes on by hand: for a thread of its own, a stage of a pipeline, or where
// goroutines cannot be told apart. Only one goroutine at a time may use it.
func NewLane(name string) *Lane {
	l := new(Lane)
	l.label.Store(&label{name: name})
	lanes.Lock()
	defer lanes.Unlock()
	return addLane(l)
}

// NameLane names the calling goroutine's lane, and notes the thread that the goroutine is locked to. The runtime may use a
// goroutine's record for another once it has ended: a row is the goroutines that followed one another there, under the
// latest name. Without lanes by goroutine it does nothing.
func NameLane(name string) {
	if !hasG {
		return
	}
	l := laneOf(getg())
	if l.shared {
		return
	}
	n := callerLabel()
	n.name = name
	l.label.Store(n)
}

// Enter begins a span of z on the lane. See Zone.Enter.
func (l *Lane) Enter(z *Zone) Span {
	table := *l.accounts.Load()
	if uint(z.id) >= uint(len(table)) {
		return l.enterSlow(z)
	}
	a := table[z.id].Load()
	if a == nil {
		return l.enterSlow(z)
	}
	if mode := z.mode.Load(); mode != 0 {
		if n := a.skip.get(); n != 0 && mode == sampled {
			a.skip.set(n - 1)
			return Span{}
		}
		return l.enterSlow(z)
	}
	depth := l.depth.get()
	if depth >= visible || trace.IsEnabled() {
		return l.begin(z)
	}
	f := &l.frames[depth]
	f.start.set(0) // not yet known
	f.child.set(0)
	f.zone.set(uint64(z.id))
	if a.outer.get() == 0 {
		a.outer.set(depth)
	}
	l.depth.set(depth + 1)
	t := tick()
	f.start.set(t)
	return Span{lane: l, account: a, start: t, depth: depth}
}

// enterSlow is for zones that are new to the lane, off or sampled.
//
//go:noinline
func (l *Lane) enterSlow(z *Zone) Span {
	switch mode := z.mode.Load(); {
	case mode == 0:
		return l.begin(z)
	case mode == sampled:
		return l.enterSampled(z, l.account(z))
	}
	return Span{}
}
