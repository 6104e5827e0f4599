// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/strobe-go/strobe/clock"
)

// point computes start + floor(n * 1e9 / rate) by rational arithmetic on the rate's decimal text.
func point(t *testing.T, rate string, start, n int64) int64 {
	r, ok := new(big.Rat).SetString(rate)
	if !ok {
		t.Fatal(rate)
	}
	r.Quo(big.NewRat(1e9, 1), r).Mul(r, new(big.Rat).SetInt64(n))
	return start + new(big.Int).Div(r.Num(), r.Denom()).Int64()
}

var rates = []struct {
	text string
	rate float64
}{
	{"60", 60}, {"144", 144}, {"59.94", 59.94}, {"23.976", 23.976}, {"0.1", 0.1}, {"100000", 100000}, {"3", 3},
	{"59.94005994005994", 60000. / 1001}, {"99999.99999999999", 99999.99999999999}, {"0.10000000000000002", 0.10000000000000002},
	{"30.000000000000004", 30.000000000000004},
}

func TestGridIsExactAfterAnyNumberOfTurns(t *testing.T) {
	for _, r := range rates {
		g := newGrid(r.rate, 12345)
		for _, n := range []int64{0, 1, 2, 3, 59, 60, 144, 1e6, 86400 * 144 * 365, 1e11} {
			want := point(t, r.text, 12345, n)
			if want < 12345 || want > 1<<62 {
				continue
			}
			if got := int64(g.at(uint64(n))); got != want {
				t.Errorf("%s Hz, turn %d: %d, want %d", r.text, n, got, want)
			}
		}
	}
}

func TestGridDoesNotDriftInAnHour(t *testing.T) {
	g := newGrid(144, 0)
	if got := g.at(144 * 3600); got != 3600e9 {
		t.Errorf("144 Hz for an hour ends at %d ns", got)
	}
}

func TestAfterFindsTheFirstPointAhead(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, r := range rates {
		g := newGrid(r.rate, 1000)
		for range 2000 {
			at := clock.Instant(rng.Int64N(1 << (10 + rng.IntN(50))))
			n := g.after(at)
			if g.at(n) <= at || n > 0 && g.at(n-1) > at {
				t.Fatalf("%s Hz: after(%d) = %d, at %d", r.text, at, n, g.at(n))
			}
			if p := g.at(n); g.after(p) != n+1 || g.after(p-1) != n {
				t.Fatalf("%s Hz: point %d is not followed by the next", r.text, n)
			}
		}
	}
}

func FuzzGrid(f *testing.F) {
	f.Add(60.0, uint64(100))
	f.Add(59.94, uint64(1)<<40)
	f.Fuzz(func(t *testing.T, rate float64, n uint64) {
		if (Options{Rate: rate}).Validate() != nil || rate == 0 {
			t.Skip()
		}
		g := newGrid(rate, 0)
		n %= 1 << 62 / (g.q + 1) // within the 292 years of an Instant
		a, b := g.at(n), g.at(n+1)
		if b < a || int64(b-a) > g.period()+1 {
			t.Fatalf("%v Hz: point %d at %d, next at %d, period %d", rate, n, a, b, g.period())
		}
		if g.after(a) != n+1 {
			t.Fatalf("%v Hz: after(point %d) = %d", rate, n, g.after(a))
		}
	})
}
