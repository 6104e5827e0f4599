// SPDX-License-Identifier: BSD-3-Clause

package bisect

import "math"

const (
	expected  = 1.0  // changes in a series before anything is measured
	narrowest = 0.05 // least standard deviation of the levels before anything is measured
)

// A posterior is the distribution of the changes and the levels of a series, given its measurements. A level begins at the first
// revision and at each change.
type posterior struct {
	n      int
	noise  noise
	begin  []float64 // logarithm of the probability that a level begins at a revision, before anything is measured; 0 for the first
	center float64   // mean of a level, before anything is measured
	width  float64   // its variance

	// Sums over the revisions before an index.
	kept  []float64 // of the logarithms of the probability that no level begins
	fixed []int     // of the number of certain changes
	w     []float64 // of the information w about the costs y
	wy    []float64 // of w*y
	wyy   []float64 // of w*y*y
	lw    []float64 // of the logarithms of w

	before []float64 // logarithm of the probability of what was measured before an index, if a level begins there
	after  []float64 // of what was measured from there on
}

// fit returns the posterior.
func (s *series) fit() *posterior {
	if s.post != nil {
		return s.post
	}
	n := len(s.revisions)
	row := func() []float64 { return make([]float64, n+1) }
	p := &posterior{n: n, noise: s.noise(), begin: row(), kept: row(), fixed: make([]int, n+1), w: row(), wy: row(), wyy: row(), lw: row(), before: row(), after: row()}
	p.gather(s)
	for j := 1; j <= n; j++ {
		var all sumOfExp
		for i := range j { // the last level begins at i
			all.add(p.before[i] + p.begin[i] + p.one(i, j))
		}
		p.before[j] = all.log()
	}
	for i := n - 1; i >= 0; i-- {
		var all sumOfExp
		for j := i + 1; j <= n; j++ { // the first level ends before j
			all.add(p.one(i, j) + p.begin[j] + p.after[j])
		}
		p.after[i] = all.log()
	}
	s.post = p
	return p
}

// gather computes everything that depends on single revisions.
func (p *posterior) gather(s *series) {
	rate := min(0.5, expected/float64(max(1, p.n-1)))
	low, high := math.Inf(1), math.Inf(-1)
	for i := range p.n {
		p.kept[i+1], p.fixed[i+1] = p.kept[i], p.fixed[i]
		switch {
		case i == 0:
		case s.revisions[i].change == same:
			p.begin[i] = math.Inf(-1)
		case s.revisions[i].change == changed:
			p.fixed[i+1]++
		default:
			p.begin[i] = math.Log(rate)
			p.kept[i+1] += math.Log1p(-rate)
		}
		sum, w := s.weigh(i, p.noise)
		p.w[i+1], p.wy[i+1], p.wyy[i+1], p.lw[i+1] = p.w[i]+w, p.wy[i]+sum, p.wyy[i], p.lw[i]
		if w > 0 {
			p.wyy[i+1] += sum * sum / w
			p.lw[i+1] += math.Log(w)
			low, high = min(low, sum/w), max(high, sum/w)
		}
	}
	if high >= low {
		p.center, p.width = (low+high)/2, (high-low)*(high-low)
	}
	p.width = max(p.width, narrowest*narrowest)
}

// one returns the logarithm of the probability that the revisions from i up to j have one level and of what was measured of them,
// if a level begins at i.
func (p *posterior) one(i, j int) float64 {
	if p.fixed[j] > p.fixed[i+1] {
		return math.Inf(-1)
	}
	kept := p.kept[j] - p.kept[i+1]
	w := p.w[j] - p.w[i]
	if w <= 0 {
		return kept
	}
	// The level is normal around the center, and so are the measurements around the level.
	wy, wyy := p.wy[j]-p.wy[i], p.wyy[j]-p.wyy[i]
	y, yy := wy-w*p.center, wyy-2*p.center*wy+w*p.center*p.center
	return kept + (p.lw[j]-p.lw[i]-math.Log1p(p.width*w)-yy+p.width*y*y/(1+p.width*w))/2
}

// level returns the mean and the variance of the level of the revisions from i up to j, if they have one.
func (p *posterior) level(i, j int) (mean, variance float64) {
	variance = 1 / (p.w[j] - p.w[i] + 1/p.width)
	return (p.wy[j] - p.wy[i] + p.center/p.width) * variance, variance
}

// change returns the probability that a level begins at i, which is above 0, and the mean and the variance of by how much it is
// above the level before it, if it does.
func (p *posterior) change(i int) (probability, by, variance float64) {
	probability = p.probability(i)
	if probability == 0 {
		return 0, 0, 0
	}
	var old, next mixture
	for k := range i {
		mean, v := p.level(k, i)
		old.add(math.Exp(p.before[k]+p.begin[k]+p.one(k, i)-p.before[i]), mean, v)
	}
	for k := i + 1; k <= p.n; k++ {
		mean, v := p.level(i, k)
		next.add(math.Exp(p.one(i, k)+p.begin[k]+p.after[k]-p.after[i]), mean, v)
	}
	m0, v0 := old.moments()
	m1, v1 := next.moments()
	return probability, m1 - m0, v0 + v1
}

// probability returns that of a level beginning at i, which is above 0.
func (p *posterior) probability(i int) float64 {
	return min(1, math.Exp(p.before[i]+p.begin[i]+p.after[i]-p.after[0]))
}

// variances returns the variance of the cost of each revision.
func (p *posterior) variances() []float64 {
	ends := make([]mixture, p.n+1) // what begins at an index, less what ends before it
	for i := range p.n {
		for j := i + 1; j <= p.n; j++ {
			weight := math.Exp(p.before[i] + p.begin[i] + p.one(i, j) + p.begin[j] + p.after[j] - p.after[0])
			mean, v := p.level(i, j)
			ends[i].add(weight, mean, v)
			ends[j].add(-weight, mean, v)
		}
	}
	out := make([]float64, p.n)
	var all mixture
	for i := range out {
		all = mixture{all.weight + ends[i].weight, all.sum + ends[i].sum, all.squares + ends[i].squares}
		_, out[i] = all.moments()
	}
	return out
}

// A mixture adds distributions up.
type mixture struct{ weight, sum, squares float64 }

func (m *mixture) add(weight, mean, variance float64) {
	m.weight += weight
	m.sum += weight * mean
	m.squares += weight * (mean*mean + variance)
}

func (m *mixture) moments() (mean, variance float64) {
	mean = m.sum / m.weight
	return mean, max(0, m.squares/m.weight-mean*mean)
}

// A sumOfExp is a sum of exponentials of numbers too small for a float64.
type sumOfExp struct {
	most, sum float64 // the sum is of the exponentials of the numbers less most
}

func (s *sumOfExp) add(x float64) {
	switch {
	case math.IsInf(x, -1):
	case s.sum == 0:
		s.most, s.sum = x, 1
	case x > s.most:
		s.most, s.sum = x, s.sum*math.Exp(s.most-x)+1
	default:
		s.sum += math.Exp(x - s.most)
	}
}

// log returns the logarithm of the sum, minus infinity if nothing was added.
func (s *sumOfExp) log() float64 { return s.most + math.Log(s.sum) }
