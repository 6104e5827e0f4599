// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

const (
	mostSpans = 1 << 14 // of a frame that are kept: the longest
	mostStill = 16      // lanes of a frame on which nothing begins or ends that are kept; the others are counted
)

// A span lies in a frame, or partly.
type span struct {
	lane, path int32
	start, end clock.Instant // end is never if it had not ended when the frame was kept
}

// A contents is what a frame consists of. A span is shorter than those around it, so these stay when the shortest are left out.
type contents struct {
	spans   []span        // by lane, as far as they were read at once
	left    uint64        // spans that are left out
	longest time.Duration // of those, in the frame
	still   int           // lanes left out because nothing began or ended on them
	lost    uint64        // spans that were overwritten before they were read, and may have been in the frame
}

// An openLane holds the spans of a lane that had not ended at an instant.
type openLane struct {
	waits bool   // in one of them
	spans []span // the outermost first
}

// began reports whether one of the spans began in a frame.
func (l *openLane) began(f *frame) bool {
	return slices.ContainsFunc(l.spans, func(s span) bool { return s.start >= f.start && s.start < f.end })
}

// inside returns how much of a span lies in the frame.
func (f *frame) inside(s *span) time.Duration {
	return time.Duration(min(s.end, f.end) - max(s.start, f.start))
}

// hold adds a span to the contents.
func (f *frame) hold(s span) {
	k := &f.contents
	if d := f.inside(&s); k.left > 0 && d < k.longest {
		k.left++
		return
	}
	if k.spans = append(k.spans, s); len(k.spans) == 2*mostSpans {
		f.thin()
	}
}

// thin leaves out all but the longest spans.
func (f *frame) thin() {
	k := &f.contents
	n := len(k.spans) - mostSpans
	if n <= 0 {
		return
	}
	took := make([]time.Duration, len(k.spans))
	for i := range k.spans {
		took[i] = f.inside(&k.spans[i])
	}
	slices.Sort(took)
	k.left, k.longest = k.left+uint64(n), took[n-1]
	same, _ := slices.BinarySearch(took, k.longest)
	same = n - same // of those that took as long as the longest, this many are left out
	k.spans = slices.DeleteFunc(k.spans, func(s span) bool {
		d := f.inside(&s)
		if d == k.longest {
			same--
			return same >= 0
		}
		return d < k.longest
	})
}

// finish adds the spans that are open at the end of a frame to its contents. still is the number of lanes that it leaves out.
func (c *cutter) finish(f *frame, open []openLane, still int) {
	k := &f.contents
	if c.moved == nil {
		c.moved = make(map[int32]bool)
	}
	clear(c.moved)
	for i := range k.spans {
		if i == 0 || k.spans[i].lane != k.spans[i-1].lane {
			c.moved[k.spans[i].lane] = true
		}
	}
	k.still += still
	room := mostStill
	for _, waits := range []bool{false, true} { // lanes that wait during the whole frame tell less
		for _, l := range open {
			if l.waits != waits || l.spans[0].start >= f.end {
				continue
			}
			if !c.moved[l.spans[0].lane] && !l.began(f) {
				if room == 0 {
					k.still++
					continue
				}
				room--
			}
			for _, s := range l.spans {
				if s.start < f.end {
					f.hold(s)
				}
			}
		}
	}
	f.thin()
}

// holdEnded adds a span that has ended to the frames that it lies in, as far as they are not passed on yet.
func (c *cutter) holdEnded(s span) {
	for i := c.upTo(s.end); i >= 0; i-- {
		f := &c.frames[i]
		if f.hold(s); f.start <= s.start {
			break
		}
	}
}

// missed notes that spans which ended after an instant were lost.
func (c *cutter) missed(n uint64, since clock.Instant) {
	for i := len(c.frames) - 1; i >= 0 && c.frames[i].end > since; i-- {
		c.frames[i].contents.lost += n
	}
}

// waiting returns the path of the outermost zone of a path that waits; -1 if none does.
func waiting(path int32, paths []pathNode, zones []profile.ZoneInfo) (outermost int32) {
	outermost = -1
	for ; path >= 0; path = paths[path].parent {
		if z := paths[path].zone; z >= 0 && int(z) < len(zones) && zones[z].Wait {
			outermost = path
		}
	}
	return outermost
}

// append appends the contents in the form that is kept: numbers of variable length, then the spans of one lane after those of
// another, with its name.
func (k *contents) append(b []byte, start clock.Instant, names []string) []byte {
	for _, n := range []uint64{k.left, uint64(k.longest), uint64(k.still), k.lost} {
		b = binary.AppendUvarint(b, n)
	}
	for i := 0; i < len(k.spans); {
		j := i + 1
		for j < len(k.spans) && k.spans[j].lane == k.spans[i].lane {
			j++
		}
		text := names[k.spans[i].lane]
		b = binary.AppendUvarint(b, uint64(k.spans[i].lane))
		b = binary.AppendUvarint(b, uint64(len(text)))
		b = append(b, text...)
		b = binary.AppendUvarint(b, uint64(j-i))
		at := start
		for ; i < j; i++ {
			s := &k.spans[i]
			b = binary.AppendUvarint(b, uint64(s.path))
			b = binary.AppendVarint(b, int64(s.start-at))
			took := uint64(0)
			if s.end != never {
				took = 1 + uint64(s.end-s.start)
			}
			b = binary.AppendUvarint(b, took)
			at = s.start
		}
	}
	return b
}

// parseContents is the opposite of append. It returns the names of lanes too.
func parseContents(b []byte, start clock.Instant) (k contents, names map[int32]string) {
	number := func() uint64 {
		x, n := binary.Uvarint(b)
		b = b[n:]
		return x
	}
	k.left, k.longest, k.still, k.lost = number(), time.Duration(number()), int(number()), number()
	names = make(map[int32]string)
	for len(b) > 0 {
		lane, text := int32(number()), number()
		names[lane], b = string(b[:text]), b[text:]
		at := start
		for range number() {
			s := span{lane: lane, path: int32(number()), end: never}
			by, n := binary.Varint(b)
			at += clock.Instant(by)
			b, s.start = b[n:], at
			if took := number(); took > 0 {
				s.end = at + clock.Instant(took-1)
			}
			k.spans = append(k.spans, s)
		}
	}
	return k, names
}
