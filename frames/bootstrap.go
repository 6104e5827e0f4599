// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/strobe-go/strobe/stat/dist"
)

// bootstrap makes resamples of a series. Since frame times are correlated, a resample consists of blocks of successive frames,
// with random starts and geometric lengths of a given mean (the stationary bootstrap of Politis and Romano, 1994). Long captures
// are cut into cells of a few frames that stay together. A resample has as many cells of each scene as the capture.
type bootstrap struct {
	sr    *series
	scale float64 // scale of the exponential whose ceiling is the geometric length, in cells; 0 for blocks of one cell
	pcg   rand.PCG
	rng   *rand.Rand
	count []uint32 // how often the tail frame of each rank was drawn
	slow  []float64
	s     sample
}

func newBootstrap(sr *series, length float64) *bootstrap {
	b := &bootstrap{sr: sr, count: make([]uint32, len(sr.times)), slow: make([]float64, 0, len(sr.times)),
		s: sample{sum: make([]float64, sr.stride), edge: sr.edge}}
	if cells := length / float64(sr.cell); cells > 1 {
		b.scale = -1 / math.Log1p(-1/cells)
	}
	b.rng = rand.New(&b.pcg)
	return b
}

// draw makes the resample of a seed and number. It is valid until the next draw.
func (b *bootstrap) draw(seed, number uint64) *sample {
	b.pcg.Seed(seed, number)
	clear(b.count)
	clear(b.s.sum)
	for i, start := range b.sr.scenes {
		end := b.sr.cells
		if i+1 < len(b.sr.scenes) {
			end = b.sr.scenes[i+1]
		}
		b.drawScene(start, end)
	}
	b.slow = b.slow[:0]
	for rank, times := range b.count {
		for ; times > 0; times-- {
			b.slow = append(b.slow, b.sr.times[rank])
		}
	}
	b.s.n, b.s.ties = int(b.s.sum[sumFrames]), int(b.s.sum[sumTies])
	b.s.slow, b.s.short = b.slow, false
	return &b.s
}

// drawScene draws as many cells from a scene as it has.
func (b *bootstrap) drawScene(start, end int) {
	for left := end - start; left > 0; {
		size := 1
		if b.scale > 0 {
			size = int(min(1+b.scale*b.rng.ExpFloat64(), float64(left)))
		}
		left -= size
		from := start + b.rng.IntN(end-start)
		for size > 0 { // a block that reaches the end continues at the start
			to := min(end, from+size)
			b.take(from, to)
			size -= to - from
			from = start
		}
	}
}

func (b *bootstrap) take(from, to int) {
	sr := b.sr
	lo, hi := sr.running[from*sr.stride:][:sr.stride], sr.running[to*sr.stride:][:sr.stride]
	for q := range b.s.sum {
		b.s.sum[q] += hi[q] - lo[q]
	}
	for _, rank := range sr.tail[sr.first[from]:sr.first[to]] {
		b.count[rank]++
	}
}

// resampler is a series with the block length that suits it.
type resampler struct {
	sr    *series
	block float64 // mean block length, frames
}

// replicates returns the values of every definition over the resamples, or nil for a definition that has no value in one of them.
// The result does not depend on the number of processors.
func (r resampler) replicates(defs []definition, o Options) [][]float64 {
	out := make([][]float64, len(defs))
	if o.Level < 0 || o.Resamples < 0 || len(r.sr.frames) < 2 {
		return out
	}
	times := o.resamples(len(r.sr.frames))
	for i, d := range defs {
		if d.resampled() {
			out[i] = make([]float64, times)
		}
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), times, 16) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			b := newBootstrap(r.sr, r.block)
			var full *bootstrap
			for {
				number := int(next.Add(1)) - 1
				if number >= times {
					return
				}
				if values(defs, out, number, b.draw(o.Seed, uint64(number))) {
					continue
				}
				if full == nil { // this resample has too few slow frames: draw it again with all frames
					full = newBootstrap(r.sr.complete(), r.block)
				}
				values(defs, out, number, full.draw(o.Seed, uint64(number)))
			}
		}()
	}
	wait.Wait()
	for i := range out {
		if slices.ContainsFunc(out[i], math.IsNaN) {
			out[i] = nil
		}
	}
	return out
}

// values computes every definition on a resample, NaN where it does not exist. It reports false when the resample has too few
// slow frames.
func values(defs []definition, out [][]float64, number int, s *sample) bool {
	for i, d := range defs {
		if out[i] == nil {
			continue
		}
		v, _, ok := d.value(s)
		if !ok || math.IsInf(v, 0) {
			v = math.NaN()
		}
		out[i][number] = v
	}
	return !s.short
}

// percentiles returns the range of the central replicates, corrected for their median bias (Efron's bias-corrected percentiles,
// 1981: lows are biased because a resample often misses the worst frame), and widened to contain the figure itself. Resamples of
// few independent events vary too little, so Student's t and the factor sqrt(n/(n-1)) widen the percentiles (Hesterberg's
// expanded percentiles, 2015).
func percentiles(replicates []float64, level, figure, independent float64) (lo, hi float64) {
	sorted := slices.Clone(replicates)
	slices.Sort(sorted)
	n := float64(len(sorted))
	below, _ := slices.BinarySearch(sorted, figure)
	upTo, _ := slices.BinarySearch(sorted, math.Nextafter(figure, math.Inf(1)))
	middle := min(max(float64(below+upTo)/2/n, 1/n), 1-1/n)
	freedom := max(1, independent-1)
	bias, reach := math.Erfinv(2*middle-1), dist.StudentUpper((1-level)/2, freedom)/math.Sqrt2
	if independent < math.Inf(1) {
		reach *= math.Sqrt((freedom + 1) / freedom)
	}
	at := func(e float64) float64 {
		p := (1 + math.Erf(2*bias+e)) / 2
		return sorted[min(int(p*n), len(sorted)-1)]
	}
	return min(at(-reach), figure), max(at(reach), figure)
}
