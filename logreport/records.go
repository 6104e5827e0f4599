// SPDX-License-Identifier: BSD-3-Clause

package logreport

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/strobe-go/strobe"
)

// tooShort is the mean, in ns, below which a span mostly measures itself.
const tooShort = 10

// tooMuch is the share of a lane's time in measuring that is worth a warning.
const tooMuch = 0.05

func (r *Reporter) info(msg string, attrs ...slog.Attr) {
	r.log.LogAttrs(context.Background(), slog.LevelInfo, msg, attrs...)
}

// zone logs what happened in a zone on a lane, and returns the share of the time that went into measuring it.
func (r *Reporter) zone(s strobe.Snapshot, l strobe.LaneStats, z strobe.ZoneStats) (probe float64) {
	info, of := s.Zones[z.Zone], max(float64(s.Span), 1)
	probe = float64(z.Timed) * float64(s.Cost) / of
	attrs := []slog.Attr{
		slog.String("lane", l.Name),
		slog.String("zone", info.Name),
		slog.Float64("total_ms", ms(z.Total)),
		slog.Float64("of_ms", ms(s.Span)),
		slog.Float64("share", float64(z.Total)/of),
		slog.Uint64("calls", z.Calls),
	}
	if !l.Shared {
		attrs = append(attrs, slog.Float64("self_ms", ms(z.Self)))
	}
	if mean := z.Mean; z.Timed > 0 {
		attrs = append(attrs, slog.Int64("mean_ns", int64(mean)))
		if half, ok := halfWidth(r.slices, key{l.ID, z.Zone}); ok {
			attrs = append(attrs, bounds(float64(mean), half)...)
		}
		if mean < tooShort {
			attrs = append(attrs, slog.Bool("too_short", true))
		}
	}
	if p99, ok := z.Quantile(0.99); ok {
		attrs = append(attrs, slog.Int64("min_ns", int64(z.Min)), slog.Int64("p99_ns", int64(p99)), slog.Int64("max_ns", int64(z.Max)))
	}
	attrs = append(attrs, slog.Float64("probe_share", probe))
	if info.Wait {
		attrs = append(attrs, slog.Bool("wait", true))
	}
	if z.Open > 0 {
		attrs = append(attrs, slog.Int("open", z.Open))
	}
	if info.Every > 1 {
		attrs = append(attrs, slog.Int("sampled", info.Every))
	}
	if l.Thread != 0 {
		attrs = append(attrs, slog.Int("thread", l.Thread))
	}
	r.info("zone", attrs...)
	return probe
}

func (r *Reporter) frame(f strobe.FrameStats) {
	attrs := []slog.Attr{slog.String("loop", f.Name), slog.Uint64("turns", f.Turns), slog.Float64("rate_hz", f.Rate)}
	if f.Turns > 1 {
		attrs = append(attrs, slog.Float64("mean_ns", f.Frame.Center))
		if f.Frame.Level > 0 {
			attrs = append(attrs, bounds(f.Frame.Center, f.Frame.Half())...)
		}
		attrs = append(attrs, slog.Int64("p99_ns", int64(f.P99)))
	}
	r.info("frame", attrs...)
}

// own logs what the measuring itself costs and what limits it.
func (r *Reporter) own(s strobe.Snapshot, worst float64) {
	var attrs []slog.Attr
	if strobe.Enabled {
		attrs = []slog.Attr{
			slog.Float64("of_ms", ms(s.Span)),
			slog.Int64("span_cost_ns", int64(s.Cost)),
			slog.Int64("bias_ns", int64(s.Bias)),
			slog.Float64("probe_share", worst),
			slog.Int64("memory_bytes", s.Memory),
		}
	}
	for _, misuse := range []struct {
		name string
		n    uint64
	}{{"ended_twice", s.EndedTwice}, {"ended_elsewhere", s.EndedElsewhere}, {"ended_early", s.EndedEarly}} {
		if misuse.n > 0 {
			attrs = append(attrs, slog.Uint64(misuse.name, misuse.n))
		}
	}
	notes, level := s.Notes, slog.LevelInfo
	if worst > tooMuch {
		level = slog.LevelWarn
		notes = append([]string{"measuring takes much of a lane's time: sample its busiest zone (SetSampling)"}, notes...)
	}
	if len(notes) > 0 {
		attrs = append(attrs, slog.String("notes", strings.Join(notes, "; ")))
	}
	r.log.LogAttrs(context.Background(), level, "strobe", attrs...)
}

func bounds(mean, half float64) []slog.Attr {
	return []slog.Attr{slog.Float64("mean_lo_ns", mean-half), slog.Float64("mean_hi_ns", mean+half)}
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }
