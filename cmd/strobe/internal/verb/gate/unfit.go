// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/stat/decide"
	"github.com/strobe-go/strobe/stat/dist"
)

// What keeps benchmarks undecided is that the machine scatters so much that it cannot decide in the given time, whatever the code does, or
// that there was time for a few rounds only.
type unfit struct {
	noisy   bool          // it is the scatter, of half of them or more
	limit   float64       // the smallest of what cannot be decided
	open    int           // benchmarks
	few     int           // others that are undecided, since they had hardly a round
	scatter float64       // half the range of the middle half of their rounds' ratios, the median of all
	needs   time.Duration // about as long as would do; 0 if that is not practicable
	cpu     bool          // processor time may decide sooner
}

const (
	longestAdvice = 2 * time.Hour
	leastForCPU   = 1000 // ns of a call, whose processor time is more than what it takes to make it
	fewForScatter = 4    // rounds
	leastRounds   = 16   // that any decision takes
)

// unfitness returns what keeps undecided benchmarks from being decided, nil if it is neither.
func (r *report) unfitness() *unfit {
	m := r.m
	if m.emulator != nil || m.flags.Self || !m.flags.judges(byTime) {
		return nil
	}
	u := unfit{limit: math.Inf(1), cpu: m.flags.By == "wall"}
	var scatters []float64
	tail := (1 - float64(m.flags.Level)) * decide.Final
	have, want, noisy := 0.0, 0.0, 0
	for i := range r.rows {
		x := &r.rows[i]
		if x.byTime == decide.Undecided && len(x.rounds) < fewForScatter {
			u.few++
			continue
		}
		rounds := float64(len(x.rounds) + len(x.long.rounds))
		have += rounds
		more := 1.0
		if s := &x.series; x.byTime == decide.Undecided {
			more = s.lacks(x.limit, tail)
			if l := &x.long; m.flags.By == "wall" && len(l.rounds) >= fewForScatter {
				more = max(more, l.lacks(x.limit+tolerance, tail))
			}
			if more > 1 {
				u.open++
				if more*float64(len(s.rounds)) > leastRounds {
					noisy++
				}
				u.limit = min(u.limit, x.limit)
				_, scatter := s.scatter()
				scatters = append(scatters, scatter)
				u.cpu = u.cpu && !x.setUpGrows && s.median(oldSide) >= leastForCPU && s.median(newSide) >= leastForCPU
			}
		}
		want += rounds * more
	}
	if u.open == 0 || have == 0 {
		return nil
	}
	u.noisy = 2*noisy >= u.open
	want *= float64(len(r.rows)) / float64(len(r.rows)-u.few) // they need as much as the others
	slices.Sort(scatters)
	u.scatter = scatters[len(scatters)/2]
	if needs := float64(m.spent) * want / have; needs <= float64(longestAdvice) {
		u.needs = time.Duration(needs)
	}
	if u.needs > 0 && u.needs <= time.Duration(m.flags.MaxTime) {
		return nil
	}
	return &u
}

// scatter returns the median of the logarithms of the rounds' ratios, and half the range of their middle half.
func (s *series) scatter() (median, half float64) {
	var all []float64
	for i := range s.rounds {
		if c := s.rounds[i].cost; c[oldSide] > 0 && c[newSide] > 0 {
			all = append(all, math.Log(c[newSide]/c[oldSide]))
		}
	}
	if len(all) == 0 {
		return 0, 0
	}
	slices.Sort(all)
	last := len(all) - 1
	return all[last/2], (all[3*last/4] - all[last/4]) / 2
}

// lacks returns how many times as many rounds it takes to decide about a change like that of the rounds, or about none, with this error
// and in nine of ten cases. Half of the middle half of normal values is 0.674 standard deviations, and the median of pairs of rounds varies
// by about as much as their mean.
func (s *series) lacks(limit, tail float64) float64 {
	const half, tenth = 0.674, 1.2816 // standard deviations
	median, scatter := s.scatter()
	deviation := scatter / half
	sure := median - 2*deviation/math.Sqrt(float64(len(s.rounds)))         // or more
	distance := max(math.Log1p(max(limit, 0.001)), sure-math.Log1p(limit)) // what is close to the limit may turn out to be no change
	reach := (dist.NormalUpper(tail) + tenth) * deviation / distance
	return max(leastRounds, reach*reach) / float64(len(s.rounds))
}

// sentence says what the machine cannot do, and what to do.
func (u *unfit) sentence(given time.Duration, of int) string {
	text := fmt.Sprintf("this machine cannot decide %.4g %% in %v for %d of %s", 100*u.limit, given, u.open, layout.Plural(uint64(of), "benchmark"))
	if u.few > 0 {
		text += fmt.Sprintf(", and had hardly a round for %d more", u.few)
	}
	text += ": "
	if u.needs > 0 {
		text += u.advice()
	} else {
		text += "no practicable time would do; use a quieter machine"
	}
	if u.cpu {
		text += ", or --by cpu"
	}
	return text + fmt.Sprintf(", since the middle half of the rounds of the same benchmark differ by ±%s %%", strconv.FormatFloat(layout.Significant(100*math.Expm1(u.scatter), 2), 'f', -1, 64))
}

// advice says how much time would do.
func (u *unfit) advice() string {
	minutes := int(math.Ceil(u.needs.Minutes()))
	return fmt.Sprintf("about %s would do, --max-time %dm", layout.Plural(uint64(minutes), "minute"), minutes)
}
