// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"context"
	"runtime/trace"
	"strconv"
	"sync/atomic"
	"unsafe"

	"github.com/strobe-go/strobe/internal/goroutine"
	"github.com/strobe-go/strobe/internal/recorder"
	"github.com/strobe-go/strobe/internal/stamp"
	"github.com/strobe-go/strobe/internal/word"
	"github.com/strobe-go/strobe/profile"
)

// A Lane is one stream of spans: the lane of a goroutine, or one made by NewLane. Only one goroutine at a time may use it.
// The zero Lane measures nothing.
type Lane struct {
	key   atomic.Uint64 // the number of its goroutine, or manualKey; 0 while readers skip it. Enter and Exit compare it
	at    word.Word     // address of the innermost open node
	chunk atomic.Pointer[recorder.Chunk]
	mask  uint64                // of a goroutine's number in key: 0 for a lane made by NewLane, which any goroutine may use
	hand  uint64                // manualKey, or 0
	queue atomic.Pointer[queue] // of durations for the shared distributions; nil until needed

	id       int
	byRecord uint64 // address of its goroutine's record; 0 for a lane made by NewLane
	number   word.Word
	before   word.Word // goroutines that had the lane before, and have ended
	pooled   bool      // keeps no distributions
	shared   bool
	awake    bool // it is in lanes.awake; the lock of lanes guards this
	moving   bool // likewise in lanes.moving
	closed   bool // likewise
	tree     tree

	folding    *folding
	folds      atomic.Pointer[folding] // the same, for readers
	samplings  atomic.Pointer[[]*sampling]
	recent     [4]*sampling             // the most recently used, by zone
	beyond     atomic.Pointer[[]beyond] // by node; nil until a call of a sampled zone is timed
	timing     *timing                  // nil until then
	unrecorded word.Word                // spans for which there was no chunk
	random     uint64
	regions    []region
	members    []membership
	label      atomic.Pointer[label]
	next       *Lane // the lane closed before it
}

// manualKey is the key of lanes made by NewLane.
const manualKey = 1 << 63

const laneBytes = uint64(unsafe.Sizeof(Lane{})) + 48 // plus the list of its slabs

// A region is a region of the Go execution trace, for an open span.
type region struct {
	node   *node
	region *trace.Region
}

// A label is what is known about a lane besides its measurements.
type label struct {
	name   string
	number uint64 // of the goroutine that it describes; 0 for a lane made by NewLane
	thread int    // the system's number of the thread that goroutine is locked to; 0 if it is not
}

// closed are the lanes that Close released for reuse.
var closed *Lane

// NewLane returns a lane that the program passes around explicitly: for a dedicated thread, for a stage of a pipeline, or
// where goroutines cannot be distinguished. Only one goroutine at a time may use it. A closed lane may be reused under the
// new name and then keeps what was measured before. If the budget of SetBudget is exhausted, the lane shares its measurements
// with others and has no call tree. Its spans may be units, but notes and tasks are those of goroutines.
func NewLane(name string) *Lane {
	l := reopen()
	if l == nil {
		if l = newLane(); l == nil {
			sharedLane() // where the measurements are shown
			l = &Lane{shared: true}
			l.at.Set(addr(&foldedHere))
			return l
		}
		l.hand = manualKey
		l.key.Store(manualKey)
		enlist(l)
		refresh()
	}
	l.tell(&label{name: keep(name)})
	return l
}

// reopen returns a closed lane; nil if there is none.
func reopen() *Lane {
	lanes.Lock()
	defer lanes.Unlock()
	l := closed
	if l != nil {
		closed, l.next, l.closed = l.next, nil, false
	}
	return l
}

// Close releases a lane made by NewLane for reuse by a later NewLane. Open spans count as abandoned. The lane must not be
// used afterwards. Its measurements stay in snapshots.
func (l *Lane) Close() {
	if l == nil || l.hand == 0 {
		return
	}
	lanes.Lock()
	defer lanes.Unlock()
	if l.closed {
		return
	}
	l.closed = true
	l.abandon()
	if l.tree.other != nil { // its tree has no room for the paths of others
		return
	}
	closed, l.next = l, closed
}

// NameLane names the calling goroutine's lane, and records the thread that the goroutine is locked to. The name lasts as long
// as the goroutine. NameLane does nothing where goroutines share a lane.
func NameLane(name string) {
	l := laneOf()
	if l.shared {
		return
	}
	_, thread := goroutine.Describe()
	l.tell(&label{name: keep(name), number: stamp.Goroutine(), thread: thread})
}

// info describes the lane.
func (l *Lane) info() profile.LaneInfo {
	out := profile.LaneInfo{ID: l.id, Shared: l.shared, Earlier: l.before.Read()}
	number := l.number.Read()
	if !l.shared && l.hand == 0 && stamp.Numbered() {
		out.Goroutine = int64(number)
	}
	text := l.label.Load()
	if text != nil && (text.number == 0 || text.number == number) {
		out.Name, out.Thread = text.name, text.thread
	}
	if out.Name == "" {
		out.Name = "g" + strconv.FormatUint(number, 10)
		if out.Thread != 0 {
			out.Name += " thread " + strconv.Itoa(out.Thread)
		}
		if out.Earlier > 0 {
			out.Name += " +" + strconv.FormatUint(out.Earlier, 10)
		}
	}
	return out
}

// slowly marks the start of a span whose Exit must do additional work: it is sampled, or a region of the Go execution trace.
const slowly = 1 << 63

// begin begins a span of z on a lane that is not shared.
func (l *Lane) begin(z *Zone) (*Lane, *node, uint64) {
	at := nodeAt(l.at.Get())
	if f := l.folding; f != nil && (len(f.spans) > 0 || f.refuses(at, z)) {
		return l.fold(z)
	}
	n := l.tree.grow(at, z, l.pooled)
	if n == nil {
		return l.fold(z)
	}
	if tracing() {
		l.regions = append(l.regions, region{n, trace.StartRegion(context.Background(), z.name)})
		n.flags |= inTrace
	}
	t := ticks()
	n.begin(t)
	l.at.Set(addr(n))
	if n.flags&inTrace != 0 {
		t |= slowly
	}
	return l, n, t
}
