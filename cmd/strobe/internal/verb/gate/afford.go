// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/internal/units"
)

// How many calls are made at least. A benchmark whose calls take seconds is begun only if there is time for that, after the others.
const (
	callsToCalibrate = 24
	callsOfRound     = 4  // of short blocks
	callsOfLongRound = 16 // of long runs
)

// cheapest returns all benchmarks, those whose calls take least time first.
func (m *measurement) cheapest() []*benchmark {
	return slices.SortedStableFunc(slices.Values(m.all), func(a, b *benchmark) int { return cmp.Compare(a.once, b.once) })
}

// within returns a context that ends when the time is up, unless the time is simulated.
func (m *measurement) within(ctx context.Context, left time.Duration) (context.Context, context.CancelFunc) {
	if !m.real {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, left)
}

// needs returns about how long it takes to decide about a benchmark that was not begun.
func (b *benchmark) needs() time.Duration {
	return (callsToCalibrate + longEnough*(callsOfRound+callsOfLongRound)) * b.once
}

// tooSlow returns the benchmarks that were not begun since their calls take so long, the slowest last.
func (m *measurement) tooSlow() (all []*benchmark) {
	for _, b := range m.cheapest() {
		if b.broken == "" && b.longCalls == 0 && callsToCalibrate*b.once > time.Duration(m.flags.MaxTime)/preparing {
			all = append(all, b)
		}
	}
	return all
}

// notBegun says why benchmarks were not begun, and what to do.
func (m *measurement) notBegun(all []*benchmark) string {
	needs := m.spent
	for _, b := range all {
		needs += b.needs()
	}
	slowest := all[len(all)-1]
	it, text := "it", slowest.title()+" was not begun, since a call"
	if len(all) > 1 {
		it, text = "them", layout.Plural(uint64(len(all)), "benchmark")+" were not begun, since a call of "+slowest.title()
	}
	text += fmt.Sprintf(" takes %s: leave %s out with --bench", units.Duration(float64(slowest.once)), it)
	if needs <= longestAdvice {
		text += fmt.Sprintf(", or give about --max-time %dm", int(math.Ceil(needs.Minutes())))
	}
	return text
}
