// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/strobe-go/strobe/internal/long"
	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/stat/dist"
)

// noiseTable holds equally likely values of a distribution with mean 0 and variance 1. Drawing one takes a fifth of the time of
// drawing from the distribution, and the simulation draws half a billion.
type noiseTable [1 << 16]float64

func newNoiseTable(upper func(q float64) float64) *noiseTable {
	var t noiseTable
	sum, squares := 0.0, 0.0
	for i := range t {
		t[i] = upper((float64(i) + 0.5) / float64(len(t)))
		sum += t[i]
	}
	for i := range t {
		t[i] -= sum / float64(len(t))
		squares += t[i] * t[i]
	}
	for i := range t {
		t[i] /= math.Sqrt(squares / float64(len(t)))
	}
	return &t
}

// A process is a stationary series whose mean is known.
type process struct {
	name  string
	noise *noiseTable
	truth float64
	see   func(x float64) float64 // from the autoregression to the sample; nil is x itself
}

var phis = [...]float64{0, 0.5, 0.8, 0.9, 0.98}

// A plan says how many streams to draw up to each length. A stream counts for every shorter length too.
type plan []struct {
	n, streams int
	byWidth    bool // see byWidth
}

// byWidth returns the probability that an interval of half-width h around the mean of n samples covers the true mean. The mean of
// many samples of an autoregression is normal with a known standard deviation, and independent of the width. So the width
// determines the probability, with a hundredth of the variance of counting hits.
func byWidth(phi float64, n int, h float64) float64 {
	count := float64(n)
	variance := ((1+phi)/(1-phi) - 2*phi*(1-math.Pow(phi, count))/(count*(1-phi)*(1-phi))) / count
	return math.Erf(h / 1e6 / math.Sqrt(2*variance))
}

// coverage returns, for each length of the plan and each φ, the share of streams whose 95 % interval of the mean holds
// the true mean. Samples are integers with a standard deviation of a million.
//
// All φ share the noise, so their figures are not independent of each other.
func coverage(p process, lengths plan) [][len(phis)]float64 {
	const workers = 4
	hits := make([][workers][len(phis)]float64, len(lengths))
	var wait sync.WaitGroup
	for w := range workers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			r := rand.New(rand.NewPCG(uint64(len(p.name)), uint64(w)))
			for last := range lengths {
				for range lengths[last].streams / workers {
					streams := stationary(p, r)
					at := 0
					for i, l := range lengths[:last+1] {
						streams.extend(p, r, l.n-at)
						at = l.n
						for f := range phis {
							switch iv := streams.batches[f].Interval(0.95); {
							case l.byWidth:
								hits[i][w][f] += byWidth(phis[f], l.n, iv.Half())
							case iv.Lo <= p.truth*1e6 && p.truth*1e6 <= iv.Hi:
								hits[i][w][f]++
							}
						}
					}
				}
			}
		}()
	}
	wait.Wait()
	shares := make([][len(phis)]float64, len(lengths))
	for i := range lengths {
		streams := 0
		for _, l := range lengths[i:] {
			streams += l.streams / workers * workers
		}
		for f := range phis {
			for w := range workers {
				shares[i][f] += 100 * hits[i][w][f] / float64(streams)
			}
		}
	}
	return shares
}

// streams is one stream for each φ, all of the same noise.
type streams struct {
	x, gain [len(phis)]float64
	batches [len(phis)]BatchMeans
}

func stationary(p process, r *rand.Rand) *streams {
	var s streams
	for f, phi := range phis {
		s.gain[f] = math.Sqrt(1 - phi*phi)
	}
	for range 600 { // 0.98^600 is 5e-6
		e := p.noise[r.Uint64()&(1<<16-1)]
		for f, phi := range phis {
			s.x[f] = phi*s.x[f] + s.gain[f]*e
		}
	}
	return &s
}

// extend adds n samples to every stream.
func (s *streams) extend(p process, r *rand.Rand, n int) {
	for n > 0 {
		bits := r.Uint64() // four draws
		for range min(4, n) {
			e := p.noise[bits&(1<<16-1)]
			bits >>= 16
			for f, phi := range phis {
				s.x[f] = phi*s.x[f] + s.gain[f]*e
				v := s.x[f]
				if p.see != nil {
					v = p.see(v)
				}
				s.batches[f].Add(int64(1e6 * v))
			}
		}
		n -= 4
	}
}

func TestBatchMeansCoverWhatTheyPromise(t *testing.T) {
	lengths := plan{{n: 1000, streams: 8000}, {n: 4200, byWidth: true}, {n: 10000, streams: 400, byWidth: true}, {n: 100000, streams: 150, byWidth: true}}
	short := !long.Enabled || testing.Short() || race.Enabled || math.MaxInt == math.MaxInt32
	noise := 0.3 // standard error of the simulation, in percent
	if short {
		lengths, noise = plan{{n: 1000, streams: 2000}}, 0.6
		t.Log("smaller: n = 1000 and 2000 streams only, without the tag long, under -short or -race and on 32 bits")
	}
	var table strings.Builder
	table.WriteString("| samples | number |")
	for _, phi := range phis {
		fmt.Fprintf(&table, " φ = %v |", phi)
	}
	table.WriteString("\n|---|---:|" + strings.Repeat("---:|", len(phis)) + "\n")
	normal := newNoiseTable(dist.NormalUpper)
	for _, p := range []process{
		{name: "normal", noise: normal},
		{name: "skewed", noise: newNoiseTable(func(q float64) float64 { return -math.Log(q) })}, // of skewness 2
		{name: "lognormal", noise: normal, // samples of skewness 3.3, whatever φ
			see: func(x float64) float64 { return math.Exp(0.75 * x) }, truth: math.Exp(0.75 * 0.75 / 2)},
	} {
		lengths := lengths
		if p.see != nil && !short {
			lengths = plan{{n: 1000, streams: 8000}, {n: 4200}, {n: 10000, streams: 2000}} // at 100000 skewness has averaged out
		}
		for i, shares := range coverage(p, lengths) {
			line := ""
			for f, share := range shares {
				line += fmt.Sprintf("  φ=%v %.1f", phis[f], share)
				if share < 94-noise || share > 96.5+noise {
					t.Errorf("n=%d, %s, φ=%v: 95 %% intervals cover %.2f %%", lengths[i].n, p.name, phis[f], share)
				}
			}
			t.Logf("n=%-6d %-9s %s", lengths[i].n, p.name, line)
			fmt.Fprintf(&table, "| %s | %d |", p.name, lengths[i].n)
			for _, share := range shares {
				fmt.Fprintf(&table, " %.1f |", share)
			}
			table.WriteByte('\n')
		}
	}
	if short {
		t.Log("docs/coverage.md is compared by ./check long only")
		return
	}
	documented(t, "autoregressions", table.String())
}
