// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/hdrlog"
)

func frameTimes(n int) []int64 {
	r := rand.New(rand.NewPCG(1, 1))
	x := make([]int64, n)
	for i := range x {
		x[i] = int64(16.7e6 * math.Exp(r.NormFloat64()/3))
	}
	return x
}

var quantiles = []float64{0.01, 0.5, 0.9, 0.99, 0.999}

func near(a, b int64, relative float64) bool {
	return math.Abs(float64(a-b)) <= relative*math.Abs(float64(b))
}

func TestHdrHistogramReadsWhatWeWrite(t *testing.T) {
	for _, relative := range []float64{0.004, 0.0005} {
		ours, err := stat.NewHistogram(relative)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range frameTimes(20000) {
			ours.Record(v)
		}
		theirs, err := hdr.Decode([]byte(hdrlog.Encode(ours)))
		if err != nil {
			t.Fatal(err)
		}
		if theirs.TotalCount() != int64(ours.N()) {
			t.Errorf("%d samples, want %d", theirs.TotalCount(), ours.N())
		}
		for _, q := range quantiles {
			if got, want := theirs.ValueAtQuantile(q*100), ours.Quantile(q); !near(got, want, 2*relative) {
				t.Errorf("quantile %v: %d, want %d", q, got, want)
			}
		}
	}
}

func TestWeReadWhatHdrHistogramWrites(t *testing.T) {
	for digits := 1; digits <= 5; digits++ {
		for _, lowest := range []int64{1, 1000} {
			theirs := hdr.New(lowest, 1<<40, digits)
			for _, v := range frameTimes(20000) {
				if err := theirs.RecordValue(v); err != nil {
					t.Fatal(err)
				}
			}
			text, err := theirs.Encode(hdr.V2CompressedEncodingCookieBase)
			if err != nil {
				t.Fatal(err)
			}
			ours, err := hdrlog.Decode(string(text))
			if err != nil {
				t.Fatal(err)
			}
			if int64(ours.N()) != theirs.TotalCount() {
				t.Errorf("%d digits: %d samples, want %d", digits, ours.N(), theirs.TotalCount())
			}
			for _, q := range quantiles {
				if got, want := ours.Quantile(q), theirs.ValueAtQuantile(q*100); !near(got, want, math.Pow(10, -float64(digits))+1e-4) {
					t.Errorf("%d digits from %d: quantile %v is %d, want %d", digits, lowest, q, got, want)
				}
			}
		}
	}
}

func TestLogsGoBothWays(t *testing.T) {
	var ours stat.Histogram
	for _, v := range frameTimes(500) {
		ours.Record(v)
	}
	text, err := hdrlog.Line{Tag: "frame", Start: 2, Length: 1, Histogram: &ours}.AppendText([]byte(hdrlog.Header))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := hdr.NewHistogramLogReader(bytes.NewReader(text)).NextIntervalHistogram()
	if err != nil || theirs == nil || theirs.TotalCount() != 500 {
		t.Fatalf("their reader: %v", err)
	}
	var out bytes.Buffer
	w := hdr.NewHistogramLogWriter(&out)
	if err := w.OutputLegend(); err != nil {
		t.Fatal(err)
	}
	if err := w.OutputIntervalHistogram(theirs); err != nil {
		t.Fatal(err)
	}
	line, err := hdrlog.NewReader(strings.NewReader(out.String())).Next()
	if err != nil || line.Histogram.N() != 500 {
		t.Fatalf("our reader: %v in %s", err, out.String())
	}
}

func TestOmittedSamplesAreThoseOfHdrHistogram(t *testing.T) {
	var ours stat.Histogram
	theirs := hdr.New(1, 1<<40, 3)
	const interval = 10_000_000
	for _, v := range frameTimes(20000) {
		ours.RecordCorrected(v, interval)
		if err := theirs.RecordCorrectedValue(v, interval); err != nil {
			t.Fatal(err)
		}
	}
	if int64(ours.N()) != theirs.TotalCount() || ours.N() < 21000 {
		t.Errorf("%d samples, want %d", ours.N(), theirs.TotalCount())
	}
	for _, q := range quantiles {
		if got, want := ours.Quantile(q), theirs.ValueAtQuantile(q*100); !near(got, want, 0.006) {
			t.Errorf("quantile %v: %d, want %d", q, got, want)
		}
	}
}
