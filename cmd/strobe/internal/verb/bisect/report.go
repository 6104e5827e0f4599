// SPDX-License-Identifier: BSD-3-Clause

package bisect

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat/decide"
)

// A report is what the verb found.
type report struct {
	flags    *Flags
	started  time.Time
	spent    time.Duration
	searches []*search // of the range, and with --all of what the culprit of the search before has merged
	notes    []string
}

// A culprit is a commit that was compared with its parent and is slower.
type culprit struct {
	*commit
	found *comparison
}

// A candidate is a commit that may be slower than its parent.
type candidate struct {
	*commit
	probability float64
}

// culprits returns the confirmed commits, in the order of the history.
func (x *search) culprits() (all []culprit) {
	if x.core == nil {
		return nil
	}
	for _, r := range x.core.Confirmed() {
		if len(r.Revisions) == 1 {
			i := r.Revisions[0]
			all = append(all, culprit{&x.commits[i], x.confirmed[i]})
		}
	}
	slices.SortFunc(all, func(a, b culprit) int { return cmp.Compare(x.index[a.hash], x.index[b.hash]) })
	return all
}

// worst returns the culprit that made the benchmark slower by the most, nil if there is none.
func (x *search) worst() (worst *culprit) {
	for _, c := range x.culprits() {
		if worst == nil || c.found.Ratio.Center > worst.found.Ratio.Center {
			worst = &c
		}
	}
	return worst
}

// leastShown is the probability from which on a commit is listed as a candidate.
const leastShown = 0.005

// candidates returns, for each rise that no single commit is confirmed for, the commits that may be it.
func (x *search) candidates() (all [][]candidate) {
	if x.core == nil {
		return nil
	}
	probabilities := x.core.Probabilities()
	for _, r := range append(x.core.Confirmed(), x.core.Open()...) {
		if len(r.Revisions) == 1 && r.Probability == 1 && x.confirmed[r.Revisions[0]] != nil {
			continue
		}
		var set []candidate
		for _, i := range r.Revisions {
			p := x.spread(i, probabilities)
			if x.confirmed[slices.Max(r.Revisions)] != nil && r.Probability == 1 { // one of them, which cannot be told apart
				p = 1 / float64(len(r.Revisions))
			}
			if p >= leastShown {
				set = append(set, candidate{&x.commits[i], p})
			}
		}
		slices.SortStableFunc(set, func(a, b candidate) int { return cmp.Compare(b.probability, a.probability) })
		all = append(all, set)
	}
	return all
}

// spread returns the probability of a commit. Commits that cannot be told apart, since they do not build, have equal parts.
func (x *search) spread(i int, probabilities []float64) float64 {
	first, last := i, i
	for x.skipped[first-1] != "" {
		first--
	}
	for x.skipped[last] != "" {
		last++
	}
	return probabilities[first] / float64(last-first+1)
}

// last returns the search that found the most.
func (r *report) last() *search {
	x := r.searches[len(r.searches)-1]
	if len(r.searches) > 1 && len(x.culprits()) == 0 {
		return r.searches[len(r.searches)-2]
	}
	return x
}

// ends says what the comparison of the ends found.
func (x *search) ends() string {
	if x.chosen < 0 {
		for _, r := range x.results {
			if r.Change != "" {
				return fmt.Sprintf("%s.%s costs %s, %s", r.Package, r.Name, r.Change, map[decide.Outcome]string{decide.Passed: "which counts as no slower", decide.Undecided: "which proves nothing",
					decide.Failed: "which may be due to where functions lie in memory"}[r.Outcome])
			}
		}
		return "not compared"
	}
	r := x.chosenResult()
	return fmt.Sprintf("%s.%s costs %s at %.12s against %.12s", r.Package, r.Name, r.Change, x.commits[len(x.commits)-1].hash, x.commits[0].hash)
}

// remarks returns what qualifies the answer, a sentence each.
func (r *report) remarks() []string {
	notes := slices.Clone(r.notes)
	x := r.last()
	var slower []string
	for i, o := range x.results {
		if o.Outcome == decide.Failed && i != x.chosen {
			slower = append(slower, fmt.Sprintf("%s.%s (%s)", o.Package, o.Name, o.Change))
		}
	}
	if len(slower) > 0 {
		notes = append(notes, fmt.Sprintf("%s also slower, but not searched for; --bench selects one: %s", plural(len(slower), "other benchmark is", "other benchmarks are"), list(slower)))
	}
	if x.chosen >= 0 && x.pair.Layouts() == 1 && !r.flags.Exact {
		notes = append(notes, "the code was linked in one layout only, so that a change may be due to where functions lie in memory")
	}
	for _, c := range x.culprits() {
		if c.found.Rewritten {
			notes = append(notes, fmt.Sprintf("%s changes the benchmark itself, which may be the cause", c.short()))
		}
	}
	for _, outer := range r.searches[:len(r.searches)-1] {
		if m := outer.worst(); outer != x {
			notes = append(notes, "it came with the merge "+m.String())
		} else {
			notes = append(notes, fmt.Sprintf("none of the commits that %s has merged is confirmed", m.short()))
		}
	}
	return notes
}

// err returns the error that decides the exit code.
func (r *report) err() error {
	x := r.last()
	open := len(x.candidates())
	text := ""
	switch {
	case x.chosen < 0:
		text = "the benchmark is not proven slower at the end of the range; give more --max-time, or a smaller --gate"
	case len(x.culprits()) == 0:
		text = "no commit is confirmed"
	case open > 0:
		text = fmt.Sprintf("%s not confirmed", plural(open, "further rise is", "further rises are"))
	default:
		return nil
	}
	return session.Failure{Code: session.Inconclusive, Err: errors.New(text)}
}

// plural writes a number with one of two texts.
func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// list joins names, the first few of many.
func list(names []string) string {
	const most = 5
	text := ""
	for i, name := range names {
		if i == most {
			return text + fmt.Sprintf(" and %d more", len(names)-most)
		}
		if i > 0 {
			text += ", "
		}
		text += name
	}
	return text
}

// effort says what was done.
func (r *report) effort() string {
	x := r.last()
	text := fmt.Sprintf("%s of at most %s", r.spent.Round(100*time.Millisecond), time.Duration(r.flags.MaxTime))
	if x.chosen >= 0 {
		text += fmt.Sprintf(": %s, %s", layout.Plural(uint64(x.builds), "measurement"), layout.Plural(uint64(x.compared), "comparison"))
		if n := x.pair.Layouts(); n > 1 {
			text += fmt.Sprintf(", %d layouts of the code", n)
		}
	}
	return text
}
