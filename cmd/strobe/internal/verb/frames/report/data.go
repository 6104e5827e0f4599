// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"math"
	"slices"

	"github.com/strobe-go/strobe/frames"
	"github.com/strobe-go/strobe/internal/page"
	"github.com/strobe-go/strobe/internal/units"
)

// data is what the script draws.
type data struct {
	Captures  []plotted `json:"captures"`
	Groups    []string  `json:"groups"`   // names of groups, in the order of their colours
	Channels  []string  `json:"channels"` // what the plot over time can show
	Bars      bars      `json:"bars"`
	Histogram histogram `json:"histogram"`
	Quantiles quantiles `json:"quantiles"`
	Changes   []changes `json:"changes"`
}

// A plotted is one capture.
type plotted struct {
	Name     string    `json:"name"`
	Colour   int       `json:"colour"` // also the index of its group, if there are groups
	Count    int       `json:"count"`
	Scenes   []float64 `json:"scenes"`   // starts of all scenes but the first, in s
	Channels []channel `json:"channels"` // like data.Channels; without points if the capture has none
}

// histogram counts in percent of frames.
type histogram struct {
	Edges  []float64   `json:"edges"` // ms
	Shares [][]float64 `json:"shares"`
	Longer []float64   `json:"longer"` // percent of frames beyond the last bin, of each capture
}

// quantiles are the frame times that a share of the frames does not exceed.
type quantiles struct {
	At []float64   `json:"p"`
	X  [][]float64 `json:"x"`
}

// changes are differences in percent of the base.
type changes struct {
	Base  string   `json:"base"`
	Other string   `json:"other"`
	Rows  []change `json:"rows"`
}

type change struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
	Text  string  `json:"text"`
	Clear bool    `json:"clear"`
}

func dataOf(p Page, captures []shown) (d data) {
	sorted := make([][]float64, len(captures))
	var gpu, latency bool
	var lengths []int
	for _, c := range captures {
		gpu, latency = gpu || len(c.GPUBusy) > 0, latency || len(c.Latency) > 0
		lengths = append(lengths, len(c.Frames), len(c.GPUBusy), len(c.Latency))
	}
	most := share(lengths, mostPoints)
	d.Channels = []string{"frame time"}
	if gpu {
		d.Channels = append(d.Channels, "GPU busy")
	}
	if latency {
		d.Channels = append(d.Channels, "latency")
	}
	for i, c := range captures {
		sorted[i] = slices.Clone(c.Frames)
		slices.Sort(sorted[i])
		at, n := times(c.Capture), len(c.Frames)
		drawn := plotted{Name: c.Label, Colour: c.Colour, Count: n, Channels: []channel{channelOf(at, n, c.Frames, sorted[i], most)}}
		var scenes []int
		for _, s := range c.Report.Scenes[min(1, len(c.Report.Scenes)):] {
			scenes = append(scenes, s.First)
		}
		for _, t := range begin(at, scenes) {
			drawn.Scenes = append(drawn.Scenes, page.Rounded(t))
		}
		if gpu {
			drawn.Channels = append(drawn.Channels, channelOf(at, n, c.GPUBusy, known(c.GPUBusy), most))
		}
		if latency {
			drawn.Channels = append(drawn.Channels, channelOf(at, n, c.Latency, known(c.Latency), most))
		}
		d.Captures = append(d.Captures, drawn)
	}
	for _, g := range p.Groups {
		d.Groups = append(d.Groups, g.Name)
	}
	d.Bars = barsOf(p, captures)
	d.Histogram = histogramOf(sorted)
	d.Quantiles = quantilesOf(sorted)
	for _, c := range p.Comparisons {
		d.Changes = append(d.Changes, changesOf(captures[c.Base].Label, captures[c.Other].Label, c.Differences))
	}
	for _, c := range p.GroupComparisons {
		d.Changes = append(d.Changes, changesOf(p.Groups[c.Base].Name, p.Groups[c.Other].Name, c.Differences))
	}
	return d
}

// bins is the approximate number of bins of a histogram.
const bins = 120

// histogramOf counts all captures in the same bins. They end at the quantile 0.999 of the frame times, or earlier if that is so
// far out that nearly all frames would be a narrow peak; the percentile curve shows the longest frames.
func histogramOf(sorted [][]float64) histogram {
	lo, hi, near := math.Inf(1), 0.0, 0.0
	for _, x := range sorted {
		at := func(q float64) float64 { return x[int(float64(len(x)-1)*q)] }
		lo, hi = min(lo, x[0]), max(hi, at(0.999))
		near = max(near, at(0.98)+max(at(0.98)-at(0.02), at(0.98)/2))
	}
	hi = min(hi, near)
	step := units.RoundUp((hi - lo) / bins)
	if step == 0 {
		step = units.RoundUp(hi / bins)
	}
	h := histogram{}
	for k := math.Floor(lo / step); len(h.Edges) < 2 || h.Edges[len(h.Edges)-1] <= hi; k++ {
		h.Edges = append(h.Edges, page.Rounded(k*step))
	}
	for _, x := range sorted {
		shares := make([]float64, len(h.Edges))
		at := 0
		for i := range shares {
			next := len(x)
			if i+1 < len(h.Edges) {
				next, _ = slices.BinarySearch(x, h.Edges[i+1])
			}
			shares[i] = page.Rounded(100 * float64(next-at) / float64(len(x)))
			at = next
		}
		h.Shares = append(h.Shares, shares)
		n := len(h.Edges)
		beyond, _ := slices.BinarySearch(x, 2*h.Edges[n-1]-h.Edges[n-2])
		h.Longer = append(h.Longer, page.Rounded(100*float64(len(x)-beyond)/float64(len(x))))
	}
	return h
}

// quantilesOf computes quantiles from the fastest frame to the slowest, at steps that get finer towards the slow end.
func quantilesOf(sorted [][]float64) (q quantiles) {
	longest := 0
	for _, x := range sorted {
		longest = max(longest, len(x))
	}
	for nines := 0.0; nines <= min(6, math.Log10(float64(longest))+0.03); nines += 0.02 {
		q.At = append(q.At, page.Rounded(100*(1-math.Pow(10, -nines))))
	}
	for _, x := range sorted {
		var at []float64
		for _, p := range q.At {
			k := int(math.Ceil(p / 100 * float64(len(x)) * (1 - 1e-12)))
			at = append(at, page.Rounded(x[max(0, k-1)]))
			if k == len(x) { // the slowest frame
				break
			}
		}
		q.X = append(q.X, at)
	}
	return q
}

func changesOf(base, other string, differences []frames.Difference) changes {
	d := changes{Base: base, Other: other}
	for _, x := range differences {
		if isMain(x.Key) && x.Interval.Bounded() && x.Base > 0 {
			per := 100 / x.Base
			d.Rows = append(d.Rows, change{x.Name, page.Rounded(per * x.Value), page.Rounded(per * x.Interval.Lo), page.Rounded(per * x.Interval.Hi),
				units.RoundedChange(per*x.Value, max(0.01, per*x.Interval.Half()), "%"), x.Clear})
		}
	}
	return d
}
