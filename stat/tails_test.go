// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestTailsHoldTheLargestAndSamplesAtEqualDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, c := range []struct{ n, more int }{{5, 0}, {63, 0}, {64, 0}, {255, 0}, {256, 1}, {1000, 3}, {5003, 31}} {
		var b BatchMeans
		var x []int64
		for i := range c.n {
			x = append(x, int64(i)<<20+r.Int64N(1<<24)-1<<23)
			b.Add(x[i])
		}
		tails := b.tails
		tails.add(b.all.sums.n, b.all.pending[:b.all.waiting])
		var thin []int64
		for i := 0; i < c.n; i += c.more + 1 {
			thin = append(thin, x[i])
		}
		if !slices.Equal(tails.thin[:tails.kept], thin) {
			t.Errorf("n=%d: %d samples, want every %d", c.n, tails.kept, c.more+1)
		}
		slices.Sort(x)
		if top := slices.Sorted(slices.Values(tails.top[:tails.held])); !slices.Equal(top, x[max(0, c.n-64):]) {
			t.Errorf("n=%d: the largest are %v, want %v", c.n, top, x[max(0, c.n-64):])
		}
	}
}

// A left tail is treated like the right tail of the negated samples, with the same interval and warnings.
func TestLeftTailsAreTreatedAsRightOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, n := range []int{16, 40, 100, 255} { // with more samples the left tail is detected less well
		for range 100 {
			var b, negated BatchMeans
			for range n {
				x := int64(1e6 * math.Exp(1.5*r.NormFloat64()))
				b.Add(x)
				negated.Add(-x)
			}
			iv, mirror := b.Interval(0), negated.Interval(0)
			if near := 1e-9 * iv.Half(); math.Abs(iv.Lo+mirror.Hi) > near || math.Abs(iv.Hi+mirror.Lo) > near {
				t.Errorf("n=%d: %v, negated %v", n, iv, mirror)
			}
			want := slices.Clone(iv.Warnings)
			for i := range want {
				want[i] = strings.NewReplacer("larger", "smaller", "large", "small").Replace(want[i])
			}
			spike := strings.Contains(strings.Join(want, ""), "spike") // only large samples can be spikes
			step := strings.Contains(strings.Join(want, ""), "not stationary")
			if !slices.Equal(mirror.Warnings, want) && !spike && !step {
				t.Errorf("n=%d: %q, negated %q", n, want, mirror.Warnings)
			}
		}
	}
}

// A warning names the problem: below an exponent of 1 there is no mean.
func TestHeavyTailsAreNamed(t *testing.T) {
	for want, exponent := range map[string]float64{
		"such numbers may have no mean, use the median (tail index about 0.9)":                         0.9,
		"larger ones may be missing: do not trust the interval, use the median (tail index about 1.4)": 1.5,
	} {
		var b BatchMeans
		for i := range 4096 { // quantiles in an uncorrelated order
			b.Add(int64(1e6 * math.Pow(1-(float64(i*1731%4096)+0.5)/4096, -1/exponent)))
		}
		if w := b.Interval(0).Warnings; len(w) != 1 || w[0] != "skewed: a few large samples dominate the mean, and "+want {
			t.Errorf("exponent %v: %q", exponent, w)
		}
	}
}

// Samples count as spikes if they are ten times as far above the median as all others, in any order, and rare.
func TestSpikesAreNamed(t *testing.T) {
	for _, c := range []struct {
		name   string
		n      int
		spikes []int64
		want   string
	}{
		{"one", 200, []int64{5000}, "skewed: 1 of 200 samples is a spike, far above all others, and decides the mean and its interval; use the median"},
		{"two", 200, []int64{5000, 9000}, "skewed: 2 of 200 samples are spikes, far above all others, and decide the mean and its interval; use the median"},
		{"one among few", 40, []int64{5000}, "skewed: 1 of 40 samples is a spike, far above all others, and decides the mean and its interval; use the median"},
		{"near", 200, []int64{1450}, ""},
		{"more than one in fifty", 100, []int64{5000, 5001, 5002}, ""},
		{"none", 200, nil, ""},
		{"largest", 200, []int64{math.MaxInt64}, "skewed: 1 of 200 samples is a spike, far above all others, and decides the mean and its interval; use the median"},
	} {
		var b BatchMeans
		for i := range c.n {
			x := int64(1000 + 100*(i*73%c.n)/c.n) // 1000 to 1099, in an uncorrelated order
			if at := c.n/len(append(c.spikes, 0)) - 1; len(c.spikes) > 0 && i%(at+1) == at && i/(at+1) < len(c.spikes) {
				x = c.spikes[i/(at+1)]
			}
			b.Add(x)
		}
		got := ""
		for _, w := range b.Interval(0).Warnings {
			if strings.Contains(w, "spike") {
				got = w
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
