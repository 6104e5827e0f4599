// SPDX-License-Identifier: BSD-3-Clause

package profdiff

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
	"github.com/strobe-go/strobe/stat/dist"
)

// Allocations gathers what calls of both sides allocate. Make it with [NewAllocations].
type Allocations struct {
	programs [2]program
	runs     [2][]allocated
	sources  sources
}

// allocated are objects and bytes of a call by function.
type allocated map[string][2]float64

// NewAllocations returns an empty set; see [NewProfiles].
func NewAllocations(modules [2][]string) *Allocations {
	return &Allocations{programs: programs(modules), sources: sources{}}
}

// Add adds two allocation profiles of a side in which every allocation was recorded. The second covers calls more calls, so the
// difference is what these allocate.
func (a *Allocations) Add(side int, few, many *profile.Profile, calls int) error {
	of := a.programs[side]
	run := allocated{}
	for p, sign := range map[*profile.Profile]float64{few: -1, many: 1} {
		objects, bytes := -1, -1
		for i, t := range p.SampleType {
			switch t.Type {
			case "alloc_objects":
				objects = i
			case "alloc_space":
				bytes = i
			}
		}
		if objects < 0 || bytes < 0 {
			return fmt.Errorf("not an allocation profile")
		}
		for _, sample := range p.Sample {
			frames, _, ok := of.place(functions(sample))
			if !ok {
				continue
			}
			name := of.renamed(of.owner(frames))
			x := run[name]
			x[0] += sign * float64(sample.Value[objects]) / float64(calls)
			x[1] += sign * float64(sample.Value[bytes]) / float64(calls)
			run[name] = x
		}
	}
	a.runs[side] = append(a.runs[side], run)
	if side == New {
		a.sources.note(many)
	}
	return nil
}

// An Allocation is a function that allocates.
type Allocation struct {
	Name string `json:"name"` // as in Go profiles; what the standard library allocates belongs to the function that called it
	Source
	Objects Change `json:"objects"` // allocations in a call; small ones that share a block count as one
	Bytes   Change `json:"bytes"`   // allocated in a call
}

// Differences of fewer objects or bytes per call do not matter.
const (
	leastObjects = 0.01
	leastBytes   = 1
)

// Compare compares the runs. Every allocation is counted, so a difference is exact if all runs of a side agree; otherwise it has
// the interval of Student's t. The probability of claiming any false difference is at most error.
func (a *Allocations) Compare(error float64) (all []Allocation) {
	names := map[string]bool{}
	for _, runs := range a.runs {
		for _, r := range runs {
			for name, x := range r {
				if x[0] >= leastObjects || x[1] >= leastBytes {
					names[name] = true
				}
			}
		}
	}
	sorted := slices.Sorted(maps.Keys(names))
	objects, bytes := a.changes(sorted, 0, error/2, leastObjects), a.changes(sorted, 1, error/2, leastBytes)
	for i, name := range sorted {
		all = append(all, Allocation{name, a.sources[name], objects[i], bytes[i]})
	}
	slices.SortStableFunc(all, func(a, b Allocation) int {
		return cmp.Or(cmp.Compare(size(b.Bytes), size(a.Bytes)), cmp.Compare(size(b.Objects), size(a.Objects)))
	})
	return all
}

// Agree reports whether all runs of each side allocated the same, so that further runs are useless.
func (a *Allocations) Agree() bool {
	return !slices.ContainsFunc(a.Compare(0.5), func(x Allocation) bool {
		return x.Objects.Difference.Level < 1 || x.Bytes.Difference.Level < 1
	})
}

// changes compares objects (0) or bytes (1) of each function.
func (a *Allocations) changes(names []string, which int, error, small float64) []Change {
	changes := make([]Change, len(names))
	interval := func(i int, error float64) stat.Interval {
		var means, squares [2]float64
		for side, runs := range a.runs {
			for _, r := range runs {
				means[side] += r[names[i]][which] / float64(len(runs))
			}
			for _, r := range runs {
				d := r[names[i]][which] - means[side]
				squares[side] += d * d
			}
		}
		changes[i].Base, changes[i].New = means[Base], means[New]
		return countedDifference(means, squares, [2]int{len(a.runs[Base]), len(a.runs[New])}, error)
	}
	results := decide.Holm(error, decide.Equal(len(names)), func(i int, error float64) bool {
		iv := interval(i, error)
		return iv.Bounded() && (iv.Lo > 0 || iv.Hi < 0) && math.Abs(iv.Center) >= small
	})
	for i := range names {
		changes[i].Difference, changes[i].Changed = interval(i, results[i].Error), results[i].Rejected
	}
	return changes
}

// countedDifference returns the difference of two means of counts, by the sums of squared deviations.
func countedDifference(means, squares [2]float64, runs [2]int, error float64) stat.Interval {
	center, n := means[New]-means[Base], uint64(runs[Base])+uint64(runs[New])
	freedom := float64(n) - 2
	switch {
	case runs[Base] < 2 || runs[New] < 2:
		return stat.Point(center, n, "counted", "needs several runs of each side")
	case squares[Base]+squares[New] <= 1e-18*(means[Base]*means[Base]+means[New]*means[New]): // rounding
		return stat.Interval{Center: center, Lo: center, Hi: center, Level: 1, Method: "counted", N: n}
	}
	deviation := math.Sqrt((squares[Base] + squares[New]) / freedom * (1/float64(runs[Base]) + 1/float64(runs[New])))
	half := dist.StudentUpper(error/2, freedom) * deviation
	return stat.Interval{Center: center, Lo: center - half, Hi: center + half, Level: 1 - error, Method: "Student t", N: n}
}
