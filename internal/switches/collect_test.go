// SPDX-License-Identifier: BSD-3-Clause

package switches

import (
	"encoding/binary"
	"reflect"
	"slices"
	"testing"
)

// A text is what the kernel writes into a ring, newest first.
type text []byte

const process = 100

// put writes a record before those that are there.
func (t *text) put(what uint32, misc uint16, owner, thread uint32, processor int, at int64, words ...uint64) {
	var idents []byte
	idents = binary.NativeEndian.AppendUint32(idents, owner)
	idents = binary.NativeEndian.AppendUint32(idents, thread)
	idents = binary.NativeEndian.AppendUint64(idents, uint64(at))
	idents = binary.NativeEndian.AppendUint32(idents, uint32(processor))
	idents = binary.NativeEndian.AppendUint32(idents, 0)
	var body []byte
	for _, w := range words {
		body = binary.NativeEndian.AppendUint64(body, w)
	}
	if what == recordSample {
		body = append(idents, body...)
	} else {
		body = append(body, idents...)
	}
	var record []byte
	record = binary.NativeEndian.AppendUint32(record, what)
	record = binary.NativeEndian.AppendUint16(record, misc)
	record = binary.NativeEndian.AppendUint16(record, uint16(header+len(body)))
	*t = append(append(record, body...), *t...)
}

func (t *text) came(thread uint32, processor int, at int64) {
	t.put(recordSwitch, 0, process, thread, processor, at)
}

func (t *text) left(thread uint32, processor int, at int64) {
	t.put(recordSwitch, miscSwitchOut, process, thread, processor, at)
}

func (t *text) preempted(thread uint32, processor int, at int64) {
	t.put(recordSwitch, miscSwitchOut|miscPreempted, process, thread, processor, at)
}

// two packs two numbers as the kernel has them in FORK and EXIT.
func two(a, b uint32) uint64 {
	var w []byte
	w = binary.NativeEndian.AppendUint32(w, a)
	return binary.NativeEndian.Uint64(binary.NativeEndian.AppendUint32(w, b))
}

// collect reads rings that are whole since 0, at the time 1000.
func collect(from, to int64, rings ...text) *Records {
	var c collector
	c.begin(process, from, 1000, 0)
	for _, r := range rings {
		c.add(r, true)
	}
	return c.records(to)
}

func TestTimesOffAreFoundAcrossProcessors(t *testing.T) {
	var a, b text
	a.came(1, 0, 100)
	a.preempted(1, 0, 200)
	b.came(1, 1, 300)
	b.left(1, 1, 400)
	a.came(1, 0, 400) // the same nanosecond
	a.left(1, 0, 500)
	a.came(2, 0, 600) // since before the records begin
	b.left(3, 1, 700)
	b.put(recordSwitch, 0, process+1, 1, 1, 800) // of another process
	a.came(1, 0, 2000)                           // after the reading
	got := collect(150, 900, a, b)
	want := []Off{
		{Thread: 2, From: 0, To: 600, Processor: -1, Earlier: true},
		{Thread: 1, From: 200, To: 300, Preempted: true, Processor: 0},
		{Thread: 1, From: 500, To: 1000, Processor: 0, Still: true},
		{Thread: 3, From: 700, To: 1000, Processor: 1, Still: true},
	}
	if !reflect.DeepEqual(got.Off, want) || got.Lost != 0 || got.Covered != 0 || got.Read != 1000 {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		from, to int64
		want     []Off
	}{
		{0, 50, []Off{{Thread: 1, From: 0, To: 100, Processor: -1, Earlier: true}, want[0]}},
		{200, 300, want[:2]},
		{300, 400, want[:1]},
		{600, 700, want[2:3]},
		{450, 550, []Off{want[0], want[2]}},
		{550, 560, []Off{want[0], want[2]}},
		{900, 1100, want[2:]},
	} {
		if got := collect(c.from, c.to, a, b).Off; !reflect.DeepEqual(got, c.want) {
			t.Errorf("from %d to %d: %+v", c.from, c.to, got)
		}
	}
}

func TestANewThreadWasNotOffBefore(t *testing.T) {
	var a text
	a.put(recordFork, 0, process, 1, 0, 100, two(process, process), two(7, 1), 100)
	a.came(7, 0, 110)
	a.left(7, 0, 120)
	a.came(7, 0, 130)
	a.put(recordExit, 0, process, 7, 0, 140, two(process, process), two(7, 1), 140)
	a.put(recordFork, 0, process, 1, 0, 150, two(process, process), two(7, 1), 150) // the number again
	a.came(7, 0, 160)
	a.put(recordFork, 0, process, 1, 0, 170, two(200, process), two(200, 1), 170) // another process
	got := collect(0, 900, a)
	if want := []Off{{Thread: 7, From: 120, To: 130, Processor: 0}}; !reflect.DeepEqual(got.Off, want) || got.Lost != 0 {
		t.Errorf("%+v", got)
	}
	if got := collect(135, 900, a); len(got.Off) != 0 || got.Lost != 0 {
		t.Errorf("%+v", got)
	}
	if got := collect(105, 115, a); len(got.Off) != 0 || got.Lost != 0 {
		t.Errorf("%+v", got)
	}
}

func TestMissingRecordsAreCounted(t *testing.T) {
	var a text
	a.left(1, 0, 100)
	a.left(1, 0, 200) // came in between
	a.came(1, 0, 300)
	a.came(1, 0, 400)                                       // left in between
	a.put(recordLost, 0, process, 2, 0, 500, 9, 10)         // id, how many
	a.put(recordLostSamples, 0, process, 3, 0, 600, 100)    //
	a.put(recordThrottle, 0, process, 4, 0, 700, 700, 1, 1) // time, id, stream
	a.put(12345, 0, process, 5, 0, 800)                     // unknown
	got := collect(0, 900, a)
	if want := []Off{{Thread: 1, From: 200, To: 300, Processor: 0}}; !reflect.DeepEqual(got.Off, want) || got.Lost != 2 || !slices.Equal(got.Missed, []int64{500, 600, 700}) {
		t.Errorf("%+v", got)
	}
}

func TestWhatWasOverwrittenIsNotCovered(t *testing.T) {
	var a, b text
	a.left(1, 0, 100)
	a.came(1, 0, 150)
	a.came(1, 0, 500)
	b.left(1, 1, 300)
	b.came(2, 1, 400)
	for _, c := range []struct {
		cut     int // bytes of b
		covered int64
		off     []Off
	}{
		{0, 300, []Off{{Thread: 1, From: 300, To: 500, Processor: 1}, {Thread: 2, From: 300, To: 400, Processor: -1, Earlier: true}}},
		{1, 400, []Off{{Thread: 1, From: 400, To: 500, Processor: -1, Earlier: true}}},
		{len(b), 1000, nil},
	} {
		var col collector
		col.begin(process, 50, 1000, 20)
		col.add(a, true)
		col.add(b[:len(b)-c.cut], false)
		got := col.records(900)
		if got.Covered != c.covered || !reflect.DeepEqual(got.Off, c.off) {
			t.Errorf("without the last %d bytes: %+v", c.cut, got)
		}
	}
}

func TestStacksAreThoseOfTheProgram(t *testing.T) {
	user, other := uint64(1<<64-512), uint64(1<<64-4095) // what follows is of the program, or of something else
	var a text
	a.put(recordSample, 0, process, 1, 0, 40, 2, user, 0x9000) // before the window
	a.put(recordSample, 0, process, 1, 0, 50, 5, user, 0x1000, 0, other, 0x2000)
	a.put(recordSample, 0, process, 1, 0, 200, 2, user, 0x3000, 0) // a weight: a fault
	a.put(recordSample, 0, process, 1, 0, 300, 0)
	a.left(2, 0, 400)
	a.put(recordSample, 0, process, 1, 0, 410, 1<<61, user) // longer than the record
	a.put(recordSample, 0, process, 1, 0, 420, 2, user)
	a.put(recordSample, 0, process, 1, 0, 430, 1, user, 0, 0)
	a.put(recordSample, 0, process, 1, 0, 500, 0)
	a.put(recordSample, 0, process, 1, 0, 600, 1, 0x5000) // after the window
	a.came(2, 0, 1000)                                    // at the reading
	got := collect(50, 500, a)
	pcs := []uintptr{0x1001, 0x2000}
	if !framed {
		pcs = pcs[:1]
	}
	if want := []Sample{{1, 50, pcs}, {1, 300, []uintptr{}}, {1, 500, []uintptr{}}}; !reflect.DeepEqual(got.Samples, want) {
		t.Errorf("%+v", got.Samples)
	}
	if want := []Off{{Thread: 2, From: 400, To: 1000, Processor: 0}}; !reflect.DeepEqual(got.Off, want) {
		t.Errorf("%+v", got.Off)
	}
	if want := []Fault{{1, 200, []uintptr{0x3001}}}; !reflect.DeepEqual(got.Faults, want) {
		t.Errorf("%+v", got.Faults)
	}
}

func TestTheLatestChangeBeforeTheWindowCounts(t *testing.T) {
	var a, b text
	a.left(1, 0, 100)
	b.came(1, 1, 200)
	b.left(1, 1, 300)
	a.came(1, 0, 500)
	want := []Off{{Thread: 1, From: 300, To: 500, Processor: 1}}
	for _, rings := range [][]text{{a, b}, {b, a}} {
		if got := collect(450, 900, rings...); !reflect.DeepEqual(got.Off, want) || got.Lost != 0 {
			t.Errorf("%+v", got)
		}
	}
	// A collector is used again.
	var c collector
	for _, ring := range []text{a[:len(a)/2], nil} { // the first only comes
		c.begin(process, 600, 1000, 0)
		c.add(ring, true)
		if got := c.records(900); len(got.Off) != 0 {
			t.Errorf("%+v", got)
		}
	}
	c.begin(process, 200, 1000, 0)
	c.add(a[len(a)/2:], true) // left at 100
	c.records(900)
	c.begin(process, 200, 1000, 0)
	c.add(nil, true)
	if got := c.records(900); len(got.Off) != 0 {
		t.Errorf("what was read before is still there: %+v", got)
	}
}

func TestWhatIsNoRecordEndsTheText(t *testing.T) {
	var a text
	a.came(1, 0, 100)
	for size := range header + idents {
		bad := append(make(text, header), a...)
		binary.NativeEndian.PutUint32(bad, recordSwitch)
		binary.NativeEndian.PutUint16(bad[6:], uint16(size))
		n := 0
		if oldest := decode(bad, process, func(record, []byte) { n++ }); n > 0 || oldest != 0 {
			t.Errorf("a record of %d bytes was read", size)
		}
	}
}

func TestTheTimeOffIsThatOfTheWindow(t *testing.T) {
	o := Off{From: 100, To: 200}
	for _, c := range []struct{ from, to, want int64 }{{0, 300, 100}, {150, 300, 50}, {0, 150, 50}, {120, 180, 60}, {0, 50, 0}, {250, 300, 0}} {
		if got := o.Took(c.from, c.to); int64(got) != c.want {
			t.Errorf("from %d to %d: %v, want %d", c.from, c.to, got, c.want)
		}
	}
}

func FuzzRecords(f *testing.F) {
	var a text
	a.came(1, 0, 100)
	a.left(1, 0, 200)
	a.put(recordSample, 0, process, 1, 0, 300, 3, 1<<64-512, 0x1000, 0x2000)
	a.put(recordFork, 0, process, 1, 0, 400, two(process, process), two(7, 1), 400)
	a.put(recordLost, 0, process, 1, 0, 500, 9, 10)
	f.Add([]byte(a), true)
	f.Add([]byte(a[:len(a)-5]), false)
	f.Fuzz(func(t *testing.T, data []byte, whole bool) {
		var c collector
		c.begin(process, 150, 1000, 20)
		c.add(data, whole)
		got := c.records(900)
		if got.Covered < 20 || whole && got.Covered != 20 {
			t.Errorf("covered since %d", got.Covered)
		}
		for _, o := range got.Off {
			if o.To < o.From || o.To > got.Read || o.From < got.Covered || o.From >= 900 || o.To <= 150 {
				t.Errorf("%+v", o)
			}
		}
	})
}

// BenchmarkCollect reads two full rings, of which a sixteenth or all is in the window.
func BenchmarkCollect(b *testing.B) {
	const n = 16384
	var rings [2]text
	for i := range rings {
		for at := int64(n); at > 0; at-- {
			var one text
			if thread := uint32(at % 10); at/10%2 == 0 {
				one.left(thread, i, 2*at+int64(i))
			} else {
				one.came(thread, i, 2*at+int64(i))
			}
			rings[i] = append(rings[i], one...)
		}
	}
	for name, from := range map[string]int64{"sixteenth": 2 * n * 15 / 16, "all": 0} {
		b.Run(name, func(b *testing.B) {
			var c collector
			for b.Loop() {
				c.begin(process, from, 3*n, 0)
				for _, r := range rings {
					c.add(r, true)
				}
				c.records(3 * n)
			}
		})
	}
}
