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

// A Reporter logs reports at an interval until it is stopped.
type Reporter struct {
	runner *report.Runner
}

// Start logs reports to logger at an interval, 0 or less meaning every second. It is StartReport with defaults.
func Start(logger *slog.Logger, every time.Duration) *Reporter {
	return StartReport(logger, strobe.ReportOptions{Every: every})
}

// StartReport logs reports to logger at an interval; the package comment describes their records. A nil logger means
// slog.Default. Nothing is logged while the level Info is disabled in the logger. In programs built with -tags strobe_off, it
// logs a single record that says why nothing is reported.
func StartReport(logger *slog.Logger, o strobe.ReportOptions) *Reporter {
	if logger == nil {
		logger = slog.Default()
	}
	if !strobe.Enabled {
		logger.Info("strobe", "notes", strings.Join(strobe.TakeSnapshot().Notes, "; "))
		return new(Reporter)
	}
	reads := report.Readers{Slices: strobe.NewReader().Read, Reports: strobe.NewReader().Read}
	return &Reporter{report.Start(report.Options(o), reads, func(r *report.Report) {
		if logger.Enabled(context.Background(), slog.LevelInfo) {
			records{logger}.report(r)
		}
	})}
}

// Stop logs what was measured since the last report and ends the reporter. Safe for concurrent use; later calls do nothing.
func (r *Reporter) Stop() {
	if r.runner != nil {
		r.runner.Stop()
	}
}
