// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"math"
	"strconv"
	"testing"

	"github.com/strobe-go/strobe"
)

// BenchmarkMeans compares the means in snapshots with the known durations of bodies.
func BenchmarkMeans(b *testing.B) { runRows(b, meansRows()) }

// meansRows are bodies with these numbers of dependent steps, of about 1.2 ns each. The true duration is that of the same chain
// without spans.
func meansRows() []row {
	var all []row
	for _, steps := range []int{1, 3, 8, 16, 26, 52, 90, 170} {
		all = append(all, meansRow(strconv.Itoa(steps)+"-steps", steps, func(z *strobe.Zone) func(n int) uint64 {
			return func(n int) uint64 { return chainsInSpans(z, n, steps) }
		}))
	}
	for _, steps := range []int{1, 3, 8, 16, 26, 52, 90, 170} {
		all = append(all, meansRow("lane/"+strconv.Itoa(steps)+"-steps", steps, func(z *strobe.Zone) func(n int) uint64 {
			lane := strobe.NewLane("means")
			return func(n int) uint64 { return chainsOnLane(lane, z, n, steps) }
		}))
	}
	return all
}

func meansRow(name string, steps int, in func(z *strobe.Zone) func(n int) uint64) row {
	return row{name, func(b *testing.B) {
		zone := strobe.NewZone("means " + name)
		spans := in(zone)
		once(b, func() map[string]float64 {
			const n = 2000
			var truth, read, margin, off, outside []float64
			keptWork.Store(chains(n, steps) + spans(n))
			before := strobe.TakeSnapshot()
			for range 61 {
				exact := timed(func(n int) { keptWork.Store(chains(n, steps)) }, n) / n
				keptWork.Store(spans(n))
				now := strobe.TakeSnapshot()
				mean := meanOf(b, now.Sub(before), "means "+name)
				before = now
				uncertain := float64(now.Uncertainty)
				truth, read, margin = append(truth, exact), append(read, mean), append(margin, uncertain)
				off = append(off, math.Abs(mean-exact))
				outside = append(outside, max(0, math.Abs(mean-exact)-max(2, uncertain)))
			}
			return map[string]float64{"true-ns": median(truth), "mean-ns": median(read), "plus-minus-ns": median(margin),
				"off-ns": median(off), "outside-ns": median(outside)}
		})
	}}
}

// meanOf returns the mean of a zone in a snapshot over all lanes, in ns.
func meanOf(b *testing.B, s strobe.Snapshot, name string) float64 {
	for _, t := range s.Totals() {
		if mean, ok := t.Mean(); ok && s.Zones[t.Zone].Name == name {
			return mean
		}
	}
	b.Fatal("no mean of ", name)
	return 0
}

//go:noinline
func chains(n, steps int) uint64 {
	x := uint64(1)
	for range n {
		x = work(x, steps)
	}
	return x
}

//go:noinline
func chainsInSpans(z *strobe.Zone, n, steps int) uint64 {
	x := uint64(1)
	for range n {
		s := z.Enter()
		x = work(x, steps)
		s.Exit()
	}
	return x
}

//go:noinline
func chainsOnLane(l *strobe.Lane, z *strobe.Zone, n, steps int) uint64 {
	x := uint64(1)
	for range n {
		s := l.Enter(z)
		x = work(x, steps)
		s.Exit()
	}
	return x
}
