// SPDX-License-Identifier: BSD-3-Clause

package hdrlog

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/stat"
)

// nonEmpty lists the cells that are in use.
func nonEmpty(h *stat.Histogram) (list [][3]uint64) {
	for c := range h.Cells() {
		list = append(list, [3]uint64{uint64(c.Lo), uint64(c.Hi), c.N})
	}
	return list
}

func TestDefaultHistogramKeepsEveryCell(t *testing.T) {
	var h stat.Histogram
	r := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		h.Record(int64(r.Uint64() >> r.IntN(64) & math.MaxInt64))
	}
	h.RecordN(77, 1<<50)
	h.Record(math.MaxInt64)
	back, err := Decode(Encode(&h))
	if err != nil {
		t.Fatal(err)
	}
	want, got := nonEmpty(&h), nonEmpty(back)
	if len(want) != len(got) {
		t.Fatalf("%d cells, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("cell %v, want %v", got[i], want[i])
		}
	}
}

func TestOtherPrecisionsKeepCountsAndQuantiles(t *testing.T) {
	for _, relative := range []float64{0.2, 0.03, 0.0005, 0.00004} {
		h, err := stat.NewHistogram(relative)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(2, 2))
		for range 5000 {
			h.Record(int64(1e6 * math.Exp(r.NormFloat64())))
		}
		back, err := Decode(Encode(h))
		if err != nil {
			t.Fatal(err)
		}
		a, b := float64(back.Quantile(0.9)), float64(h.Quantile(0.9))
		if back.N() != h.N() || math.Abs(a-b) > 2*relative*b {
			t.Errorf("error %v: %d samples, quantile %v, want %d and %v", relative, back.N(), a, h.N(), b)
		}
	}
}

func TestNothingIsEncodedToo(t *testing.T) {
	for _, h := range []*stat.Histogram{nil, {}} {
		if back, err := Decode(Encode(h)); err != nil || back.N() != 0 {
			t.Errorf("%v", err)
		}
	}
}

func TestLogIsReadAsItWasWritten(t *testing.T) {
	var h stat.Histogram
	h.Record(16_700_000)
	text := []byte(Header + "#[a comment]\n\n")
	for _, l := range []Line{{Start: 0.5, Length: 1, Histogram: &h}, {Tag: "render", Start: 1.5, Length: 1.25, Histogram: &h}} {
		var err error
		if text, err = l.AppendText(text); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := (Line{Tag: "a,b"}).AppendText(nil); err == nil {
		t.Error("a tag with a comma was written")
	}
	if !strings.Contains(string(text), "\nTag=render,1.500,1.250,16.700,HISTF") {
		t.Errorf("%s", text)
	}
	text = append(text, "1,2,3\n4,x,5,6\n1,2,3,HISTFAAA\n0,1,0.0,"+Encode(nil)+"\n"...)
	r := NewReader(strings.NewReader(string(text)))
	tags, failures := "", ""
	for {
		l, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			failures += err.Error() + "\n"
			continue
		}
		tags += l.Tag + ";"
		if l.Tag == "render" && (l.Start != 1.5 || l.Length != 1.25 || l.Histogram.N() != 1) {
			t.Errorf("%+v", l)
		}
	}
	if tags != ";render;;" || strings.Count(failures, "\n") != 3 || !strings.HasPrefix(failures, "line 7: hdrlog: 3 fields") {
		t.Errorf("tags %q, failures %s", tags, failures)
	}
}

// hdr-histogram-js 3.0.1 (BSD-2-Clause) wrote these. It has 1 in the place of Java's normalizing index offset. The values are
// 1000+250i³ for i below 60, 0, 5, and 1e9 three times, with two and with three digits. The quantiles are its own, which are the
// upper ends of cells.
func TestWhatTheJavaScriptLibraryWritesIsRead(t *testing.T) {
	for _, c := range []struct {
		text     string
		p50, p90 int64
		relative float64
	}{
		{"HISTFAAAAIt4nD3JMWoCURgA4f99RRREHssiIhuRECSFiNVWFiKW1pLSwtJjKHiAnEA8gqXHyCEsvISg4nQz87n/KyPiEBEpIsST9NQ3ScO1Ye7CjSO35JyckmOytUt+rW3M" +
			"LK3UalMLEz9GJmpjfQPfho9S6ejp6T/ql0qhUCp1dF+vkrVkbVlWyP6bH3ejuhGS", 6782975, 44040191, 1.0 / 128},
		{"HISTFAAAAKx4nD2KMQsBcRyGf+/zP0cURZl8HZ/KpBgMl3QZZDBIl26UQbrJaDLIIJMkg3QZjHSUZ3rfnqfRCWtmtjIzmZmzH/rdPyLPpkLqSGtc60RVHmXiElGRWZG7z6TA" +
			"MUfXJ/YJPS4eSY61I3E8HbFH4NjBAwaOpeMFbxHCDBIydYO72IqDOItUWRDAmGyPxVTMxUKsxeZb7sVJXEUgWrRFV/REXwzFSERN/wM9czDj", 6754303, 43909119, 1.0 / 1024},
	} {
		h, err := Decode(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if h.N() != 65 || h.CountBelow(6) != 2 || math.Abs(float64(h.Max())-1e9) > 1e9*c.relative {
			t.Errorf("%d samples, %d below 6, maximum %d", h.N(), h.CountBelow(6), h.Max())
		}
		for q, want := range map[float64]int64{0.5: c.p50, 0.9: c.p90} {
			if got := h.Quantile(q); got > want || float64(want-got) > float64(want)*c.relative {
				t.Errorf("quantile %v is %d, want %d or less than %v below it", q, got, want, c.relative)
			}
		}
	}
	const log = `#[Histogram log format version 1.3]
"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
Tag=js,1.000,1.000,0.042,HISTFAAAACB4nJNpmSzMwMDAxMDAwAilGaBsBgcGOGAMZgIAOJwB4w==
`
	l, err := NewReader(strings.NewReader(log)).Next()
	if err != nil || l.Tag != "js" || l.Histogram.N() != 1 || l.Histogram.Max() != 42 {
		t.Errorf("%+v, %v", l, err)
	}
}

// pack makes an encoding of a header and counts.
func pack(digits, lowest, length int64, counts ...int64) string {
	var body []byte
	for _, n := range counts {
		body = appendZigZag(body, n)
	}
	if length < 0 {
		length = int64(len(body))
	}
	b := binary.BigEndian.AppendUint32(nil, cookieV2)
	b = binary.BigEndian.AppendUint32(b, uint32(length))
	b = binary.BigEndian.AppendUint32(b, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(digits))
	b = binary.BigEndian.AppendUint64(b, uint64(lowest))
	b = binary.BigEndian.AppendUint64(b, 1<<40)
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(1))
	return wrap(cookieCompressed, append(b, body...))
}

func wrap(cookie uint32, payload []byte) string {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write(payload)
	z.Close()
	b := binary.BigEndian.AppendUint32(nil, cookie)
	b = binary.BigEndian.AppendUint32(b, uint32(packed.Len()))
	return base64.StdEncoding.EncodeToString(append(b, packed.Bytes()...))
}

func TestHeadersAreWrittenAsTheFormatHasThem(t *testing.T) {
	var one, two, none stat.Histogram
	one.Record(1)
	two.RecordN(1000, 3)
	two.Record(math.MaxInt64)
	for _, c := range []struct {
		h       *stat.Histogram
		digits  uint32
		highest uint64
	}{{&none, 1, 2}, {&one, 1, 2}, {&two, 2, math.MaxInt64}} {
		text, err := base64.StdEncoding.DecodeString(Encode(c.h))
		if err != nil {
			t.Fatal(err)
		}
		if size := binary.BigEndian.Uint32(text[4:]); binary.BigEndian.Uint32(text) != cookieCompressed || int(size) != len(text)-8 {
			t.Errorf("outer header % x of %d bytes", text[:8], len(text))
		}
		z, err := zlib.NewReader(bytes.NewReader(text[8:]))
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		order := binary.BigEndian
		if order.Uint32(b) != cookieV2 || int(order.Uint32(b[4:])) != len(b)-headerSize || order.Uint32(b[8:]) != 0 || order.Uint32(b[12:]) != c.digits ||
			order.Uint64(b[16:]) != 1 || order.Uint64(b[24:]) != c.highest || math.Float64frombits(order.Uint64(b[32:])) != 1 {
			t.Errorf("header % x", b[:headerSize])
		}
	}
}

func TestCellsAreThoseOfTheHeader(t *testing.T) {
	for _, c := range []struct {
		digits, lowest int64
		counts         []int64
		want           [][3]uint64
	}{
		{1, 1, []int64{0, 1, -3, 2}, [][3]uint64{{1, 1, 1}, {5, 5, 2}}},
		{1, 8, []int64{-5, 3}, [][3]uint64{{42, 43, 3}}},                 // 40 to 47
		{1, 15, []int64{-5, 3}, [][3]uint64{{42, 43, 3}}},                // shifted by three bits, not four
		{0, 1, []int64{-4, 7}, [][3]uint64{{8, 11, 7}}},                  // two cells an octave
		{5, 1, []int64{-400_000, 7}, [][3]uint64{{551_424, 551_455, 7}}}, // the nearest cells with four digits
	} {
		h, err := Decode(pack(c.digits, c.lowest, -1, c.counts...))
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		if got := nonEmpty(h); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if h, err := Decode(pack(1, 1, 2, 5, 5, 5)); err != nil || h.N() != 10 { // the payload is two bytes long; the rest does not count
		t.Errorf("%v", err)
	}
	if h, err := Decode(pack(2, 1, 100, 5, 5)); err != nil || h.N() != 10 {
		t.Errorf("%v", err)
	}
}

func TestImpossibleEncodingsAreRefused(t *testing.T) {
	valid := pack(1, 1, -1, 5)
	if _, err := Decode(valid); err != nil {
		t.Fatal(err)
	}
	for text, reason := range map[string]string{
		pack(6, 1, -1, 5):                            "precision",
		pack(-1, 1, -1, 5):                           "precision",
		pack(1, 0, -1, 5):                            "precision",
		pack(1, -1, -1, 5):                           "precision",
		pack(1, 1, -1, -1<<33, 1):                    "more cells",
		pack(1, 1, -1, math.MinInt64, 1):             "more cells",
		pack(1, 1, -1, -2000, 1):                     "63 bits",
		pack(1, 1<<62, -1, -40, 1):                   "63 bits",
		pack(1, 1, -1, math.MaxInt64, 1):             "63 bits",
		wrap(cookieCompressed+1, nil):                "not a compressed",
		wrap(cookieCompressed, make([]byte, 100)):    "inside",
		wrap(cookieCompressed, []byte{0x1c, 0x84}):   "inside",
		base64.StdEncoding.EncodeToString([]byte{1}): "not a compressed",
	} {
		if h, err := Decode(text); err == nil || h != nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %v, want %q", text, err, reason)
		}
	}
}

func TestInvalidHistogramsAreRefused(t *testing.T) {
	for _, text := range []string{"", "AAAA", "!", "HISTFAAAAAA=", Encode(nil)[:20]} {
		if h, err := Decode(text); err == nil || h != nil || !strings.HasPrefix(err.Error(), "hdrlog: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestZigZagIsItsOwnInverse(t *testing.T) {
	for shift := range 64 {
		for _, x := range []int64{math.MinInt64 >> shift, math.MaxInt64 >> shift, 1<<shift - 1, -1 << shift} {
			b := appendZigZag(nil, x)
			if y, n := zigZag(b); y != x || n != len(b) || n > 9 {
				t.Errorf("%d read as %d from %d of %d bytes", x, y, n, len(b))
			}
			if _, n := zigZag(b[:len(b)-1]); n != 0 {
				t.Errorf("%d was read from a part", x)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	var h stat.Histogram
	h.Record(5)
	h.Record(1 << 40)
	f.Add(Encode(&h))
	f.Add(Encode(nil))
	f.Fuzz(func(t *testing.T, text string) {
		h, err := Decode(text)
		if err != nil {
			return
		}
		if back, err := Decode(Encode(h)); err != nil || back.N() != h.N() {
			t.Errorf("%d samples: %v", h.N(), err)
		}
	})
}

func FuzzReader(f *testing.F) {
	f.Add(Header + "Tag=a,1,2,3," + Encode(nil))
	f.Fuzz(func(t *testing.T, text string) {
		for r, i := NewReader(strings.NewReader(text)), 0; i < 100; i++ {
			if _, err := r.Next(); errors.Is(err, io.EOF) {
				return
			}
		}
	})
}
