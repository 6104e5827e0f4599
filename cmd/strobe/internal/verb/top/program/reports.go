// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"slices"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
)

// keptReports is how many reports are kept: a program sends its latest ones, and explains several a second.
const keptReports = 256

// addReports keeps the reports that may be the one to show: not those on faster units that ended earlier.
func (p *Program) addReports(all []feed.Report) {
	for _, r := range all {
		p.reports = slices.DeleteFunc(p.reports, func(old feed.Report) bool {
			return old.Number == r.Number || old.Took <= r.Took && old.Start+old.Took <= r.Start+r.Took
		})
		p.reports = append(p.reports, r)
	}
	p.reports = p.reports[max(0, len(p.reports)-keptReports):]
}

// Report returns the report on the slowest frame or unit of those that ended in the latest minute.
func (p *Program) Report() (r feed.Report, ok bool) {
	for _, of := range p.reports {
		if of.Text != "" && of.Start+of.Took >= p.At-slowSpan && (!ok || of.Took >= r.Took) {
			r, ok = of, true
		}
	}
	return r, ok
}
