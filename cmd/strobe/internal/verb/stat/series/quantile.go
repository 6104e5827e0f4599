// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"fmt"
	"math"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/dist"
)

// A Quantile has a value and its interval, or the reason why it has none.
type Quantile struct {
	Q        float64
	Value    float64
	Interval stat.Interval
}

// Quantiles returns the quantiles that Options named.
//
// The interval of a quantile v is derived from that of the share of samples up to v (Woodruff, JASA 47, 1952): batch means
// estimate the equivalent number of independent samples, and their order statistics give the ranks between which v lies.
func (s *Series) Quantiles(level float64) []Quantile {
	r := s.ranking()
	out := make([]Quantile, len(s.at))
	for i, q := range s.at {
		v := r.quantile(q)
		out[i] = Quantile{q, v, rankInterval(q, v, s.shareBelow(i, v).Interval(level), s.group(), r)}
	}
	return out
}

// shareBelow returns batch means of the number of samples in each group that do not exceed a quantile.
func (s *Series) shareBelow(i int, v float64) *stat.BatchMeans {
	if s.stream != nil {
		return &s.stream.cuts[i].groups
	}
	var b stat.BatchMeans
	bound := int64(math.Floor(v * math.Pow10(s.digits)))
	for _, x := range s.kept {
		if x <= bound {
			b.Add(1)
		} else {
			b.Add(0)
		}
	}
	return &b
}

func (s *Series) group() float64 {
	if s.stream != nil {
		return groupSize
	}
	return 1
}

func rankInterval(q, v float64, share stat.Interval, group float64, r ranking) stat.Interval {
	n := float64(r.n())
	if !share.Bounded() {
		return stat.Point(v, r.n(), "order statistics by batch means", share.Reason)
	}
	iv := stat.Interval{Center: v, Level: share.Level, Method: "order statistics by batch means", N: r.n(), NEff: n, Warnings: share.Warnings}
	// Skewness extends one side of the interval of the share; order statistics already allow for most of it. Counts cannot exceed
	// the size of a group, so there is no tail to allow for.
	longest := 2.0
	if group > 1 {
		longest = 1.25
	}
	p, half := share.Center/group, min(share.Half(), longest*min(share.Hi-share.Center, share.Center-share.Lo))/group
	z := dist.NormalUpper((1 - iv.Level) / 2)
	if half > 0 && p > 0 && p < 1 {
		iv.NEff = max(1, min(n, z*z*p*(1-p)/(half*half)))
	}
	lo, hi, ok := ranks(math.Round(iv.NEff), q, iv.Level)
	if !ok {
		reason := "equivalent to only " + layout.Plural(uint64(math.Round(iv.NEff)), "independent sample")
		if _, _, ok := ranks(n, q, iv.Level); !ok { // not even as independent ones
			reason = fmt.Sprintf("%.0f numbers are too few", n)
		}
		none := stat.Point(v, r.n(), iv.Method, reason)
		none.NEff = iv.NEff
		return none
	}
	iv.Lo, _ = r.at(lo)
	_, iv.Hi = r.at(hi)
	iv.Lo, iv.Hi = min(v, iv.Lo), max(v, iv.Hi)
	return iv
}

// ranks returns the fractions of the ranks of m independent samples between which the quantile q lies at the level; ok
// is false when there are too few samples for both bounds.
func ranks(m, q, level float64) (lo, hi float64, ok bool) {
	tail := (1 - level) / 2
	sd := math.Sqrt(m * q * (1 - q))
	first, last := 0.0, m // P(fewer than first samples lie below) <= tail, and so on
	if sd > 100 {
		z := dist.NormalUpper(tail)
		first, last = math.Floor(m*q-z*sd), math.Ceil(m*q+z*sd)+1
	} else {
		from := max(0, math.Floor(m*q-20*sd-20))
		sum := 0.0 // P(X < k)
		for k := from; k <= m; k++ {
			if sum <= tail {
				first = k
			}
			if sum >= 1-tail {
				last = k
				break
			}
			sum += binomial(k, m, q)
			last = k + 1
		}
	}
	if first < 1 || last > m {
		return 0, 0, false
	}
	return (first - 0.5) / m, (last - 0.5) / m, true
}

// binomial returns P(X = k) of m trials of probability p.
func binomial(k, m, p float64) float64 {
	if p <= 0 || p >= 1 {
		return 0
	}
	lg := func(x float64) float64 { v, _ := math.Lgamma(x + 1); return v }
	return math.Exp(lg(m) - lg(k) - lg(m-k) + k*math.Log(p) + (m-k)*math.Log1p(-p))
}
