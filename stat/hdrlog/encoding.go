// SPDX-License-Identifier: BSD-3-Clause

// Package hdrlog reads and writes the formats of HdrHistogram: the compressed V2 encoding of a histogram, and the
// interval log made of such encodings, which tools in many languages plot and merge.
//
// Use it to exchange histograms with those tools. To store histograms, prefer JSON, which is exact. The encoding keeps all
// counts. The zero stat.Histogram has the same cells as an encoding with two significant digits, so that only the exact sum
// and the exact extremes are lost.
//
// # Units
//
// Values have the unit of the samples; times in the log are seconds.
//
// # Concurrency
//
// All functions are safe for concurrent use. A Reader is not.
//
// # Sources
//
// The encoding as implemented by HdrHistogram 2.1 for Java: V2EncodingCookie, ZigZagEncoding, HistogramLogWriter.
package hdrlog

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/strobe-go/strobe/internal/cells"
	"github.com/strobe-go/strobe/stat"
)

const (
	cookieV2         = 0x1c849303 | 0x10 // words of 16 bits and more are zigzag LEB128
	cookieCompressed = 0x1c849304 | 0x10
	headerSize       = 40
	mostBytes        = 16 << 20 // of an encoding after decompression: five digits over all of int64 need 7 MB
)

// layoutOf returns the cells that HdrHistogram has for a number of significant decimal digits.
func layoutOf(digits int) cells.Layout {
	return cells.Layout(bits.Len(uint(2*math.Pow10(digits))-1) - 1)
}

// middle returns the middle of cell i of values that were shifted right by unit; ok is false when the cell lies beyond
// int64.
func middle(l cells.Layout, unit int, i uint64) (v int64, ok bool) {
	lo, hi := l.Range(i)
	if i >= l.Count() || bits.Len64(hi)+unit > 63 {
		return 0, false
	}
	lo, hi = lo<<unit, (hi+1)<<unit-1
	return int64(lo + (hi-lo)/2), true
}

// Encode returns h in the compressed V2 encoding in base64, with the smallest number of significant digits, 1 to 5,
// that loses no precision. Negative samples count as 0. Nil is an empty histogram.
func Encode(h *stat.Histogram) string {
	if h == nil {
		h = new(stat.Histogram)
	}
	digits := 1
	for widest := widestCell(h); digits < 5 && layoutOf(digits) < widest; {
		digits++
	}
	l := layoutOf(digits)
	var counts []uint64
	for c := range h.Cells() {
		i := l.Index(uint64(c.Lo + (c.Hi-c.Lo)/2))
		for uint64(len(counts)) <= i {
			counts = append(counts, 0)
		}
		counts[i] += c.N
	}
	b := make([]byte, headerSize)
	zeros := int64(0)
	for _, n := range counts {
		if n == 0 {
			zeros++
			continue
		}
		if zeros > 0 {
			b = appendZigZag(b, -zeros)
			zeros = 0
		}
		b = appendZigZag(b, int64(min(n, math.MaxInt64)))
	}
	binary.BigEndian.PutUint32(b[0:], cookieV2)
	binary.BigEndian.PutUint32(b[4:], uint32(len(b)-headerSize))
	binary.BigEndian.PutUint32(b[12:], uint32(digits))
	binary.BigEndian.PutUint64(b[16:], 1)
	binary.BigEndian.PutUint64(b[24:], highest(l, len(counts)))
	binary.BigEndian.PutUint64(b[32:], math.Float64bits(1))
	var out bytes.Buffer
	out.Write(make([]byte, 8))
	z := zlib.NewWriter(&out)
	z.Write(b) // a bytes.Buffer takes everything
	z.Close()
	packed := out.Bytes()
	binary.BigEndian.PutUint32(packed[0:], cookieCompressed)
	binary.BigEndian.PutUint32(packed[4:], uint32(len(packed)-8))
	return base64.StdEncoding.EncodeToString(packed)
}

// widestCell returns the layout that h has, as far as its cells show.
func widestCell(h *stat.Histogram) (l cells.Layout) {
	for c := range h.Cells() {
		if c.Lo > 0 {
			l = max(l, cells.Layout(bits.Len64(uint64(c.Lo))-bits.Len64(uint64(c.Hi-c.Lo))-1))
		}
		if c.Hi != c.Lo {
			break
		}
	}
	return l
}

// highest returns the largest value of the first n cells, and at least the 2 that readers demand.
func highest(l cells.Layout, n int) uint64 {
	if n == 0 {
		return 2
	}
	_, hi := l.Range(uint64(n - 1))
	return max(2, min(hi, math.MaxInt64))
}

// Decode returns the histogram that [Encode] or another implementation of HdrHistogram has written in base64. It has the
// precision of the encoding, up to four significant digits. On an error the histogram is nil.
func Decode(text string) (*stat.Histogram, error) {
	packed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("hdrlog: not base64: %w", err)
	}
	if len(packed) < 8 || binary.BigEndian.Uint32(packed)&^0xf0 != cookieCompressed&^0xf0 {
		return nil, errors.New("hdrlog: not a compressed V2 histogram")
	}
	z, err := zlib.NewReader(bytes.NewReader(packed[8:]))
	if err != nil {
		return nil, fmt.Errorf("hdrlog: cannot decompress: %w", err)
	}
	b, err := io.ReadAll(io.LimitReader(z, mostBytes))
	if err != nil {
		return nil, fmt.Errorf("hdrlog: cannot decompress: %w", err)
	}
	if len(b) < headerSize || binary.BigEndian.Uint32(b)&^0xf0 != cookieV2&^0xf0 {
		return nil, errors.New("hdrlog: not a V2 histogram inside")
	}
	digits := int(binary.BigEndian.Uint32(b[12:]))
	lowest := int64(binary.BigEndian.Uint64(b[16:]))
	if digits < 0 || digits > 5 || lowest < 1 {
		return nil, fmt.Errorf("hdrlog: unsupported precision: %d significant digits with a lowest value of %d", digits, lowest)
	}
	// The normalizing index offset says how a histogram is laid out in the writer's memory. Counts are written in the order
	// of their values whatever it is, and the JavaScript library always writes 1.
	if size := int(binary.BigEndian.Uint32(b[4:])); size < len(b)-headerSize {
		b = b[:headerSize+size]
	}
	l, unit := layoutOf(digits), bits.Len64(uint64(lowest))-1
	h, err := stat.NewHistogram(math.Pow(2, -float64(min(l, 14))-1)) // five digits would take 17 bits
	if err != nil {
		return nil, err
	}
	if err := decodeCounts(h, l, unit, b[headerSize:]); err != nil {
		return nil, err
	}
	return h, nil
}

func decodeCounts(h *stat.Histogram, l cells.Layout, unit int, b []byte) error {
	i, total := int64(0), uint64(0)
	for len(b) > 0 {
		n, size := zigZag(b)
		if size == 0 {
			return errors.New("hdrlog: the encoding ends within a count")
		}
		b = b[size:]
		if n < 0 {
			if i -= n; i < 0 || i > 1<<32 {
				return errors.New("hdrlog: more cells than a histogram has")
			}
			continue
		}
		v, ok := middle(l, unit, uint64(i))
		if i++; n == 0 {
			continue
		}
		if total += uint64(n); !ok || total > math.MaxInt64 {
			return errors.New("hdrlog: counts or values beyond 63 bits")
		}
		h.RecordN(v, uint64(n))
	}
	return nil
}

// appendZigZag appends the variable-length form of x: seven bits a byte, low ones first; the ninth byte has eight.
func appendZigZag(b []byte, x int64) []byte {
	u := uint64(x<<1) ^ uint64(x>>63)
	for range 8 {
		if u < 0x80 {
			return append(b, byte(u))
		}
		b = append(b, byte(u)|0x80)
		u >>= 7
	}
	return append(b, byte(u))
}

// zigZag reads what appendZigZag wrote; size 0 means that b is too short.
func zigZag(b []byte) (x int64, size int) {
	u := uint64(0)
	for i, c := range b[:min(9, len(b))] {
		if i == 8 || c < 0x80 {
			u |= uint64(c) << (7 * i)
			return int64(u>>1) ^ -int64(u&1), i + 1
		}
		u |= uint64(c&0x7f) << (7 * i)
	}
	return 0, 0
}
