// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"

	"github.com/strobe-go/strobe/stat/decide"
)

// A use is a metric of a benchmark, or of a package, that a waiver is for.
type use struct {
	*waiver
	title  string
	needed bool // the metric may be above its limit
	passes bool
}

// uses returns what waivers are for, of what was measured.
func (r *report) uses() (all []use) {
	for i := range r.rows {
		x := &r.rows[i]
		if x.time.waiver != nil && len(x.rounds) > 0 && r.m.flags.judges(byTime) {
			all = append(all, use{x.time.waiver, x.title(), x.isWaived(), x.byTime == decide.Passed})
		}
		for k := range x.answers {
			if a := &x.answers[k]; a.waiver != nil && a.rounds > 0 {
				all = append(all, use{a.waiver, x.title(), a.isWaived(), a.outcome == decide.Passed})
			}
		}
	}
	for i := range r.m.sizes {
		if x := &r.m.sizes[i]; x.waiver != nil && x.rounds > 0 {
			all = append(all, use{x.waiver, x.path, x.isWaived(), x.outcome == decide.Passed})
		}
	}
	return all
}

// waivers says which waivers were used and until when they count, a sentence each.
func (r *report) waivers() (all []string) {
	for _, u := range r.uses() {
		end := fmt.Sprintf("up to %s until %s: %s", u.ceiling.allowed(), u.until(), u.why())
		switch {
		case u.needed:
			all = append(all, fmt.Sprintf("%s, %s %s", u.title, u.ceiling.metric, end))
		case u.passes:
			all = append(all, fmt.Sprintf("%s keeps its limit of %s; the waiver is not needed, %s", u.title, u.ceiling.metric, end))
		default:
			all = append(all, fmt.Sprintf("%s is not covered: more than, or not shown to be within, %s %s", u.title, u.ceiling.metric, end))
		}
	}
	return all
}

// overdue says which waivers have expired, a sentence each.
func (m *measurement) overdue() (all []string) {
	for i := range m.rules.waivers {
		if w := &m.rules.waivers[i]; w.expired(m.started) {
			all = append(all, fmt.Sprintf("%s: the waiver for %s of %s expired on %s and covers nothing: remove it, or renew it if its reason still holds: %s",
				m.rules.where(w.line), w.ceiling.metric, w.selection.String(), w.until(), w.why()))
		}
	}
	return all
}

// A waiverObject is the JSON of a waiver that has not expired.
type waiverObject struct {
	Package string      `json:"package,omitempty"` // of the benchmarks that it is for; absent for all
	Bench   string      `json:"bench,omitempty"`   // which they are, as go test -bench has it; absent for all
	Metric  string      `json:"metric"`            // what may be worse than its limit
	Ceiling float64     `json:"ceiling"`           // by how much it may grow, negative if it may fall
	Reason  string      `json:"reason"`            // why
	Link    string      `json:"link,omitempty"`    // more about it
	Expires string      `json:"expires"`           // its last day
	Changed string      `json:"changed,omitempty"` // how it differs from what the base has: added, widened or extended
	Uses    []waiverUse `json:"uses"`              // what was measured of these benchmarks
}

type waiverUse struct {
	Title  string `json:"title"`  // the benchmark, or the package
	Needed bool   `json:"needed"` // without the waiver it would not have passed
}

// waiverObjects returns the JSON of the waivers.
func (r *report) waiverObjects() (all []waiverObject) {
	uses := r.uses()
	for i := range r.m.rules.waivers {
		w := &r.m.rules.waivers[i]
		if w.expired(r.m.started) {
			continue
		}
		ceiling := w.ceiling.share
		if w.ceiling.falls {
			ceiling = -ceiling
		}
		o := waiverObject{Package: w.packages, Bench: w.bench, Metric: string(w.ceiling.metric), Ceiling: ceiling, Reason: w.reason, Link: w.link, Expires: w.until(), Changed: w.fresh,
			Uses: []waiverUse{}}
		for _, u := range uses {
			if u.waiver == w {
				o.Uses = append(o.Uses, waiverUse{u.title, u.needed})
			}
		}
		all = append(all, o)
	}
	return all
}
