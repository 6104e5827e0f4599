// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"math"

	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/dist"
)

// Slices hold what happened in each slice of the time since the previous report.
type Slices []slice

type slice map[key]sums

// A key is a zone on a lane, or on all.
type key struct{ lane, zone int }

const (
	allLanes = -1
	loops    = -2 // then zone is the index of a loop
)

type sums struct{ calls, ns float64 }

// add appends a slice, which is a difference of snapshots.
func (s *Slices) add(d profile.Snapshot) {
	one := make(slice)
	for _, l := range d.Lanes {
		for i := range l.Zones {
			if z := &l.Zones[i]; z.Timed > 0 {
				one.add(key{l.ID, z.Zone}, z)
				one.add(key{allLanes, z.Zone}, z)
			}
		}
	}
	for i := range d.Frames {
		if f := &d.Frames[i]; f.Turns > 0 {
			one[key{loops, i}] = sums{float64(f.Histogram.N()), float64(f.Sum)}
		}
	}
	*s = append(*s, one)
}

func (s slice) add(k key, z *profile.ZoneStats) {
	have := s[k]
	s[k] = sums{have.calls + float64(z.Calls), have.ns + float64(z.Sum)}
}

// Minimum numbers for an interval.
const (
	leastCalls  = 8
	leastSlices = 3
)

// half returns the statistical half-width of the 95 % interval of a mean in ns: Student's t over the n slices that have
// calls. ok is false if there are too few.
func (s Slices) half(k key) (half, n float64, ok bool) {
	var all sums
	for _, one := range s {
		if x := one[k]; x.calls > 0 {
			n++
			all.calls += x.calls
			all.ns += x.ns
		}
	}
	if n < leastSlices || all.calls < leastCalls {
		return 0, n, false
	}
	squares := 0.0
	for _, one := range s {
		x := one[k]
		rest := x.ns - all.ns/all.calls*x.calls
		squares += rest * rest
	}
	return dist.StudentUpper(0.025, n-1) * math.Sqrt(squares*n/(n-1)) / all.calls, n, true
}

// mean returns the mean duration of a call with its 95 % interval, or the reason why it has none.
func (s Slices) mean(k key, z *profile.ZoneStats, uncertainty float64) stat.Interval {
	const method = "time slices"
	if z.Timed == 0 || z.Calls == 0 {
		return stat.Point(0, 0, method, "no call was timed")
	}
	center := float64(z.Sum) / float64(z.Calls)
	half, n, ok := s.half(k)
	if ok && z.Timed < z.Calls {
		var sampled float64
		sampled, ok = sampleHalf(z)
		half = max(half, sampled)
	}
	if !ok {
		return stat.Point(center, z.Timed, method, "too few calls or slices of time")
	}
	half += uncertainty
	return stat.Interval{Center: center, Lo: max(0, center-half), Hi: center + half, Level: 0.95, Method: method, N: z.Timed, NEff: n}
}

// frame returns the mean frame time of a loop, like mean.
func (s Slices) frame(loop int, f *profile.FrameStats) stat.Interval {
	n := f.Histogram.N()
	return s.mean(key{loops, loop}, &profile.ZoneStats{Calls: n, Timed: n, Sum: f.Sum}, 0)
}

// sampleHalf returns half the width of the 95 % interval of the mean of a sampled zone, due to the random choice of the timed
// calls: Cochran, 2.8, with the correction for a finite population.
func sampleHalf(z *profile.ZoneStats) (half float64, ok bool) {
	sd, ok := z.Histogram.StdDev()
	if !ok || z.Timed < leastCalls {
		return 0, false
	}
	n := float64(z.Timed)
	return dist.StudentUpper(0.025, n-1) * sd / math.Sqrt(n) * math.Sqrt(1-n/float64(z.Calls)), true
}
