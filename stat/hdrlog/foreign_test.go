// SPDX-License-Identifier: BSD-3-Clause

package hdrlog

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/strobe-go/strobe/stat"
)

// The C library wrote these: 10000 times 1000 and once 100000000, and the same corrected for an expected interval of 10000. They
// are from test/test_hdrhistogram.py of HdrHistogram_py, which has them from the tests of HdrHistogram_c.
func TestWhatTheCLibraryWritesIsRead(t *testing.T) {
	const relative = 1.0 / 1024 // three digits
	h, err := Decode("HISTFAAAACl4nJNpmSzMwMBgyAABzFCaEURcm7yEwf4DROA8/4I5jNM7mJgAlWkH9g==")
	if err != nil {
		t.Fatal(err)
	}
	if h.N() != 10_001 || h.CountBelow(1001) != 10_000 || off(h.Max(), 100_000_000) > relative {
		t.Errorf("%d samples, %d of at most 1000, maximum %d", h.N(), h.CountBelow(1001), h.Max())
	}
	h, err = Decode("HISTFAAAAP94nJNpmSzMwCByigECmKE0I4i4NnkJg/0HiMB5/gVzGD8aM/3lZ7rPyTSbjektC9N7FqaHzEzbmZi2whCEvZKRaSYj02wwiYng4tFM" +
		"3lDoC2dhhwh5UyZlJlUMjClCmgpMEUUmQSZ+IBZEojFFCMvQRwUxenmZ2MGQFUqz4+CTo4I2pg4dFdQylZWJkYkZCaPyMEUIydPLjMHrssFixuB12XD0HRAwMsFJgk" +
		"wilZHJHHKmjzp41MFDOjhYmFiQEUEmMWqGsvKBd8Fwd/Co/waTC9jYOMAIiSJRhLbKh5x9Q87Bo/YNbfsoM4CPhw+IIJAkxnDXN+QcTIpyAPnGh6k=")
	if err != nil {
		t.Fatal(err)
	}
	// These are the values in the tests of the C library.
	for q, want := range map[float64]int64{0.3: 1000, 0.5: 1000, 0.75: 50_000_000, 0.9: 80_000_000, 0.99: 98_000_000, 0.99999: 100_000_000} {
		if got := h.Quantile(q); off(got, want) > 2*relative {
			t.Errorf("quantile %v is %d, want %d", q, got, want)
		}
	}
	if h.N() != 20_000 {
		t.Errorf("%d samples", h.N())
	}
}

// The Rust library wrote this: each number below 100000 once. It is tests/data/seq-nums.histz of HdrHistogram_rust at ca34cf2.
func TestWhatTheRustLibraryWritesIsRead(t *testing.T) {
	h, err := Decode("HISTFAAAAE54nO3IoRGAMBREwQQQSGawiDSBJp2BoAMapQMQoQD8333iZm45rzmlsqam/zbvT7Pd7egAgHAGIKwRCGsCwipAWBUI68iS9L/6At/YGc4=")
	if err != nil {
		t.Fatal(err)
	}
	if h.N() != 100_000 {
		t.Errorf("%d samples", h.N())
	}
	for _, x := range []int64{1, 500, 2048, 30_000, 99_000} {
		if n := h.CountBelow(x); off(int64(n), x) > 1.0/512 {
			t.Errorf("%d samples below %d", n, x)
		}
	}
}

// The Java library wrote this. The counts and values are those in the tests of the Java and the C library; values are the upper
// ends of cells.
func TestWhatTheJavaLibraryWritesIsRead(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "jHiccup-2.0.7S.logV2.hlog"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	histograms, samples := 0, uint64(0)
	var all *stat.Histogram
	for r := NewReader(f); ; {
		l, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		histograms++
		samples += l.Histogram.N()
		if all == nil {
			all = l.Histogram
		} else {
			all.Merge(l.Histogram)
		}
	}
	if histograms != 62 || samples != 48_761 || all.N() != samples {
		t.Errorf("%d histograms, %d samples", histograms, samples)
	}
	if got := all.Quantile(0.999); off(got, 1_745_879_039) > 1.0/128 {
		t.Errorf("quantile 0.999 is %d", got)
	}
	if got := all.Max(); off(got, 1_796_210_687) > 1.0/128 {
		t.Errorf("maximum %d", got)
	}
	// These are PackedHistogram(1, 2048, 3) with the value 2048, and an empty one.
	for text, n := range map[string]uint64{"HISTFAAAACB4nJNpmSzMwMDAzAABMJoRQnEw2H+AsP7LMwEARZgDpQ==": 1, "HISTFAAAABl42pNpmSzMwMDAyIAKYHwm+w9QFgA8ewJ6": 0} {
		h, err := Decode(text)
		if err != nil || h.N() != n || n == 1 && off(h.Max(), 2048) > 1.0/1024 {
			t.Errorf("%v: %+v", err, h)
		}
	}
}

// off returns the relative difference of two values.
func off(got, want int64) float64 { return math.Abs(float64(got-want)) / float64(want) }
