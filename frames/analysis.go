// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/strobe-go/strobe/stat"
)

// analysis is one capture with everything that its figures share.
type analysis struct {
	o          Options
	defs       []definition
	frames     []float64
	starts     []int  // first frame of each scene, beginning with 0
	mark       []bool // frames that stutter, nil if they were not requested
	resampler  resampler
	share      float64     // share of the slowest frames that resampled figures use
	replicates [][]float64 // of defs; nil for a definition without replicates
	means      map[seriesOf]stat.Interval
	nEff       float64 // number of independent frames that would tell as much about the mean; 0 if unknown

	events map[int]float64 // independent

	capture *Capture
	span    float64 // ms from the first stamp to the last; 0 if unknown
}

// newAnalysis works on a checked capture with resolved options.
func newAnalysis(c Capture, o Options) *analysis {
	a := &analysis{o: o, defs: o.Preset.definitions(o), frames: c.Frames, starts: sceneStarts(c.Frames), means: map[seriesOf]stat.Interval{}, events: map[int]float64{}, capture: &c}
	if o.StutterFactor > 0 {
		a.mark = stutters(c.Frames, o.StutterFactor, o.StutterWindow)
	}
	a.resampler = a.newResampler()
	a.replicates = a.resampler.replicates(a.defs, o)
	if iv := a.meanInterval(ofTimes); iv.Bounded() {
		a.nEff = iv.NEff
	}
	if n := len(c.Starts); n > 1 {
		a.span = max(0, c.Starts[n-1]-c.Starts[0])
	}
	return a
}

func (a *analysis) newResampler() resampler {
	share := 0.0
	for _, d := range a.defs {
		if d.resampled() {
			share = max(share, d.slowShare)
		}
	}
	a.share = share
	return resampler{newSeries(a.frames, a.mark, a.o.Below, share).cutInto(a.starts), blockLength(a.levelled(enoughForBlocks), len(a.frames))}
}

// fill computes every figure with its interval.
func (a *analysis) fill(r *Report) {
	for i, d := range a.defs {
		v, rests, ok := a.resampler.sr.figure(d)
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
			r.Absent = append(r.Absent, Absent{d.key, "too few frames, or frame times that do not vary"})
			continue
		}
		m := Metric{Key: d.key, Name: d.name, Unit: d.unit, Value: v, Text: d.print(v), By: d.by, Definition: d.words, Rests: rests}
		switch {
		case a.o.Level < 0:
			m.none(len(a.frames), "none was asked for")
		case d.fixed != "":
			m.none(len(a.frames), d.fixed)
		case len(a.frames) < 2:
			m.none(len(a.frames), "one frame")
		case d.mean != ofNothing:
			x := extentOf(d.mean.values(a.frames))
			a.place(&m, a.meanInterval(d.mean), x, d.back)
		default:
			a.bootstrapInterval(&m, d, a.replicates[i])
		}
		r.Metrics = append(r.Metrics, m)
	}
	a.nEffMetric(r)
	a.animation(r)
	a.beside(r)
}

// fewestForQuantile and fewestForLow are the numbers of independent frames that a figure of the slow end must rest on to have a
// lower bound. A capture bounds a quantile if it is unlikely to have no frame beyond it: exp(-3.7) is about 1/40. A mean of the
// slow end, or a place in its sum, needs more.
const (
	fewestForQuantile = 3.7
	fewestForLow      = 10.0
)

// independent returns the number of independent events among the slowest frames, since the frames of one hitch come together. It
// is the smaller of two estimates, because either may be far too large by chance: one derives from the effective number of all
// frames, the other counts frames within a block of each other as one.
func (a *analysis) independent(slowest int) float64 {
	if k, ok := a.events[slowest]; ok {
		return k
	}
	bound := a.resampler.sr.slowest(slowest)
	slow := a.inScenes(func(from, to int) iter.Seq[float64] {
		return func(yield func(float64) bool) {
			for _, x := range a.frames[from:to] {
				is := 0.0
				if x >= bound {
					is = 1
				}
				if !yield(is) {
					return
				}
			}
		}
	})
	k := float64(slowest)
	if iv := meanOf(slow, a.o.Level); iv.Bounded() {
		k *= min(1, iv.NEff/float64(len(a.frames)))
	}
	k = min(k, a.apart(bound))
	a.events[slowest] = k
	return k
}

// apart counts the frames at least as long as bound. A frame within a block of the previous one is not counted again.
func (a *analysis) apart(bound float64) float64 {
	n, last := 0, math.Inf(-1)
	for i, x := range a.frames {
		if x >= bound {
			if float64(i)-last > a.resampler.block {
				n++
			}
			last = float64(i)
		}
	}
	return float64(n)
}

func (a *analysis) bootstrapInterval(m *Metric, d definition, replicates []float64) {
	switch {
	case a.o.Resamples < 0:
		m.none(len(a.frames), "the bootstrap is switched off")
		return
	case replicates == nil:
		m.none(len(a.frames), "the figure does not exist in every resample")
		return
	case m.Unit == Share && (m.Value == 0 || m.Value == 1):
		a.unanimous(m)
		return
	}
	method := fmt.Sprintf("stationary bootstrap, %d resamples, mean block %.3g frames, seed %d", len(replicates), a.resampler.block, a.o.Seed)
	least := fewestForQuantile
	if strings.HasPrefix(m.Key, "low") {
		least = fewestForLow
	}
	independent := math.Inf(1)
	if m.Rests > 0 {
		independent = a.independent(m.Rests)
	}
	if independent < least {
		_, hi := percentiles(replicates, 2*a.o.Level-1, m.Value, least) // this leaves out 1-Level on one side
		m.Interval = a.interval(m.Value)
		m.Interval.Lo, m.Interval.Hi, m.Interval.Method = math.Inf(-1), hi, method
		m.Interval.Reason = fmt.Sprintf("rests on fewer than %.2g independent frames%s: one run bounds it from above only", least, a.cluster(m.Rests, least))
		return
	}
	iv := a.interval(m.Value)
	iv.Lo, iv.Hi = percentiles(replicates, a.o.Level, m.Value, independent)
	iv.Method = method
	if m.Unit == Share && strings.HasSuffix(m.Key, framesShare) {
		a.widen(&iv, d)
	}
	m.Interval = iv
}

// cluster describes where the slowest frames lie if there are enough of them but most come together: then a longer run may bound
// a figure less well than a shorter one. It returns "" if they are few or spread over the run.
func (a *analysis) cluster(slowest int, least float64) string {
	if float64(slowest) < least {
		return ""
	}
	bound := a.resampler.sr.slowest(slowest)
	var at []int
	for i, x := range a.frames {
		if x >= bound {
			at = append(at, i)
		}
	}
	most := (len(at)*3 + 3) / 4 // three quarters, in the shortest stretch that contains that many
	from := 0
	for i := 0; i+most <= len(at); i++ {
		if at[i+most-1]-at[i] < at[from+most-1]-at[from] {
			from = i
		}
	}
	first, last := at[from], at[from+most-1]
	if 2*(last-first) > len(a.frames) {
		return fmt.Sprintf(", though %d frames are that slow, since slow frames come together", len(at))
	}
	return fmt.Sprintf(", though %d frames are that slow: %d of them lie between %.4g and %.4g s, as in a separate scene", len(at), most,
		exactSum(a.frames[:first])/1e3, exactSum(a.frames[:last+1])/1e3)
}

func (a *analysis) interval(center float64) stat.Interval {
	iv := stat.Interval{Center: center, Level: a.o.Level, N: uint64(len(a.frames)), NEff: a.nEff}
	if iv.NEff == 0 {
		iv.NEff = float64(iv.N)
	}
	return iv
}

// framesShare ends the keys of shares of all frames.
const framesShare = "_frames_share"

// unanimous bounds a share that counts no frame, or every frame. Resamples of such a capture do not differ, but a share p of n
// independent frames is missed altogether with probability (1-p)^n. Hitches are events between neighbours, so n is the effective
// number of frame-to-frame changes; that of the frame times would include drift. Nothing bounds how long the frames that were not
// seen would last.
func (a *analysis) unanimous(m *Metric) {
	if !strings.HasSuffix(m.Key, framesShare) {
		m.none(len(a.frames), "none or all of the frames belong to it, so its uncertainty is unknown")
		return
	}
	iv := a.interval(m.Value)
	reach, n := a.unseen(len(a.frames))
	iv.NEff = n
	if iv.Hi = reach; m.Value == 1 {
		iv.Lo, iv.Hi = 1-reach, 1
	}
	iv.Method = "one-sided exact binomial at the effective number of frame-to-frame changes"
	m.Interval = iv
}

// unseen returns the largest share that a kind of frame may have if none of the given number of frames is of that kind, and the
// number of independent frames that they are equivalent to.
func (a *analysis) unseen(frames int) (share, independent float64) {
	independent = float64(frames)
	if changes := a.meanInterval(ofChanges); changes.Bounded() {
		independent *= min(1, changes.NEff/float64(len(a.frames)))
	}
	return 1 - math.Pow(1-a.o.Level, 1/independent), independent
}

// widen widens the interval of a share if a scene has no frame, or only frames, that count towards it: resamples of that scene do
// not differ.
func (a *analysis) widen(iv *stat.Interval, d definition) {
	for i := range a.starts {
		s := a.resampler.sr.scene(i)
		reach, _ := a.unseen(s.n)
		reach *= float64(s.n) / float64(len(a.frames))
		switch v, _, _ := d.value(s); v {
		case 0:
			iv.Hi = min(1, iv.Hi+reach)
		case 1:
			iv.Lo = max(0, iv.Lo-reach)
		}
	}
}

// meanInterval is the interval of the mean of a series, computed once.
func (a *analysis) meanInterval(of seriesOf) stat.Interval {
	if iv, ok := a.means[of]; ok {
		return iv
	}
	var iv stat.Interval
	if a.o.Level > 0 {
		iv = meanOf(a.inScenes(func(from, to int) iter.Seq[float64] { return of.values(a.frames[from:to]) }), a.o.Level)
	}
	a.means[of] = iv
	return iv
}

func (a *analysis) nEffMetric(r *Report) {
	if a.nEff == 0 {
		r.Absent = append(r.Absent, Absent{"n_eff", "too few frames, or no interval was asked for"})
		return
	}
	m := Metric{Key: "n_eff", Name: "effective frames", Value: a.nEff, By: byStrobe, Text: fmt.Sprintf("%.1f", a.nEff),
		Definition: "independent frames that would give the mean the same standard error, by batch means"}
	m.none(len(a.frames), "it is itself a measure of uncertainty")
	r.Metrics = append(r.Metrics, m)
}
