// SPDX-License-Identifier: BSD-3-Clause

package bisect

import "slices"

// A series is what is known of the revisions of a history, by their index.
type series struct {
	revisions []revision
	reference int        // layouts of the first revision, whose mean cost is 0 by definition
	post      *posterior // nil when something was learned since it was computed
}

// A revision is one of a series.
type revision struct {
	builds  []build
	change  known
	broken  bool   // cannot be measured
	program string // what was built, empty if that is not known
	like    int    // the revision that is measured for all with the same program; mostly its own index
}

// known is what is certain about the cost of a revision in relation to the one before it.
type known int8

const (
	unknown known = iota
	same
	changed
)

// A build is what was measured of a revision in one layout of its code.
type build struct {
	layout int
	rounds []float64
}

func newSeries(n, layouts int) *series {
	s := &series{revisions: make([]revision, n), reference: layouts}
	for i := range s.revisions {
		s.revisions[i].like = i
	}
	return s
}

// add adds rounds of a build.
func (s *series) add(i, layout int, rounds []float64) {
	s.post = nil
	r := &s.revisions[i]
	if k := slices.IndexFunc(r.builds, func(b build) bool { return b.layout == layout }); k >= 0 {
		r.builds[k].rounds = append(r.builds[k].rounds, rounds...)
		return
	}
	r.builds = append(r.builds, build{layout, slices.Clone(rounds)})
}

// set says what is certain about a revision.
func (s *series) set(i int, k known) { s.revisions[i].change, s.post = k, nil }

// join says that the revisions from one to another are the program of one of them.
func (s *series) join(from, to, like int) {
	for i := from; i <= to; i++ {
		s.revisions[i].like = like
		if i > from {
			s.set(i, same)
		}
	}
}

// weigh returns the costs of the builds of a revision, weighted by their inverse variances, and the sum of these weights, which
// is 0 if nothing was measured.
func (s *series) weigh(i int, n noise) (sum, information float64) {
	if i == 0 {
		information = float64(s.reference) / (n.jitter * n.jitter)
	}
	for _, b := range s.revisions[i].builds {
		w := 1 / (n.ofMedian(len(b.rounds)) + n.jitter*n.jitter)
		sum += w * median(b.rounds)
		information += w
	}
	return sum, information
}
