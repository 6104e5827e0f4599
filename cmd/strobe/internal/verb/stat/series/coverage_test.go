// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/strobe-go/strobe/internal/long"
	"github.com/strobe-go/strobe/internal/tables"
)

var update = flag.Bool("update", false, "write the tables of quantiles in docs/coverage.md anew")

// held counts the results of the intervals of a quantile over many series.
type held struct{ series, given, hold int }

func (h held) share() float64 { return 100 * float64(h.hold) / float64(max(1, h.given)) }

// holds draws series of n samples of a normal autoregression with coefficient phi and variance 1, transforms them with the
// increasing function see, and counts the intervals of quantiles that contain the true quantile.
func holds(t *testing.T, times, n int, phi float64, see func(float64) float64, quantiles []float64) []held {
	t.Helper()
	const digits = 6
	r := rand.New(rand.NewPCG(uint64(n), 3))
	out := make([]held, len(quantiles))
	for range times {
		s := newSeries(Options{Quantiles: quantiles})
		s.digits, s.begun = digits, true
		x := r.NormFloat64()
		for range n {
			if err := s.push(int64(math.Round(1e6 * see(x)))); err != nil {
				t.Fatal(err)
			}
			x = phi*x + math.Sqrt(1-phi*phi)*r.NormFloat64()
		}
		if err := s.flush(); err != nil {
			t.Fatal(err)
		}
		for i, q := range s.Quantiles(0.95) {
			out[i].series++
			if q.Interval.Level == 0 {
				continue
			}
			out[i].given++
			// The values are rounded to 1e-6.
			if truth := see(math.Sqrt2 * math.Erfinv(2*q.Q-1)); q.Interval.Lo <= truth+1e-6 && truth-1e-6 <= q.Interval.Hi {
				out[i].hold++
			}
		}
	}
	return out
}

// If at least half of the series have an interval of a quantile, at least 93 of 100 intervals contain it.
func TestIntervalsOfQuantilesHold(t *testing.T) {
	quantiles := []float64{0.5, 0.9, 0.99, 0.999}
	lengths := []struct{ n, times int }{{1000, 1000}, {10000, 400}}
	if !long.Enabled {
		lengths = lengths[:1]
		lengths[0].times = 200
		if testing.Short() {
			lengths[0].times = 60
		}
		t.Logf("%d series of 1000 samples only; ./check long has more, and compares docs/coverage.md", lengths[0].times)
	}
	var columns []string
	for _, l := range lengths {
		for _, q := range quantiles {
			columns = append(columns, fmt.Sprintf("p%g of %d", 100*q, l.n))
		}
	}
	shares, given := tables.NewGrid("process", columns...), tables.NewGrid("process", columns...)
	same := func(x float64) float64 { return x }
	halves := func(x float64) float64 { return math.Round(2*x) / 2 }
	for _, p := range []struct {
		name string
		phi  float64
		see  func(float64) float64
	}{
		{"normal", 0, same}, {"normal, rounded", 0, halves}, {"lognormal, sigma 1", 0, math.Exp}, {"AR(0.5)", 0.5, same},
		{"AR(0.9)", 0.9, same}, {"AR(0.9), rounded", 0.9, halves}, {"exponential of AR(0.9)", 0.9, math.Exp},
	} {
		var a, b []string
		for _, l := range lengths {
			for i, h := range holds(t, l.times, l.n, p.phi, p.see, quantiles) {
				cell := fmt.Sprintf("%.1f", h.share())
				switch {
				case h.given == 0:
					cell = "-"
				case 2*h.given < h.series:
					cell = "(" + cell + ")"
				case h.share() < 93-2*math.Sqrt(93*7/float64(h.given)):
					t.Errorf("%s, n=%d: of the intervals of quantile %v %.1f %% of %d hold", p.name, l.n, quantiles[i], h.share(), h.given)
				}
				a = append(a, cell)
				b = append(b, fmt.Sprintf("%.0f", 100*float64(h.given)/float64(h.series)))
			}
		}
		shares.Row(p.name, a...)
		given.Row(p.name, b...)
	}
	t.Logf("hold:\n%sgiven:\n%s", shares, given)
	if long.Enabled {
		const document = "../../../../../../docs/coverage.md"
		tables.Check(t, document, "quantiles", shares.String(), *update)
		tables.Check(t, document, "quantiles given", given.String(), *update)
	}
}

// repeat reads the same text again and again.
type repeat struct {
	text []byte
	left int
	at   int
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.at == len(r.text) {
		if r.left--; r.left <= 0 {
			return 0, io.EOF
		}
		r.at = 0
	}
	n := copy(p, r.text[r.at:])
	r.at += n
	return n, nil
}

func numbers(n, decimals int, suffix string) []byte {
	var b bytes.Buffer
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		b.WriteString(strconv.FormatFloat(16+r.NormFloat64(), 'f', decimals, 64) + suffix + "\n")
	}
	return b.Bytes()
}

func BenchmarkRead(b *testing.B) {
	const lines, times = 1 << 16, 64
	for name, text := range map[string][]byte{
		"whole": numbers(lines, 0, ""), "decimals": numbers(lines, 4, ""), "unit": numbers(lines, 4, "ms"), "shortest": numbers(lines, -1, ""),
		"carriage": numbers(lines, 4, "\r"),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s, err := Read(b.Context(), &repeat{text: text, left: times}, Options{Quantiles: []float64{0.5, 0.9, 0.99, 0.999}})
				if err != nil || s.N() != lines*times || s.Damaged > 0 {
					b.Fatal(err, s.N(), s.First)
				}
			}
			b.ReportMetric(lines*times*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mlines/s")
		})
	}
}
