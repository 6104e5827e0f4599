// SPDX-License-Identifier: BSD-3-Clause

package bisect

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strobe-go/strobe/stat/decide"
)

// evidence returns the logarithm of the probability of what was measured if levels begin at some revisions, times that of their
// doing so, computed for each level by integrating over it numerically.
func evidence(p *posterior, s *series, begins []bool) float64 {
	all := 0.0
	for i := 0; i < p.n; {
		j := i + 1
		for j < p.n && !begins[j] {
			if math.IsInf(p.begin[j], -1) || s.revisions[j].change == changed {
				if s.revisions[j].change == changed {
					return math.Inf(-1)
				}
			} else {
				all += math.Log1p(-math.Exp(p.begin[j]))
			}
			j++
		}
		sum, step := 0.0, math.Sqrt(p.width)/300
		for x := p.center - 8*math.Sqrt(p.width); x < p.center+8*math.Sqrt(p.width); x += step {
			density := math.Exp(-(x-p.center)*(x-p.center)/p.width/2) / math.Sqrt(2*math.Pi*p.width)
			for k := i; k < j; k++ {
				if wy, w := s.weigh(k, p.noise); w > 0 {
					density *= math.Exp(-w*(x-wy/w)*(x-wy/w)/2) * math.Sqrt(w)
				}
			}
			sum += density * step
		}
		all += math.Log(sum)
		if j < p.n {
			all += p.begin[j]
		}
		i = j
	}
	return all
}

// The recursion gives what summing over all sets of changes gives.
func TestThePosteriorIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for try := range 6 {
		const n = 6
		s := newSeries(n, 2)
		for i := range n {
			for layout := range rng.IntN(3) {
				s.add(i, 1+layout, []float64{0.1*float64(i/3) + 0.05*rng.NormFloat64(), 0.1*float64(i/3) + 0.05*rng.NormFloat64()})
			}
		}
		if try%3 == 1 {
			s.set(2, same)
		}
		if try%3 == 2 {
			s.set(4, changed)
		}
		p := s.fit()
		all, at := 0.0, make([]float64, n)
		for set := range 1 << (n - 1) {
			begins := make([]bool, n)
			for i := 1; i < n; i++ {
				begins[i] = set>>(i-1)&1 == 1
			}
			w := math.Exp(evidence(p, s, begins))
			all += w
			for i, ok := range begins {
				if ok {
					at[i] += w
				}
			}
		}
		for i := 1; i < n; i++ {
			if got, want := p.probability(i), at[i]/all; math.Abs(got-want) > 1e-3 {
				t.Errorf("try %d, revision %d: %v, want %v", try, i, got, want)
			}
		}
	}
}

func TestAStepIsWhereTheMeasurementsAre(t *testing.T) {
	s := newSeries(40, 4)
	rng := rand.New(rand.NewPCG(2, 1))
	for _, i := range []int{0, 10, 19, 20, 30, 39} {
		for layout := range 3 {
			x := 0.0
			if i >= 20 {
				x = 0.2
			}
			s.add(i, 1+layout, []float64{x + 0.01*rng.NormFloat64(), x + 0.01*rng.NormFloat64(), x + 0.01*rng.NormFloat64()})
		}
	}
	all := s.fit().changes()
	if len(all) != 1 || all[0].set[0] != 20 || all[0].first < 0.99 || math.Abs(all[0].by-0.2) > 0.02 || all[0].above(0.1) < 0.99 || all[0].above(0.3) > 0.01 {
		t.Errorf("%+v", all)
	}
	v := s.fit().variances()
	if v[20] > v[25] || v[25] > 0.001 {
		t.Errorf("variances %v", v)
	}
}

func TestNoiseIsEstimatedFromRoundsAndBuilds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, want := range []noise{{0.02, 0.001}, {0.02, 0.03}, {0.1, 0.01}} {
		s := newSeries(60, 4)
		for i := range 60 {
			for layout := range 3 {
				effect := want.jitter * rng.NormFloat64()
				var rounds []float64
				for range 6 {
					rounds = append(rounds, effect+want.scatter*rng.NormFloat64())
				}
				rounds[rng.IntN(6)] += float64(rng.IntN(10) / 9) // now and then something else runs
				s.add(i, 1+layout, rounds)
			}
		}
		got := s.noise()
		if math.Abs(got.scatter/want.scatter-1) > 0.2 || math.Abs(got.jitter-want.jitter) > 0.2*want.jitter+0.2*want.scatter {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if got := newSeries(3, 1).noise(); got.scatter != usual || got.jitter != usual {
		t.Errorf("of nothing %+v", got)
	}
	s := newSeries(3, 1)
	s.add(1, 1, []float64{0.5, 0.5}) // counts that repeat
	if got := s.noise(); got.scatter != least || got.jitter > 2*least {
		t.Errorf("of counts %+v", got)
	}
}

func TestASearchIsTheSameAfterItWasReplayed(t *testing.T) {
	h := newHistory(40, 1, recordings(t, "self.csv"))
	h.step(23, 0.2)
	var told []func(s *Search)
	a := NewSearch(40, 0.02, layouts)
	for l := range layouts {
		rounds := h.measure(39, 1+l)
		told = append(told, func(s *Search) { s.Measured(39, 1+l, rounds) })
		told[l](a)
	}
	for step := a.Next(); step.Do != Stop; step = a.Next() {
		b := NewSearch(40, 0.02, layouts)
		for _, f := range told {
			f(b)
		}
		if got := b.Next(); got != step || a.Next() != step {
			t.Fatalf("%+v and %+v", got, step)
		}
		f := func(s *Search) { s.Compared(step.Revision, step.Earlier, decide.Failed) }
		if step.Do == Measure {
			rounds := h.measure(step.Revision, step.Layout)
			f = func(s *Search) { s.Measured(step.Revision, step.Layout, rounds) }
		}
		told = append(told, f)
		f(a)
	}
	if c := a.Confirmed(); len(c) != 1 || !slices.Equal(c[0].Revisions, []int{23}) {
		t.Errorf("%+v", c)
	}
}

func TestRevisionsWithOneProgramAreMeasuredOnce(t *testing.T) {
	s := NewSearch(10, 0.02, layouts)
	for l := range layouts {
		s.Measured(9, 1+l, []float64{0.5, 0.501})
	}
	if s.Built(0, "old") || s.Built(9, "new") {
		t.Error("the ends are measured elsewhere")
	}
	if !s.Built(4, "old") || !s.Built(6, "new") || s.Built(4, "old") {
		t.Error("what has the program of an end is not measured there")
	}
	for i, p := range s.Probabilities() {
		if possible := i == 5 || i == 6; (p > 0) != possible {
			t.Errorf("revision %d has the probability %v", i, p)
		}
	}
	for range 20 {
		switch step := s.Next(); {
		case step.Do == Compare:
			if step.Revision != 5 && step.Revision != 6 {
				t.Errorf("%+v", step)
			}
			return
		case step.Revision == 4 || step.Revision == 6:
			t.Fatalf("%+v", step)
		case step.Revision == 5:
			s.Measured(5, step.Layout, []float64{0.5, 0.499})
		default:
			s.Measured(step.Revision, step.Layout, []float64{0.001, 0.5 * float64(step.Revision/9)})
		}
	}
	t.Error("nothing is compared")
}

func TestLayoutsThatDifferMoreThanTheRiseProveNothing(t *testing.T) {
	for _, c := range []struct {
		layouts []float64
		want    bool
	}{
		{nil, false}, {[]float64{0.1}, true}, {[]float64{0.01}, false}, {[]float64{0.1, 0.101, 0.099, 0.1}, true}, {[]float64{0.2, -0.1, 0.2, 0.2}, false},
		{[]float64{0.1, 0.1, 0, 0}, false}, {[]float64{0.02, 0.02, 0.02}, false},
	} {
		if got := Apart(c.layouts, 0.02, 0.005); got != c.want {
			t.Errorf("%v: %v", c.layouts, got)
		}
	}
}

func BenchmarkNext(b *testing.B) {
	s := NewSearch(200, 0.02, layouts)
	for i := range 20 {
		s.Measured(10*i, 9, []float64{float64(i / 7), 0.1 + float64(i/7)})
	}
	for b.Loop() {
		s.series.post = nil
		s.Next()
	}
}
