// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/stat/decide"
)

// What is known about the time of a benchmark whatever its limit: an outcome says whether a change is allowed, this whether there is one.
const (
	provenFaster = "proven faster"
	noProof      = "no proof" // of a change, after rounds that show that the benchmark keeps its limit
	provenSlower = "proven slower"
	cannotTell   = "cannot tell"
)

// alike is by how much emulated instructions of the same code may differ between two builds.
const alike = 0.001

// prove says of each row whether it became faster or slower at all. The probability that any is called faster although none is, however
// many there are, is at most 1 - level, and so is that for slower.
//
// Only the interim analyses count, whose numbers of rounds are fixed: when a benchmark stopped depends on how it compares with its
// limit, so a last analysis at that moment would not have the level.
func (r *report) prove() {
	if r.m.emulator != nil || r.m.flags.Level == 0 {
		for i := range r.rows {
			r.rows[i].proof = r.rows[i].proofByCounts()
		}
		return
	}
	members := make([]bench.Member, len(r.rows))
	slower, faster := bench.NewFamily(float64(r.m.flags.Level), members...), bench.NewFamily(float64(r.m.flags.Level), members...)
	for i := range r.rows {
		for _, x := range r.rows[i].rounds {
			slower.Add(i, x.cost[oldSide], x.cost[newSide], x.baseFirst)
			faster.Add(i, x.cost[newSide], x.cost[oldSide], !x.baseFirst)
		}
	}
	for i := range r.rows {
		x := &r.rows[i]
		more, of := x.slowLayouts(0)
		switch iv := x.comparison.Ratio; {
		case x.byTime == decide.Failed, slower.Outcome(i) == decide.Failed && (of < 3 || 4*more > 3*of):
			x.proof = provenSlower
		case faster.Outcome(i) == decide.Failed && (of < 3 || 4*more < of) && !x.doubted():
			x.proof = provenFaster
		case iv.Level == 0 || x.byTime == decide.Undecided && r.m.flags.judges(byTime):
			x.proof = cannotTell
		default:
			x.proof = noProof
		}
	}
}

// doubted reports whether long runs of a benchmark do not agree that it kept its limit, or show that it became slower.
func (x *row) doubted() bool {
	return x.opinion != nil && (x.byTime != decide.Passed || x.opinion.comparison.Ratio.Level > 0 && x.opinion.comparison.Ratio.Lo > 1)
}

// proofByCounts is prove for counts of instructions.
func (x *row) proofByCounts() string {
	switch iv := x.comparison.Ratio; {
	case iv.Level == 0:
		return cannotTell
	case iv.Lo > 1+alike:
		return provenSlower
	case iv.Hi < 1-alike:
		return provenFaster
	case x.byTime == decide.Undecided:
		return cannotTell
	}
	return noProof
}
