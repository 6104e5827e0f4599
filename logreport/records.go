// SPDX-License-Identifier: BSD-3-Clause

package logreport

import (
	"context"
	"log/slog"
	"runtime"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/report"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/stat"
)

// records writes the records of reports.
type records struct {
	handler slog.Handler
	err     error // its first
}

func (w *records) report(r *report.Report) {
	for i := range r.Rows {
		w.row(r, &r.Rows[i])
	}
	for _, f := range r.Frames {
		if f.Turns > 0 {
			w.frame(f)
		}
	}
	for _, u := range r.Served() {
		w.unit(r.Zones[u.Zone].Name, &u, r.Looks, r.Split(u.Zone))
	}
	if n := len(r.Silent); n > 0 {
		w.write(slog.LevelInfo, "lanes silent", slog.Int("lanes", n), slog.String("names", strings.Join(r.Silent[:min(n, 10)], ", ")))
	}
	w.summary(r)
}

// write is slog.Logger.LogAttrs, which drops the handler's error.
func (w *records) write(level slog.Level, msg string, attrs ...slog.Attr) {
	ctx := context.Background()
	if !w.handler.Enabled(ctx, level) {
		return
	}
	var caller [1]uintptr
	runtime.Callers(2, caller[:])
	r := slog.NewRecord(time.Now(), level, msg, caller[0])
	r.AddAttrs(attrs...)
	if err := w.handler.Handle(ctx, r); err != nil && w.err == nil {
		w.err = err
	}
}

// row logs what happened in a zone, or on a path of zones.
func (w *records) row(r *report.Report, row *report.Row) {
	z := &row.Stats
	msg, attrs := "zone", make([]slog.Attr, 0, 20)
	if r.Lanes > 0 {
		attrs = append(attrs, slog.Int("lanes", r.Lanes))
	} else {
		attrs = append(attrs, slog.String("lane", row.Lane.Name))
	}
	if r.Tree {
		msg, attrs = "path", append(attrs, slog.String("path", strings.Join(row.Path, " > ")))
	}
	attrs = append(attrs, slog.String("zone", row.Zone.Name), slog.Float64("total_ms", ms(z.Total)), slog.Float64("of_ms", ms(r.Elapsed)),
		slog.Float64("share", row.Share), slog.Uint64("calls", z.Calls))
	if !z.SelfUnknown {
		attrs = append(attrs, slog.Float64("self_ms", ms(z.Self)))
	}
	if row.Mean.N > 0 {
		attrs = append(attrs, interval(row.Mean)...)
	}
	if p99, ok := z.Quantile(0.99); ok {
		attrs = append(attrs, slog.Int64("min_ns", int64(z.Min)), slog.Int64("p99_ns", int64(p99)), slog.Int64("max_ns", int64(z.Max)))
	}
	attrs = append(attrs, slog.Float64("probe_share", row.Probe))
	if row.Zone.Wait {
		attrs = append(attrs, slog.Bool("wait", true))
	}
	if z.Open > 0 {
		attrs = append(attrs, slog.Int("open", z.Open))
	}
	if row.Zone.Every > 1 && !r.Tree {
		attrs = append(attrs, slog.Uint64("timed", z.Timed), slog.Int("sampled", row.Zone.Every))
	}
	if row.Error > 0 {
		attrs = append(attrs, slog.Float64("total_error", row.Error))
	}
	if row.Lane.Thread != 0 {
		attrs = append(attrs, slog.Int("thread", row.Lane.Thread))
	}
	w.write(slog.LevelInfo, msg, attrs...)
}

func (w *records) frame(f profile.FrameStats) {
	attrs := []slog.Attr{slog.String("loop", f.Name), slog.Uint64("turns", f.Turns), slog.Float64("rate_hz", f.Rate)}
	if f.Frame.Known() {
		attrs = append(attrs, interval(f.Frame)...)
		attrs = append(attrs, slog.Int64("p99_ns", int64(f.P99)))
	}
	w.write(slog.LevelInfo, "frame", attrs...)
}

// unit logs what happened to the units of a root zone.
func (w *records) unit(zone string, u *profile.UnitStats, seen *profile.Looks, did *profile.Split) {
	attrs := []slog.Attr{slog.String("zone", zone), slog.Uint64("calls", u.Calls), slog.Float64("rate_hz", u.Rate)}
	for _, q := range []struct {
		name string
		stat.Interval
	}{{"p50", u.P50}, {"p99", u.P99}, {"p999", u.P999}} {
		if q.Bounded() {
			attrs = append(attrs, slog.Float64(q.name+"_ns", q.Center), slog.Float64(q.name+"_lo_ns", q.Lo), slog.Float64(q.name+"_hi_ns", q.Hi))
		}
	}
	if u.Max > 0 {
		attrs = append(attrs, slog.Int64("max_ns", int64(u.Max)))
	}
	if u.Open > 0 {
		attrs = append(attrs, slog.Int("open", u.Open))
	}
	if did != nil {
		attrs = append(attrs, slog.Int64("running_ns", int64(did.Running)), slog.Int64("ready_ns", int64(did.Ready)), slog.Int64("waiting_ns", int64(did.Waiting)),
			slog.Int64("unknown_ns", int64(did.Unknown)), slog.Int64("covered_ns", int64(seen.Covered)), slog.Bool("displaced", seen.Displaced))
	}
	w.write(slog.LevelInfo, "unit", attrs...)
}

// summary logs the cost of measuring and its limits.
func (w *records) summary(r *report.Report) {
	attrs := []slog.Attr{
		slog.Float64("of_ms", ms(r.Elapsed)),
		slog.Float64("span_cost_ns", r.Cost),
		slog.Int64("uncertainty_ns", int64(r.Uncertainty)),
		slog.Float64("probe_share", r.Probe),
		slog.Int64("memory_bytes", r.Memory),
	}
	if r.ProbeLane != "" {
		attrs = append(attrs, slog.String("probe_lane", r.ProbeLane))
	}
	if r.Left > 0 {
		attrs = append(attrs, slog.Int("rows_left", r.Left))
		if !r.LeftUnknown {
			attrs = append(attrs, slog.Float64("left_self_ms", ms(r.LeftSelf)))
		}
	}
	for _, misuse := range []struct {
		name string
		n    uint64
	}{{"ended_twice", r.EndedTwice}, {"ended_elsewhere", r.EndedElsewhere}, {"ended_early", r.EndedEarly}, {"abandoned", r.Abandoned}} {
		if misuse.n > 0 {
			attrs = append(attrs, slog.Uint64(misuse.name, misuse.n))
		}
	}
	level := slog.LevelInfo
	if len(r.Warnings) > 0 {
		level = slog.LevelWarn
		attrs = append(attrs, slog.String("warnings", strings.Join(r.Warnings, "; ")))
	}
	if len(r.Notes) > 0 {
		attrs = append(attrs, slog.String("notes", strings.Join(r.Notes, "; ")))
	}
	w.write(level, "strobe", attrs...)
}

func interval(mean stat.Interval) []slog.Attr {
	attrs := []slog.Attr{slog.Float64("mean_ns", mean.Center)}
	if mean.Bounded() {
		attrs = append(attrs, slog.Float64("mean_lo_ns", mean.Lo), slog.Float64("mean_hi_ns", mean.Hi))
	}
	return attrs
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }
