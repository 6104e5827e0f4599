// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// sliceOf is the length of the frames of a program without loops.
const sliceOf = 100 * time.Millisecond

// A cutter cuts spans at the frames of one loop and adds up the time of each path in each frame.
type cutter struct {
	loop   string
	next   uint64  // number of the next frame
	frames []frame // not passed on yet; the last one has not ended
	done   clock.Instant
	hint   int // the frame added to last
	unused []frame
	moved  map[int32]bool // lanes of the frame that is finished
}

// A frame is the time from one mark of a loop to the next.
type frame struct {
	start, end clock.Instant // end is never while it has not ended
	void       bool          // a mark in it may be lost: it is not passed on
	cells      []cell
	index      map[int32]int // index of a path's cell
	contents   contents
}

// A cell is the part of a path that lies in a frame.
type cell struct {
	path  int32
	calls uint64        // that ended in it
	total time.Duration // time in it
}

const (
	mostUnused = 16            // frames kept for reuse
	mostRoom   = 4 * mostSpans // spans for which these frames together have room
)

const never = clock.Instant(math.MaxInt64)

// cut adds the marks of a reading. Marks of several goroutines may be out of order.
func (c *cutter) cut(marks []clock.Instant) {
	slices.Sort(marks)
	for _, at := range marks {
		if n := len(c.frames); n > 0 {
			last := &c.frames[n-1]
			if at < last.start { // too late: the contents of the frames around it are unknown
				last.void = true
				continue
			}
			last.end = at
		}
		late := len(c.frames) > 0 && at < c.done
		if late {
			c.frames[len(c.frames)-1].void = true
		}
		c.begin(at, late)
	}
}

func (c *cutter) begin(at clock.Instant, void bool) {
	var f frame
	if n := len(c.unused); n > 0 {
		f, c.unused = c.unused[n-1], c.unused[:n-1]
	} else {
		f.index = make(map[int32]int)
	}
	f.start, f.end, f.void = at, never, void
	c.frames = append(c.frames, f)
}

// slice adds the marks of a program without loops up to upTo.
func (c *cutter) slice(upTo clock.Instant) {
	every := clock.Instant(sliceOf)
	if len(c.frames) == 0 {
		c.begin(upTo-upTo%every, false)
	}
	for at := c.frames[len(c.frames)-1].start + every; at <= upTo; at += every {
		c.cut([]clock.Instant{at})
	}
}

// gap notes that marks were lost after the latest one.
func (c *cutter) gap() {
	if n := len(c.frames); n > 0 {
		c.frames[n-1].void = true
	}
}

// restart drops the frames not passed on yet, because the next events do not continue them.
func (c *cutter) restart() {
	if len(c.frames) > 0 {
		c.next++
		c.frames = nil
	}
}

// add adds a part of a span. A span that ends at the end of a frame counts as ended in that frame.
func (c *cutter) add(path int32, from, to clock.Instant, ended bool, times int) {
	i := c.upTo(to)
	if i >= 0 && ended {
		c.frames[i].cell(path).calls++
	}
	for ; i >= 0 && c.frames[i].end > from; i-- {
		f := &c.frames[i]
		if d := min(to, f.end) - max(from, f.start); d > 0 {
			f.cell(path).total += time.Duration(d) * time.Duration(times)
		}
	}
}

// upTo returns the latest frame that begins before an instant; -1 if there is none.
func (c *cutter) upTo(at clock.Instant) int {
	if i := c.hint; i < len(c.frames) && c.frames[i].start < at && c.frames[i].end >= at {
		return i
	}
	i := sort.Search(len(c.frames), func(i int) bool { return c.frames[i].start >= at }) - 1
	c.hint = max(i, 0)
	return i
}

// due returns when the first of the frames began that pass would pass on; ok is false if there are none.
func (c *cutter) due(upTo clock.Instant) (start clock.Instant, ok bool) {
	if len(c.frames) == 0 || c.frames[0].end > upTo {
		return 0, false
	}
	return c.frames[0].start, true
}

func (f *frame) cell(path int32) *cell {
	i, found := f.index[path]
	if !found {
		i = len(f.cells)
		f.cells = append(f.cells, cell{path: path})
		f.index[path] = i
	}
	return &f.cells[i]
}

// pass passes on the frames that ended by upTo, the instant up to which all spans are known. Frame numbers increase; void
// frames leave a gap.
func (c *cutter) pass(upTo clock.Instant, keep func(number uint64, f *frame)) {
	c.done = upTo
	n := 0
	for n < len(c.frames) && c.frames[n].end <= upTo {
		f := &c.frames[n]
		if !f.void {
			keep(c.next, f)
		}
		c.next++
		n++
		c.reuse(f)
	}
	c.frames = slices.Delete(c.frames, 0, n)
}

// reuse keeps the memory of a frame for a later one.
func (c *cutter) reuse(f *frame) {
	if len(c.unused) == mostUnused {
		return
	}
	room := cap(f.contents.spans)
	for i := range c.unused {
		room += cap(c.unused[i].contents.spans)
	}
	spans := f.contents.spans[:0]
	if room > mostRoom {
		spans = nil
	}
	clear(f.index)
	c.unused = append(c.unused, frame{cells: f.cells[:0], index: f.index, contents: contents{spans: spans}})
}

// appendText appends the frame as it is sent: [number, start, duration, path, calls, total, ...].
func (f *frame) appendText(b []byte, number uint64) []byte {
	b = append(b, '[')
	b = strconv.AppendUint(b, number, 10)
	b = append(b, ',')
	b = strconv.AppendInt(b, int64(f.start), 10)
	b = append(b, ',')
	b = strconv.AppendInt(b, int64(f.end-f.start), 10)
	for _, c := range f.cells {
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(c.path), 10)
		b = append(b, ',')
		b = strconv.AppendUint(b, c.calls, 10)
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(c.total), 10)
	}
	return append(b, ']')
}
