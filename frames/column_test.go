// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

func TestColumnsGiveBackWhatWasPushed(t *testing.T) {
	for _, n := range []int{0, 1, piece - 1, piece, piece + 1, 2 * piece, 4*piece + 17, 20 * piece} {
		for name, size := range map[string]int64{"unknown": 0, "right": int64(n), "too small": int64(n / 2), "too large": 1 << 60} {
			var c column[int]
			in := &lines{size: size}
			for i := range n {
				in.read++ // a byte a value
				c.push(i, in)
			}
			if c.len() != n {
				t.Errorf("%d values, size %s: %d", n, name, c.len())
			}
			if n > 3*piece && (name == "right" || name == "too large") && len(c.full) > 0 {
				t.Errorf("%d values, size %s: %d pieces are to be joined", n, name, len(c.full)+1)
			}
			if room := cap(c.last); name == "right" && n > 3*piece && room > n+n/40 {
				t.Errorf("%d values have room for %d", n, room)
			}
			got := c.take()
			if len(got) != n || (got == nil) != (n == 0) || c.len() != 0 || len(c.take()) != 0 {
				t.Fatalf("%d values, size %s: %d are given back, %d stay", n, name, len(got), c.len())
			}
			for i, v := range got {
				if v != i {
					t.Fatalf("%d values, size %s: value %d is %d", n, name, i, v)
				}
			}
		}
	}
}

func TestLongestButIsTheRankOfASort(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, n := range []int{1, 2, 100, 5000} {
		x := make([]float64, n)
		for i := range x {
			switch r.IntN(3) {
			case 0:
				x[i] = 16.5 // many are equal
			case 1:
				x[i] = shortest + (longest-shortest)*r.Float64()
			default:
				x[i] = 16.5 + 1e-12*float64(r.IntN(50))
			}
		}
		sorted := slices.Sorted(slices.Values(x))
		for k := range min(n, 300) {
			if got := longestBut(k, x); got != sorted[n-1-k] {
				t.Fatalf("the longest of %d but %d is %v, want %v", n, k, got, sorted[n-1-k])
			}
		}
		if got := longestBut(n-1, x); got != sorted[0] {
			t.Errorf("the shortest of %d is %v, want %v", n, got, sorted[0])
		}
	}
}

// The fast path gives the same values as the complete parser.
func TestShortNumbersAreReadAsTheirDecimals(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	read := 0
	check := func(text string) {
		for _, u := range []unit{nanoseconds, microseconds, milliseconds, seconds} {
			v, ok := short([]byte(text), u.power)
			if !ok {
				continue
			}
			read++
			want, err := strconv.ParseFloat(text+"e"+strconv.Itoa(u.power), 64)
			if err != nil || math.Float64bits(v) != math.Float64bits(want) {
				t.Fatalf("%q %s is %v, want %v (%v)", text, u.name, v, want, err)
			}
		}
	}
	for range 20_000 {
		check(strconv.FormatFloat(math.Pow(10, 12*r.Float64()-5)*float64(1-2*r.IntN(2)), 'f', r.IntN(16), 64))
		check(strconv.FormatUint(r.Uint64()>>r.IntN(60), 10))
	}
	for _, text := range []string{"0", "-0", "0.0000", "5.", ".5", "007", "9007199254740993", "90071992547409930", "16.47540000000000", "567.25049999999999",
		"0.0000000000000000000001", "0.00000000000000000000001", "0.0000000000000000000000000001"} {
		check(text)
	}
	if read < 100_000 {
		t.Errorf("only %d numbers were read in the short way", read)
	}
	for _, text := range []string{"", "-", ".", "-.", "--1", "+1", "1-", "1.2.3", "1,5", "1e3", "NA", " 1", "1 ", "inf", "0x10"} {
		if v, ok := short([]byte(text), 0); ok {
			t.Errorf("%q is read as %v", text, v)
		}
	}
}
