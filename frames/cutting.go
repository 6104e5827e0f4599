// SPDX-License-Identifier: BSD-3-Clause

package frames

import "math"

const (
	sceneCells  = 128 // number of parts of a capture, whose means are compared
	fewestCells = 64
	mostScenes  = 8
	leastStep   = 0.01 // smaller steps, relative to the level, do not separate scenes
)

// sceneStarts returns the first frames of the scenes of a capture, the first of which is 0. The cuts minimize the sum of squares
// within scenes of the means of parts. The number of scenes is the largest for which each differs from the previous one by more
// than an autoregression explains that has the remaining scatter and correlation. Cutting a wandering series reduces both, so a
// larger correlation is assumed, increasing with the number of scenes.
func sceneStarts(x []float64) []int {
	size := max(8, (len(x)+sceneCells-1)/sceneCells)
	w := make([]float64, len(x)/size)
	for i := range w {
		w[i] = exactSum(x[i*size:(i+1)*size]) / float64(size)
	}
	if len(w) < fewestCells {
		return []int{0}
	}
	cut := newCutting(w)
	for k := mostScenes; k > 1; k-- {
		starts := cut.into(k)
		if starts == nil || !cut.differ(starts) {
			continue
		}
		for i, at := range starts[1:] {
			starts[i+1] = edge(x, at*size, size)
		}
		return starts
	}
	return []int{0}
}

// edge finds the frame near at that minimizes the sum of squares if a step is there.
func edge(x []float64, at, reach int) int {
	from, to := max(0, at-2*reach), min(len(x), at+2*reach)
	part := x[from:to]
	mean := exactSum(part) / float64(len(part))
	best, sum := 0.0, 0.0
	for i := 1; i < len(part); i++ {
		sum += part[i-1] - mean
		n, m := float64(i), float64(len(part)-i)
		if gain := sum * sum * (1/n + 1/m); gain > best && from+i >= at-reach && from+i <= at+reach {
			best, at = gain, from+i
		}
	}
	return at
}

// cutting finds the best ways to cut a series into parts.
type cutting struct {
	w           []float64
	sum, square []float64 // of the previous values
	least       int       // minimum number of values of a part
	from        [mostScenes + 1][]int
}

func newCutting(w []float64) *cutting {
	n := len(w)
	c := &cutting{w: w, sum: make([]float64, n+1), square: make([]float64, n+1), least: max(3, n/16)}
	mean := exactSum(w) / float64(n)
	for i, v := range w {
		c.sum[i+1], c.square[i+1] = c.sum[i]+v-mean, c.square[i]+(v-mean)*(v-mean)
	}
	last := make([]float64, n+1) // minimum sum of squares of w[:j] cut into k parts
	for j := range last {
		last[j] = math.Inf(1)
		if j >= c.least {
			last[j] = c.left(0, j)
		}
	}
	for k := 2; k <= mostScenes; k++ {
		next := make([]float64, n+1)
		c.from[k] = make([]int, n+1)
		for j := range next {
			next[j] = math.Inf(1)
			for i := c.least; i+c.least <= j; i++ {
				if v := last[i] + c.left(i, j); v < next[j] {
					next[j], c.from[k][j] = v, i
				}
			}
		}
		last = next
	}
	return c
}

// left returns the sum of squares of a part around its mean.
func (c *cutting) left(i, j int) float64 {
	s := c.sum[j] - c.sum[i]
	return max(0, c.square[j]-c.square[i]-s*s/float64(j-i))
}

// line returns the sum of squares around a straight line.
func (c *cutting) line() float64 {
	n := float64(len(c.w))
	products := 0.0
	for i, s := range c.sum[1:] {
		products += (float64(i) - (n-1)/2) * (s - c.sum[i])
	}
	return max(0, c.square[len(c.w)]-12*products*products/(n*(n*n-1)))
}

// into returns the starts of the k parts, or nil if there is no room for k of them.
func (c *cutting) into(k int) []int {
	if k*c.least > len(c.w) {
		return nil
	}
	starts := make([]int, k)
	for j := len(c.w); k > 1; k-- {
		j = c.from[k][j]
		starts[k-1] = j
	}
	return starts
}

// differ reports whether each part differs from the previous one.
func (c *cutting) differ(starts []int) bool {
	n := len(c.w)
	ends := append(starts[1:len(starts):len(starts)], n)
	means := make([]float64, len(starts))
	rest := make([]float64, 0, n)
	for p, i := range starts {
		means[p] = exactSum(c.w[i:ends[p]]) / float64(ends[p]-i)
		for _, v := range c.w[i:ends[p]] {
			rest = append(rest, v-means[p])
		}
	}
	var squares, products float64
	for i, v := range rest {
		squares += v * v
		if i > 0 {
			products += v * rest[i-1]
		}
	}
	errors := 5.0 // standard errors that a step must have, more for more parts, since there are more ways to cut
	if len(starts) == 2 {
		errors = 4
	}
	k, parts := float64(n), float64(len(starts))
	r := 0.0
	if squares > 0 {
		r = products / squares
	}
	r = max(0, min(0.95, r+(1+4*r)/k+(parts-1)/math.Sqrt(k)))
	if squares/(k-2*parts) > c.line()/(k-2) {
		return false // it drifts
	}
	variance := squares / (k - parts) * (1 + r) / (1 - r)
	for p, i := range starts[1:] {
		before, after := float64(i-starts[p]), float64(ends[p+1]-i)
		step := math.Abs(means[p+1] - means[p])
		if step < leastStep*means[p] || step <= errors*math.Sqrt(variance*(1/before+1/after)) {
			return false
		}
	}
	return true
}
