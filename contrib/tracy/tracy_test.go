// SPDX-License-Identifier: BSD-3-Clause

package strobetracy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// A decoder decodes the events like Tracy's server, and keeps the results.
type decoder struct {
	t    *testing.T
	d    *dialect
	data []byte

	thread uint32
	time   clock.Instant
	text   string

	stacks   map[uint32][]decoded
	zones    map[uint32][]decoded // in the order of their ends
	frames   map[uint64][]clock.Instant
	plots    map[uint64][]float64
	messages []string
	texts    map[uint64]string
	places   [][3]uint64 // name, file and line
	ended    bool
}

type decoded struct {
	location   uint64
	start, end clock.Instant
	depth      int
}

func newDecoder(t *testing.T, d *dialect) *decoder {
	return &decoder{t: t, d: d, stacks: make(map[uint32][]decoded), zones: make(map[uint32][]decoded), frames: make(map[uint64][]clock.Instant),
		plots: make(map[uint64][]float64), texts: make(map[uint64]string)}
}

// unpack reads one block.
func unpack(r io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	b := make([]byte, binary.LittleEndian.Uint32(size[:]))
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, err
	}
	n, b := int(b[0]>>4), b[1:]
	if n == 15 {
		for more := byte(255); more == 255; b = b[1:] {
			more = b[0]
			n += int(more)
		}
	}
	if len(b) != n {
		return nil, fmt.Errorf("%d literals of %d bytes", n, len(b))
	}
	return b, nil
}

func (d *decoder) all(stream []byte) {
	d.t.Helper()
	for r := bytes.NewReader(stream); r.Len() > 0; {
		b, err := unpack(r)
		if err != nil {
			d.t.Fatal(err)
		}
		d.block(b)
	}
}

func (d *decoder) take(n int) []byte {
	d.t.Helper()
	if len(d.data) < n {
		d.t.Fatalf("%d bytes are missing", n-len(d.data))
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b
}

func (d *decoder) u64() uint64 { return binary.LittleEndian.Uint64(d.take(8)) }
func (d *decoder) u32() uint32 { return binary.LittleEndian.Uint32(d.take(4)) }
func (d *decoder) u16() uint16 { return binary.LittleEndian.Uint16(d.take(2)) }

func (d *decoder) block(b []byte) {
	d.t.Helper()
	for d.data = b; len(d.data) > 0; {
		c := d.take(1)[0]
		long := func() int64 {
			v := int64(d.u64())
			if d.d.short && v >= 0 {
				v += off32
			}
			return v
		}
		switch {
		case c == d.d.threadContext:
			d.thread, d.time = d.u32(), 0
		case c == d.d.zoneBegin:
			d.begin(long())
		case c == d.d.zoneEnd:
			d.finish(long())
		case d.d.short && c == d.d.zoneBegin16:
			d.begin(int64(d.u16()))
		case d.d.short && c == d.d.zoneEnd16:
			d.finish(int64(d.u16()))
		case d.d.short && c == d.d.zoneBegin32:
			d.begin(int64(d.u32()) + off16)
		case d.d.short && c == d.d.zoneEnd32:
			d.finish(int64(d.u32()) + off16)
		case c == d.d.frameMark:
			at, name := clock.Instant(d.u64()), d.u64()
			d.frames[name] = append(d.frames[name], at)
		case c == d.d.plotDouble:
			name := d.u64()
			d.time += clock.Instant(d.u64())
			d.plots[name] = append(d.plots[name], math.Float64frombits(d.u64()))
		case d.d.short && c == d.d.singleString8:
			d.text = string(d.take(int(d.take(1)[0])))
		case c == d.d.singleString:
			n := int(d.u16())
			if d.d.short {
				n += 256
			}
			d.text = string(d.take(n))
		case c == d.d.message:
			d.u64()
			if d.d.short && d.take(1)[0] != info {
				d.t.Error("not a notice of the user's program")
			}
			d.messages = append(d.messages, fmt.Sprintf("%d: %s", d.thread, d.text))
		case c == d.d.stringData, c == d.d.threadName, c == d.d.plotName, c == d.d.frameName:
			at := d.u64()
			d.texts[at] = string(d.take(int(d.u16())))
		case c == d.d.sourceLocation:
			name, _, file, line := d.u64(), d.u64(), d.u64(), d.u32()
			d.take(3)
			d.places = append(d.places, [3]uint64{name, file, uint64(line)})
		case c == d.d.terminate:
			d.ended = true
		case c == d.d.keepAlive, c == d.d.acknowledge, c == d.d.noSymbolCode:
		case c == d.d.noSourceCode:
			d.u32()
		default:
			d.t.Fatalf("event %d", c)
		}
	}
}

func (d *decoder) begin(delta int64) {
	d.t.Helper()
	if d.time += clock.Instant(delta); delta < 0 {
		d.t.Errorf("a zone begins %d ns before what came before", -delta)
	}
	stack := d.stacks[d.thread]
	d.stacks[d.thread] = append(stack, decoded{location: d.u64(), start: d.time, depth: len(stack)})
}

func (d *decoder) finish(delta int64) {
	d.t.Helper()
	if d.time += clock.Instant(delta); delta < 0 {
		d.t.Errorf("a zone ends %d ns before what came before", -delta)
	}
	stack := d.stacks[d.thread]
	if len(stack) == 0 {
		d.t.Fatalf("thread %d: a zone ends and none is open", d.thread)
	}
	z := stack[len(stack)-1]
	z.end = d.time
	d.stacks[d.thread] = stack[:len(stack)-1]
	d.zones[d.thread] = append(d.zones[d.thread], z)
}

func TestTimesAndTextsOfEveryLength(t *testing.T) {
	for i := range dialects {
		var out bytes.Buffer
		e := &encoder{w: &out, d: &dialects[i]}
		e.on(7)
		var want []clock.Instant
		at := clock.Instant(5_000_000_000)
		for _, d := range []time.Duration{0, 1, off16 - 1, off16, off16 + 1, off32 - 1, off32, off32 + 1, math.MaxInt64 / 4} {
			at += clock.Instant(d)
			e.begin(at, 99)
			at += clock.Instant(d)
			e.end(at)
			want = append(want, at-clock.Instant(d), at)
		}
		for _, n := range []int{0, 14, 15, 255, 256, 300, math.MaxUint16, 70_000} {
			e.message(at, string(bytes.Repeat([]byte("x"), n)))
		}
		e.flush()
		if e.err != nil {
			t.Fatal(e.err)
		}
		d := newDecoder(t, e.d)
		d.all(append([]byte(nil), out.Bytes()...))
		for k, z := range d.zones[7] {
			if z.start != want[2*k] || z.end != want[2*k+1] || z.location != 99 {
				t.Errorf("%s: %+v, want %d to %d", e.d.release, z, want[2*k], want[2*k+1])
			}
		}
		for k, n := range []int{0, 14, 15, 255, 256, 300, math.MaxUint16, math.MaxUint16} {
			if got := len(d.messages[k]) - len("7: "); got != n {
				t.Errorf("%s: a message of %d bytes, want %d", e.d.release, got, n)
			}
		}
		if len(d.zones[7]) != len(want)/2 {
			t.Errorf("%d zones", len(d.zones[7]))
		}
	}
}
