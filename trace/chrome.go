// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"bufio"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/profile"
)

// WriteChrome writes t as Chrome trace JSON, one event per line: a thread for each lane, a complete event for each span, counters
// and instants, and flows from units to the spans linked to them. Names, which each event repeats, are cut in the middle to 128 characters. The process number is always 1,
// because a timeline does not include it. The only error is that of w.
func WriteChrome(w io.Writer, t profile.Timeline) error {
	c := chrome{Writer: bufio.NewWriterSize(w, 1<<16), t: t, arrows: arrows(t)}
	c.WriteString(`{"displayTimeUnit":"ns","traceEvents":[` + "\n")
	c.tracks()
	var n nester
	n.lanes(t.Events, c.spans)
	for _, e := range t.Events {
		if isMark(e.Kind) {
			c.mark(e)
		}
	}
	c.taken()
	c.WriteString("\n]}\n")
	return c.Flush()
}

// chrome writes events. It keeps an error of the writer until the end.
type chrome struct {
	*bufio.Writer
	t      profile.Timeline
	arrows map[spot][]arrow
	heads  [][]byte // of the zones' events, up to the lane
}

func (c *chrome) tracks() {
	c.name("process_name", -1, producer)
	lanes, none := used(c.t)
	if none {
		c.name("thread_name", -1, laneName(nil, -1))
	}
	for i, is := range lanes {
		if !is {
			continue
		}
		c.name("thread_name", i, laneName(c.t.Lanes, i))
		b := append(c.AvailableBuffer(), `{"ph":"M","name":"thread_sort_index","pid":1,"tid":`...)
		b = strconv.AppendInt(b, int64(i)+1, 10)
		b = append(b, `,"args":{"sort_index":`...)
		b = strconv.AppendInt(b, int64(i)+1, 10)
		c.Write(append(b, "}},\n"...))
	}
}

func (c *chrome) name(what string, lane int, name string) {
	b := append(c.AvailableBuffer(), `{"ph":"M","name":"`...)
	b = append(b, what...)
	b = append(b, `","pid":1,"tid":`...)
	b = strconv.AppendInt(b, int64(lane)+1, 10)
	b = append(b, `,"args":{"name":`...)
	b = appendString(b, name)
	c.Write(append(b, "}},\n"...))
}

func (c *chrome) spans(lane int, spans []span) {
	tid := int64(laneAt(c.t.Lanes, lane)) + 1
	for _, s := range spans {
		b := append(c.AvailableBuffer(), c.head(s.zone)...)
		b = strconv.AppendInt(b, tid, 10)
		b = append(b, `,"ts":`...)
		b = appendMicros(b, int64(s.start))
		b = append(b, `,"dur":`...)
		b = appendMicros(b, int64(s.end-s.start))
		c.Write(append(b, "},\n"...))
		for _, a := range c.arrows[spot{lane, s.depth, s.start}] {
			c.flow(a, tid, s.start)
		}
	}
}

// flow writes one end of an arrow, which viewers attach to the span that begins there.
func (c *chrome) flow(a arrow, tid int64, at clock.Instant) {
	b := c.AvailableBuffer()
	if a.to {
		b = append(b, `{"ph":"f","bp":"e","name":"task","cat":"task","id":`...)
	} else {
		b = append(b, `{"ph":"s","name":"task","cat":"task","id":`...)
	}
	b = strconv.AppendUint(b, a.id, 10)
	b = append(b, `,"pid":1,"tid":`...)
	b = strconv.AppendInt(b, tid, 10)
	b = append(b, `,"ts":`...)
	b = appendMicros(b, int64(at))
	c.Write(append(b, "},\n"...))
}

// head is the part of an event that is the same for all events of a zone. It has no args, because viewers treat spans with
// different args as different functions.
func (c *chrome) head(zone int) []byte {
	if c.heads == nil {
		c.heads = make([][]byte, len(c.t.Zones))
	}
	known := zone >= 0 && zone < len(c.heads)
	if known && c.heads[zone] != nil {
		return c.heads[zone]
	}
	z := zoneAt(c.t.Zones, zone)
	b := appendString([]byte(`{"ph":"X","name":`), plain.Name(z.Name, plain.Longest))
	b = append(b, `,"cat":"`+category(z)+`","pid":1,"tid":`...)
	if known {
		c.heads[zone] = b
	}
	return b
}

func (c *chrome) mark(e profile.Event) {
	lane := laneAt(c.t.Lanes, e.Lane)
	b := c.AvailableBuffer()
	switch {
	case e.Kind != profile.PlotEvent && lane >= 0:
		b = append(b, `{"ph":"i","s":"t","name":`...)
	case e.Kind != profile.PlotEvent:
		b = append(b, `{"ph":"i","s":"p","name":`...)
	case finite(e.Value):
		b = append(b, `{"ph":"C","name":`...)
		lane = -1
	default:
		return
	}
	b = appendString(b, markName(e))
	b = append(b, `,"cat":`...)
	b = appendString(b, markCategory(e.Kind))
	b = append(b, `,"pid":1,"tid":`...)
	b = strconv.AppendInt(b, int64(lane)+1, 10)
	b = append(b, `,"ts":`...)
	b = appendMicros(b, int64(e.Start))
	switch e.Kind {
	case profile.PlotEvent:
		b = append(b, `,"args":{"value":`...)
		b = strconv.AppendFloat(b, e.Value, 'g', -1, 64)
		b = append(b, '}')
	case profile.NoteEvent:
		b = append(b, `,"args":{"value":`...)
		b = appendString(b, e.Text)
		b = append(b, '}')
	}
	c.Write(append(b, "},\n"...))
}

// markName is the name of a mark. The text of a message is in no other event, and may be long.
func markName(e profile.Event) string {
	switch e.Kind {
	case profile.FrameEvent, profile.PlotEvent, profile.NoteEvent:
		return plain.Name(e.Name, plain.Longest)
	}
	return e.Name
}

func (c *chrome) taken() {
	b := append(c.AvailableBuffer(), `{"ph":"i","s":"g","name":"`+taken+`","cat":"strobe","pid":1,"tid":0,"ts":`...)
	b = appendMicros(b, int64(c.t.At))
	b = append(b, `,"args":{"lost":`...)
	b = strconv.AppendUint(b, c.t.Lost, 10)
	b = append(b, `,"notes":[`...)
	for i, note := range c.t.Notes {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, note)
	}
	c.Write(append(b, "]}}"...))
}

// appendString appends s as a JSON string that is also safe in HTML, JavaScript and a terminal. Invalid UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case c == '"' || c == '\\':
				b = append(b, '\\', c)
			case c < ' ' || c == 0x7f || c == '<' || c == '>' || c == '&':
				b = plain.Escape(b, rune(c))
			default:
				b = append(b, c)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if plain.Is(r) {
			b = utf8.AppendRune(b, r)
		} else {
			b = plain.Escape(b, r)
		}
		i += size
	}
	return append(b, '"')
}

// appendMicros appends ns as microseconds, exactly.
func appendMicros(b []byte, ns int64) []byte {
	n := uint64(ns)
	if ns < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendUint(b, n/1000, 10)
	n %= 1000
	return append(b, '.', byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10))
}
