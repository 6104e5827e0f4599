// SPDX-License-Identifier: BSD-3-Clause

package strobetracy

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/strobe-go/strobe/clock"
)

// mostBytes is the largest block, before compression, that Tracy accepts.
const mostBytes = 256 << 10

// An encoder writes events. It keeps the first error of the writer.
type encoder struct {
	w   io.Writer
	d   *dialect
	err error

	events []byte // of the current block
	packed []byte
	last   clock.Instant // latest time on the thread: times are differences
}

var le = binary.LittleEndian

// room begins a new block if n bytes do not fit into this one.
func (e *encoder) room(n int) {
	if len(e.events)+n > mostBytes {
		e.flush()
	}
}

// flush sends the block: its size and an LZ4 sequence of literals only, which takes no longer than copying them.
func (e *encoder) flush() {
	n := len(e.events)
	if n == 0 || e.err != nil {
		e.events = e.events[:0]
		return
	}
	p := append(e.packed[:0], 0, 0, 0, 0)
	if n < 15 {
		p = append(p, byte(n)<<4)
	} else {
		p = append(p, 15<<4)
		rest := n - 15
		for ; rest >= 255; rest -= 255 {
			p = append(p, 255)
		}
		p = append(p, byte(rest))
	}
	p = append(p, e.events...)
	le.PutUint32(p, uint32(len(p)-4))
	e.packed, e.events = p, e.events[:0]
	_, e.err = e.w.Write(p)
}

// on selects the thread of the next events.
func (e *encoder) on(thread uint32) {
	e.room(5)
	e.events = append(e.events, e.d.threadContext)
	e.events = le.AppendUint32(e.events, thread)
	e.last = 0
}

// since returns the time since the previous event on the same thread.
func (e *encoder) since(at clock.Instant) int64 {
	d := int64(at - e.last)
	e.last = at
	return d
}

// In short dialects a 16-bit difference is written unchanged, a 32-bit one minus the 16-bit range, and a longer one minus
// both ranges.
const (
	off16 = 1 << 16
	off32 = off16 + 1<<32
)

func (e *encoder) begin(at clock.Instant, location uint64) {
	e.room(17)
	e.time(at, e.d.zoneBegin, e.d.zoneBegin32, e.d.zoneBegin16)
	e.events = le.AppendUint64(e.events, location)
}

func (e *encoder) end(at clock.Instant) {
	e.room(9)
	e.time(at, e.d.zoneEnd, e.d.zoneEnd32, e.d.zoneEnd16)
}

// time writes the code for a difference of 64, 32 or 16 bits, and the difference.
func (e *encoder) time(at clock.Instant, c64, c32, c16 byte) {
	d := e.since(at)
	switch {
	case !e.d.short || d < 0:
		e.events = le.AppendUint64(append(e.events, c64), uint64(d))
	case d < off16:
		e.events = le.AppendUint16(append(e.events, c16), uint16(d))
	case d < off32:
		e.events = le.AppendUint32(append(e.events, c32), uint32(d-off16))
	default:
		e.events = le.AppendUint64(append(e.events, c64), uint64(d-off32))
	}
}

func (e *encoder) frame(at clock.Instant, name uint64) {
	e.room(17)
	e.events = append(e.events, e.d.frameMark)
	e.events = le.AppendUint64(e.events, uint64(at))
	e.events = le.AppendUint64(e.events, name)
}

func (e *encoder) plot(at clock.Instant, name uint64, value float64) {
	e.room(25)
	e.events = append(e.events, e.d.plotDouble)
	e.events = le.AppendUint64(e.events, name)
	e.events = le.AppendUint64(e.events, uint64(e.since(at)))
	e.events = le.AppendUint64(e.events, math.Float64bits(value))
}

// info is the severity and the source of a message: an informational message from the user's program.
const info = 2 << 4

func (e *encoder) message(at clock.Instant, text string) {
	text = text[:min(len(text), math.MaxUint16)]
	e.room(3 + len(text) + 10)
	switch n := len(text); {
	case e.d.short && n < 256:
		e.events = append(e.events, e.d.singleString8, byte(n))
	case e.d.short:
		e.events = append(e.events, e.d.singleString)
		e.events = le.AppendUint16(e.events, uint16(n-256))
	default:
		e.events = append(e.events, e.d.singleString)
		e.events = le.AppendUint16(e.events, uint16(n))
	}
	e.events = append(e.events, text...)
	e.events = append(e.events, e.d.message)
	e.events = le.AppendUint64(e.events, uint64(at))
	if e.d.short {
		e.events = append(e.events, info)
	}
}

// text answers a query for a text.
func (e *encoder) text(code byte, ptr uint64, text string) {
	text = text[:min(len(text), math.MaxUint16)]
	e.room(11 + len(text))
	e.events = append(e.events, code)
	e.events = le.AppendUint64(e.events, ptr)
	e.events = le.AppendUint16(e.events, uint16(len(text)))
	e.events = append(e.events, text...)
}

// location answers a query for a source location. The names are addresses of texts.
func (e *encoder) location(name, file uint64, line uint32) {
	e.room(32)
	e.events = append(e.events, e.d.sourceLocation)
	e.events = le.AppendUint64(e.events, name)
	e.events = le.AppendUint64(e.events, name) // the function: its name is unknown
	e.events = le.AppendUint64(e.events, file)
	e.events = le.AppendUint32(e.events, line)
	e.events = append(e.events, 0, 0, 0) // colour: Tracy chooses
}

// code writes an event that consists only of its code.
func (e *encoder) code(c byte) {
	e.room(1)
	e.events = append(e.events, c)
}

func (e *encoder) noSource(id uint32) {
	e.room(5)
	e.events = append(e.events, e.d.noSourceCode)
	e.events = le.AppendUint32(e.events, id)
}
