// SPDX-License-Identifier: BSD-3-Clause

package strobe

import (
	"io"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/report"
)

// ReportOptions select the rows of reports. The zero value is the default.
type ReportOptions struct {
	Rows  int  // maximum number of rows: those with the most self time; 0 means 24, a negative number means no limit
	Lanes bool // a row for each lane and zone, even if these are more than Rows; otherwise such a report sums up the lanes
	Tree  bool // the call tree: a row for each path of zones, indented; the lanes are summed up unless Lanes is set
}

// A Reporter writes reports at an interval, on its own goroutine. A logreport.Reporter logs them.
type Reporter struct {
	runner *report.Runner
	err    error // of the writer; read after the runner has stopped
}

// StartReporter writes a report to w at an interval, with a row for each lane and zone in which spans ended or are open:
//
//	defer strobe.StartReporter(os.Stderr, time.Second).Stop()
//
// An interval of 0 or less means a second; one below 10 ms means 10 ms, and the first report says so. Options select other
// rows; of several, the last one counts. Each report is one Write. Nothing is written from inside a span, and idle lanes cost
// nothing.
//
// The columns are
//
//	time     the time of day
//	lane     the name of the goroutine's lane; omitted if the lanes are summed up. A name longer than 40 characters is cut in
//	         the middle, and characters that would control a terminal become "?"
//	zone     the name of the zone, like that of a lane; (wait) if it was made by NewWaitZone
//	ms in    time in the zone, with the spans inside; a zone inside itself counts once
//	of ms    time since the previous report
//	share    ms in divided by of ms; 100 % is one goroutine that does nothing else
//	calls    spans that ended
//	self ms  time in the zone, without the spans inside
//	mean     of a call, with its 95 % interval
//	p99      99 of 100 calls took no longer, within 3.2 %
//
// The interval of a mean is computed from sixteen slices of the time, so that it allows for correlation between successive
// calls. Snapshot.Uncertainty, the error of a single span, is added on both sides. There is no interval if fewer than eight
// calls ended, or if all of them ended in one or two slices.
//
// A row may end with "open" for spans that have not ended; their time so far is included. "estimate" means that the zone is
// sampled; it is followed by the number of calls that were timed and the 95 % interval of the estimated time in the zone. In a tree,
// the self time of a path is that of all calls then, and the time in the zone that of the timed ones.
//
// A line for each root zone of which a call ended or is open follows, with the number and the rate of its units, quantiles of their
// durations with 95 % intervals, and the longest. See profile.UnitStats.
//
// Lines that begin with "strobe:" follow: whether rows are sums over lanes, which lanes have gone idle, what measuring
// costs, misuse of spans with its remedy, and Snapshot.Notes when they change.
//
// In programs built with -tags strobe_off, it writes a single line that says why nothing is reported.
func StartReporter(w io.Writer, every time.Duration, o ...ReportOptions) *Reporter {
	r := new(Reporter)
	if !Enabled {
		_, r.err = io.WriteString(w, "strobe: "+strings.Join(TakeSnapshot().Notes, "; ")+"\n")
		return r
	}
	var text report.Text
	rows := report.Options{Every: every}
	for _, last := range o {
		rows.Rows, rows.Lanes, rows.Tree = last.Rows, last.Lanes, last.Tree
	}
	reads := report.Readers{Slices: NewReader().Read, Reports: NewReader().Read}
	r.runner = report.Start(rows, reads, func(made *report.Report) {
		if _, err := w.Write(text.Append(nil, time.Now(), made)); err != nil && r.err == nil {
			r.err = err
		}
	})
	return r
}

// Stop writes a last report, which covers the time since the previous one, ends the reporter, and returns the first error of
// the writer, if there was one. An error does not stop the reports. Safe for concurrent use; later calls return the same.
func (r *Reporter) Stop() error {
	if r.runner != nil {
		r.runner.Stop()
	}
	return r.err
}
