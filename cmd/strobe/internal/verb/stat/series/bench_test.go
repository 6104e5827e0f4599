// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strconv"
	"testing"
)

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
