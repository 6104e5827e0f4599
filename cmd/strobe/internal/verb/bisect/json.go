// SPDX-License-Identifier: BSD-3-Clause

package bisect

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat"
)

// A bisectObject is the JSON of strobe bisect.
type bisectObject struct {
	Schema      int               `json:"schema"`              // version of this format
	Started     string            `json:"started"`             // when, as in RFC 3339
	Interrupted bool              `json:"interrupted"`         // the search was ended by a signal
	Range       string            `json:"range"`               // what was searched
	Good        string            `json:"good"`                // commit that all others are compared with
	Bad         string            `json:"bad"`                 // last commit of the range
	Commits     int               `json:"commits"`             // in the range, the first one not counted
	By          string            `json:"by"`                  // what is compared: wall, cpu or instructions (emulated)
	Level       float64           `json:"level"`               // confidence of the answer
	Limit       float64           `json:"limit"`               // relative slowdown that does not count
	Spent       float64           `json:"spent_s"`             // time the search took, with its builds
	Package     string            `json:"package,omitempty"`   // of the benchmark; absent if none is proven slower at the end of the range
	Benchmark   string            `json:"benchmark,omitempty"` // that was searched for, without "Benchmark"
	Ends        []endsObject      `json:"ends"`                // what the comparison of the ends found of each benchmark
	Culprit     string            `json:"culprit,omitempty"`   // the commit that made the benchmark slower; of several, the one that did so the most; absent if none is confirmed
	Confirmed   bool              `json:"confirmed"`           // there is a culprit, and no rise is left that is not confirmed
	Changes     []changeObject    `json:"changes"`             // all confirmed commits, in the order of the history
	Candidates  []candidateObject `json:"candidates"`          // commits that may be it, the most probable first; a culprit has the probability 1
	Skipped     []skippedObject   `json:"skipped"`             // commits that could not be measured
	Measured    []measuredObject  `json:"measured"`            // what was measured of each commit
	Merges      []string          `json:"merges,omitempty"`    // with --all, the merges that the culprit came with, the outermost first
	Notes       []string          `json:"notes,omitempty"`     // limitations of the answer, a sentence each
}

type endsObject struct {
	Package string        `json:"package"` // import path
	Name    string        `json:"name"`    // without "Benchmark"
	Outcome string        `json:"outcome"` // failed if it is slower at the end, otherwise passed or undecided
	Ratio   stat.Interval `json:"ratio"`   // cost at the end over that at the beginning
}

type changeObject struct {
	Commit    string        `json:"commit"`              // hash
	Subject   string        `json:"subject"`             // first line of its message
	Author    string        `json:"author"`              // name
	Date      string        `json:"date"`                // of the author, as in RFC 3339
	Level     float64       `json:"level"`               // confidence of the comparison with its parent
	Ratio     stat.Interval `json:"ratio"`               // cost over that of its parent, as the comparison found it
	Layouts   int           `json:"layouts"`             // orders of functions in which both were linked
	Rewritten bool          `json:"rewritten,omitempty"` // the source of the benchmark differs too
	Show      string        `json:"show"`                // command that shows the difference
	Again     string        `json:"again"`               // command that compares it with its parent
}

type candidateObject struct {
	Commit      string  `json:"commit"`      // hash
	Subject     string  `json:"subject"`     // first line of its message
	Probability float64 `json:"probability"` // that it made the benchmark slower
}

type skippedObject struct {
	Commit string `json:"commit"` // hash
	Why    string `json:"why"`    // what is wrong with it
}

type measuredObject struct {
	Commit string  `json:"commit"` // hash
	Builds int     `json:"builds"` // layouts it was measured in
	Rounds int     `json:"rounds"` // in all of them
	Ratio  float64 `json:"ratio"`  // cost over that of the first commit, the median of the rounds
}

// object returns the JSON of the report.
func (r *report) object(interrupted bool) bisectObject {
	x := r.last()
	good, bad := &x.commits[0], &x.commits[len(x.commits)-1]
	o := bisectObject{Schema: session.Schema, Started: r.started.Format(time.RFC3339), Interrupted: interrupted, Range: x.name, Good: good.hash, Bad: bad.hash,
		Commits: len(x.commits) - 1, By: r.flags.by(), Level: float64(r.flags.Level), Limit: float64(r.flags.Gate), Spent: r.spent.Seconds(),
		Ends: []endsObject{}, Changes: []changeObject{}, Candidates: []candidateObject{}, Skipped: []skippedObject{}, Measured: []measuredObject{}, Notes: r.remarks()}
	for _, e := range x.results {
		o.Ends = append(o.Ends, endsObject{e.Package, e.Name, e.Outcome.String(), e.Ratio})
	}
	if x.chosen < 0 {
		return o
	}
	o.Package, o.Benchmark = x.chosenResult().Package, x.chosenResult().Name
	for _, outer := range r.searches {
		if outer != x && x == r.searches[len(r.searches)-1] {
			o.Merges = append(o.Merges, outer.worst().hash)
		}
	}
	for _, c := range x.culprits() {
		o.Changes = append(o.Changes, changeObject{Commit: c.hash, Subject: c.subject, Author: c.author, Date: c.date, Level: c.found.Level, Ratio: c.found.Ratio,
			Layouts: c.found.Layouts, Rewritten: c.found.Rewritten, Show: x.show(c.commit), Again: x.again(c.commit)})
		o.Candidates = append(o.Candidates, candidateObject{c.hash, c.subject, 1})
	}
	if c := x.worst(); c != nil {
		o.Culprit = c.hash
	}
	o.Confirmed = o.Culprit != "" && len(x.candidates()) == 0
	for _, set := range x.candidates() {
		for _, c := range set {
			o.Candidates = append(o.Candidates, candidateObject{c.hash, c.subject, c.probability})
		}
	}
	slices.SortStableFunc(o.Candidates, func(a, b candidateObject) int { return cmp.Compare(b.Probability, a.Probability) })
	for _, i := range x.skippedInOrder() {
		o.Skipped = append(o.Skipped, skippedObject{x.commits[i].hash, x.skipped[i]})
	}
	o.Measured = x.measured()
	return o
}

// measured returns what was measured of each commit, in the order of the history.
func (x *search) measured() (all []measuredObject) {
	builds, rounds := map[string]int{}, map[string][]float64{}
	for _, e := range x.record.Events {
		if len(e.Rounds) > 0 {
			builds[e.Commit]++
			rounds[e.Commit] = append(rounds[e.Commit], e.Rounds...)
		}
	}
	all = []measuredObject{}
	for _, c := range x.commits {
		if n := builds[c.hash]; n > 0 {
			all = append(all, measuredObject{c.hash, n, len(rounds[c.hash]), math.Exp(median(rounds[c.hash]))})
		}
	}
	return all
}
