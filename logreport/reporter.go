// SPDX-License-Identifier: BSD-3-Clause

package logreport

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/report"
)

// A Reporter logs reports at an interval until it is stopped. A strobe.Reporter writes them as text.
type Reporter struct {
	runner *report.Runner
	to     records // its error is read after the runner has stopped
}

// Start logs reports to logger at an interval; the package comment describes their records. A nil logger means slog.Default.
// The interval and the options mean the same as for strobe.StartReporter. Nothing is logged while the level Info is disabled in
// the logger. In programs built with -tags strobe_off, it logs a single record that says why nothing is reported.
func Start(logger *slog.Logger, every time.Duration, o ...strobe.ReportOptions) *Reporter {
	if logger == nil {
		logger = slog.Default()
	}
	r := &Reporter{to: records{handler: logger.Handler()}}
	if !strobe.Enabled {
		r.to.write(slog.LevelInfo, "strobe", slog.String("notes", strings.Join(strobe.TakeSnapshot().Notes, "; ")))
		return r
	}
	rows := report.Options{Every: every}
	for _, last := range o {
		rows.Rows, rows.Lanes, rows.Tree = last.Rows, last.Lanes, last.Tree
	}
	reads := report.Readers{Slices: strobe.NewReader().Read, Reports: strobe.NewReader().Read}
	r.runner = report.Start(rows, reads, func(made *report.Report) {
		if logger.Enabled(context.Background(), slog.LevelInfo) {
			r.to.report(made)
		}
	})
	return r
}

// Stop logs what was measured since the last report, ends the reporter, and returns the first error of the logger's handler, if
// there was one. An error does not stop the reports. Safe for concurrent use; later calls return the same.
func (r *Reporter) Stop() error {
	if r.runner != nil {
		r.runner.Stop()
	}
	return r.to.err
}
