// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"context"
	"log/slog"
	"math"
	"strconv"
	"sync"
	"time"
)

// reports are the latest of this process.
var reports struct {
	sync.Mutex
	last   uint64
	latest []Numbered
}

const (
	mostReports  = 32
	mostEvidence = 8 // of the latest reports
)

// Reports returns the latest reports of this process whose number is greater than after, oldest first, at most 32, of which the
// latest 8 have their evidence: for viewers, which pass the number of the last report that they have seen. Safe for concurrent use.
func Reports(after uint64) []Numbered {
	reports.Lock()
	defer reports.Unlock()
	for i := range reports.latest {
		if reports.latest[i].Number > after {
			return append([]Numbered(nil), reports.latest[i:]...)
		}
	}
	return nil
}

// publish numbers and keeps a report.
func publish(r Report) {
	reports.Lock()
	defer reports.Unlock()
	reports.last++
	latest := append([]Numbered(nil), reports.latest[max(0, len(reports.latest)-mostReports+1):]...)
	if n := len(latest) - mostEvidence; n >= 0 {
		latest[n].Evidence = nil
	}
	reports.latest = append(latest, Numbered{reports.last, r})
}

// quiet is how long the log has no second line about the same root and cause.
const quiet = 10 * time.Second

// A voice writes reports to the log: one line, and no more about the same for a while.
type voice struct {
	log    *slog.Logger
	said   map[subject]spoken
	warned bool
}

type subject struct {
	root  string
	cause Cause
}

type spoken struct {
	at    time.Time
	since int // reports that were not logged
}

// report logs a report, or counts it.
func (v *voice) report(r *Report, file string, now time.Time) {
	if v.said == nil {
		v.said = make(map[subject]spoken)
	}
	about := subject{r.Root, r.Cause}
	last, known := v.said[about]
	if known && now.Sub(last.at) < quiet {
		last.since++
		v.said[about] = last
		return
	}
	const most = 1000 // roots and causes
	if len(v.said) >= most {
		clear(v.said)
	}
	v.said[about] = spoken{at: now}
	all := []slog.Attr{slog.String("root", r.Root), slog.Float64("took_ms", milliseconds(r.Took))}
	if r.Usual > 0 {
		all = append(all, slog.Float64("usual_ms", milliseconds(r.Usual)))
	}
	all = append(all, slog.String("cause", r.Cause.String()))
	text := func(key, value string) {
		if value != "" {
			all = append(all, slog.String(key, value))
		}
	}
	if r.Share > 0 {
		all = append(all, slog.Float64("share", math.Round(100*r.Share)/100))
	}
	text("zone", r.Zone)
	text("where", r.Where)
	text("by", r.By)
	text("next", r.Next)
	for _, n := range r.Notes {
		all = append(all, slog.String("note."+n.Key, n.Value))
	}
	text("file", file)
	if last.since > 0 {
		all = append(all, slog.Int("not_logged", last.since))
	}
	if r.Slow > 0 {
		all = append(all, slog.Uint64("explained", r.Explained), slog.Uint64("of_slow", r.Slow))
	}
	v.log.LogAttrs(context.Background(), slog.LevelWarn, r.String(), all...)
}

// missing logs once what the sources lack.
func (v *voice) missing(degrees []string) {
	if len(degrees) > 0 {
		v.log.LogAttrs(context.Background(), slog.LevelInfo, "capture works with fewer sources", slog.Any("missing", degrees))
	}
}

// failed logs the first error of writing files.
func (v *voice) failed(err error) {
	if !v.warned {
		v.warned = true
		v.log.LogAttrs(context.Background(), slog.LevelWarn, "capture cannot write a file", slog.String("error", err.Error()))
	}
}

// milliseconds returns d with three significant digits.
func milliseconds(d time.Duration) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(float64(d)/1e6, 'g', 3, 64), 64)
	return v
}
