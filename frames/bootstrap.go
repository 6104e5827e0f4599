// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"math"
	"math/rand/v2"
	"slices"
)

// bootstrap computes every definition on resamples of a capture. Resamples are
// made of blocks of frames in their order, with random starts and geometric
// lengths of mean length (the stationary bootstrap of Politis and Romano,
// 1994), because frame times are correlated.
type bootstrap struct {
	sr     *series
	length float64 // mean block length, frames
	rng    *rand.Rand
	count  []uint32 // how often the frame of each rank was drawn
	s      sample
}

func newBootstrap(sr *series, length float64, seed uint64) *bootstrap {
	n := len(sr.frames)
	return &bootstrap{
		sr: sr, length: max(1, length), rng: rand.New(rand.NewPCG(seed, 0)),
		count: make([]uint32, n), s: sample{slow: make([]float64, n)},
	}
}

// draw makes one resample. It is valid until the next draw.
func (b *bootstrap) draw() *sample {
	n := len(b.sr.frames)
	clear(b.count)
	b.s.sum = [quantities]float64{}
	scale := 0.0 // of the exponential whose ceiling is the geometric length
	if b.length > 1 {
		scale = -1 / math.Log1p(-1/b.length)
	}
	for left := n; left > 0; {
		size := 1
		if scale > 0 {
			size = int(min(1+scale*b.rng.ExpFloat64(), float64(left)))
		}
		left -= size
		from := b.rng.IntN(n)
		for size > 0 { // a block that passes the end goes on at the start
			to := min(n, from+size)
			b.take(from, to)
			size -= to - from
			from = 0
		}
	}
	slow := b.s.slow[:0]
	for rank, times := range b.count {
		for ; times > 0; times-- {
			slow = append(slow, b.sr.whole.slow[rank])
		}
	}
	return &b.s
}

func (b *bootstrap) take(from, to int) {
	lo, hi := &b.sr.running[from], &b.sr.running[to]
	for q := range b.s.sum {
		b.s.sum[q] += hi[q] - lo[q]
	}
	for _, rank := range b.sr.rank[from:to] {
		b.count[rank]++
	}
}

// resampler is a series with the block length that suits it.
type resampler struct {
	sr    *series
	block float64 // mean block length, frames
}

func newResampler(x []float64, mark []bool) resampler {
	return resampler{newSeries(x, mark), blockLength(x)}
}

// replicates returns the values of every definition over the resamples, or nil
// for a definition that did not exist in one of them.
func (r resampler) replicates(defs []definition, o Options) [][]float64 {
	out := make([][]float64, len(defs))
	n := len(r.sr.frames)
	if o.Level < 0 || o.Resamples < 0 || n < 2 {
		return out
	}
	times := o.resamples(n)
	for i, d := range defs {
		if d.fixed == "" && d.mean == ofNothing {
			out[i] = make([]float64, 0, times)
		}
	}
	b := newBootstrap(r.sr, r.block, o.Seed)
	for range times {
		s := b.draw()
		for i, d := range defs {
			if out[i] == nil {
				continue
			}
			v, _, ok := d.value(s)
			if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
				out[i] = nil
				continue
			}
			out[i] = append(out[i], v)
		}
	}
	return out
}

// percentiles returns the central level of replicates, shifted by their median
// bias against the figure (Efron's bias-corrected percentiles, 1981: lows are
// biased, since a resample misses the worst frame more often than not), and
// widened to hold the figure itself.
func percentiles(replicates []float64, level, figure float64) (lo, hi float64) {
	sorted := slices.Clone(replicates)
	slices.Sort(sorted)
	n := float64(len(sorted))
	below, _ := slices.BinarySearch(sorted, figure)
	upTo, _ := slices.BinarySearch(sorted, math.Nextafter(figure, math.Inf(1)))
	middle := min(max(float64(below+upTo)/2/n, 1/n), 1-1/n)
	bias, reach := math.Erfinv(2*middle-1), math.Erfinv(level)
	at := func(e float64) float64 {
		p := (1 + math.Erf(2*bias+e)) / 2
		return sorted[min(int(p*n), len(sorted)-1)]
	}
	return min(at(-reach), figure), max(at(reach), figure)
}
