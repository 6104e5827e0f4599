// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// Any text is read without a panic, and a line that strconv reads as a number is the same number here.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"1\n2.5\n-3e-2\n", "12.3ms\n4s\n", "0.30000000000000004\n95.3\n", "\xef\xbb\xbf1\r\n\r\n#\nNaN\n", "9223372036854775807\n1e-300\n1e18\n.\n-\n+.e1\n"} {
		f.Add(text, "")
		f.Add(text, "1")
	}
	f.Add("a,b\n1,\"2\"\n", "b")
	f.Fuzz(func(t *testing.T, text, column string) {
		for _, keep := range []int{0, 2} { // kept, streamed
			s, err := Read(t.Context(), strings.NewReader(text), Options{Quantiles: []float64{0.5}, Keep: keep, Column: column})
			if err != nil || s.N() == 0 {
				continue
			}
			m := s.Moments()
			bins, q := s.Bins(), s.Quantiles(0.95)
			total := uint64(0)
			for _, b := range bins {
				total += b.N
			}
			if m.N != s.N() || len(bins) > 0 && total != m.N || m.Min > m.Max {
				t.Errorf("%+v, %d in bins", m, total)
			}
			for _, v := range []float64{m.Mean, m.Min, m.Max, q[0].Value, s.Interval(BatchMeans, 0.95).Center} {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%v in %+v", v, m)
				}
			}
		}
		if line, _, ok := strings.Cut(text, "\n"); ok || column != "" || strings.ContainsAny(line, "_xXpPiInN") {
			return
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.Abs(v) >= 9e18 || v != 0 && math.Abs(v) < 1e-280 {
			return
		}
		s, err := Read(t.Context(), strings.NewReader(text), Options{})
		if err != nil || s.N() != 1 || math.Abs(s.Moments().Mean-v) > 1e-15*math.Abs(v) {
			t.Errorf("%q: %v, n %d, mean %v", text, err, s.N(), s.Moments().Mean)
		}
	})
}
