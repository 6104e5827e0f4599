// SPDX-License-Identifier: BSD-3-Clause

package logreport

import (
	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/stat"
)

// A slice is what ended in a part of the time, by lane and zone.
type slice map[key]sums

type key struct{ lane, zone int }

type sums struct{ calls, ns float64 }

func sliceOf(s strobe.Snapshot) slice {
	out := slice{}
	for _, l := range s.Lanes {
		for _, z := range l.Zones {
			if mean := z.Mean; z.Timed > 0 {
				out[key{l.ID, z.Zone}] = sums{float64(z.Calls), float64(mean) * float64(z.Calls)}
			}
		}
	}
	return out
}

// halfWidth returns half the width of the 95 % interval of a mean, in ns: Student's t over slices of time, whose sums are a
// ratio estimate (Cochran, Sampling Techniques, 6.3): a slice of n calls that took T enters as (T - R*n) / m, with R the mean of
// all and m the mean of n. Slices are far longer than calls remember each other. Half a nanosecond is added: means are
// whole ones. ok is false with fewer than eight calls or three slices.
func halfWidth(slices []slice, k key) (half float64, ok bool) {
	var all sums
	for _, s := range slices {
		all.calls += s[k].calls
		all.ns += s[k].ns
	}
	if len(slices) < 3 || all.calls < 8 {
		return 0, false
	}
	const fine = 1000 // Moments wants integers
	var m stat.Moments
	mean, perSlice := all.ns/all.calls, all.calls/float64(len(slices))
	for _, s := range slices {
		m.Add(int64(fine * (s[k].ns - mean*s[k].calls) / perSlice))
	}
	iv := m.Interval(0.95)
	if iv.Level == 0 {
		return 0, false
	}
	return iv.Half()/fine + 0.5, true
}
