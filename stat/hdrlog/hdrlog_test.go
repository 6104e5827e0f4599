// SPDX-License-Identifier: BSD-3-Clause

package hdrlog

import (
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/stat"
)

// cells lists the cells that are in use.
func cells(h *stat.Histogram) (list [][3]uint64) {
	h.Cells(func(lo, hi int64, n uint64) bool {
		list = append(list, [3]uint64{uint64(lo), uint64(hi), n})
		return true
	})
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
	want, got := cells(&h), cells(back)
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
		h := stat.NewHistogram(relative)
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

func TestTextThatIsNoHistogramIsRefused(t *testing.T) {
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
