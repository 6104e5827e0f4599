// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"math"
	"slices"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
)

// counted are the events shown in addition to time: instructions, and moves from one processor to another.
const (
	userInstructions = "instructions:u"
	migrations       = "cpu-migrations"
)

// counts are what the processor and the kernel counted of a run, each -1 if it is not known.
type counts struct{ instructions, migrations float64 }

// countsOf returns those of a run, and why there are no instructions.
func countsOf(r *command.Run) (c counts, why string) {
	c = counts{-1, -1}
	if v := r.Counts.Get(migrations); v.Known() {
		c.migrations = float64(v.Count)
	}
	switch v := r.Counts.Get(userInstructions); {
	case v.Known():
		c.instructions = float64(v.Count)
	case r.Uncounted != "":
		why = r.Uncounted
	default:
		why = v.Reason
	}
	return c, why
}

// instructions returns the median number of instructions in user mode of a call on a side, without those that a process needs to
// start. ok is false where they were not counted in every round.
func (b *benchmark) instructions(side int) (perCall float64, ok bool) {
	var all []float64
	for i := range b.rounds {
		n := b.rounds[i].counts[side].instructions
		if n < 0 {
			return 0, false
		}
		all = append(all, (n-b.overheadCount)/float64(b.iterations*b.blocks))
	}
	if len(all) == 0 || b.overheadCount <= 0 {
		return 0, false
	}
	slices.Sort(all)
	perCall = all[len(all)/2]
	return perCall, perCall > 0
}

// instructionRatio returns the instructions of a call on the new side over those on the base, and both; ok is false where they are
// not known.
func (b *benchmark) instructionRatio() (ratio, before, after float64, ok bool) {
	before, known := b.instructions(oldSide)
	after, also := b.instructions(newSide)
	return after / before, before, after, known && also && !math.IsInf(after/before, 0)
}

// moves returns the mean number of migrations of a run, nil where they are not known.
func (b *benchmark) moves() *float64 {
	sum, n := 0.0, 0
	for i := range b.rounds {
		for _, c := range b.rounds[i].counts {
			if c.migrations >= 0 {
				sum += c.migrations
				n++
			}
		}
	}
	if n == 0 {
		return nil
	}
	sum /= float64(n)
	return &sum
}
