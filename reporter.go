// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/stat"
)

// A Reporter writes a report at an interval, on a goroutine of its own: a line for each lane and zone in which spans
// ended or are open.
type Reporter struct {
	w     io.Writer
	every time.Duration
	stop  chan struct{}
	done  chan struct{}
	once  sync.Once
	err   error // of the writer; read after done

	last   Snapshot
	lines  int         // since the header
	slices []sliceSums // of the time since the last report
	active map[int]bool
}

// StartReporter reports to w once every so often, 0 or less meaning every second, and at least every 10 ms apart. The
// columns are: the time of day, the lane, the zone, ms spent in it of the ms that passed, that as a share, calls that
// ended, ms in the zone itself, the mean duration of a call with its interval, and the 99th percentile. The interval is
// that of the mean over sixteen slices of the time, so it knows that calls resemble their neighbours. Each report
// is one Write; nothing is written from inside a span.
func StartReporter(w io.Writer, every time.Duration) *Reporter {
	if every <= 0 {
		every = time.Second
	}
	r := &Reporter{w: w, every: max(every, 10*time.Millisecond), stop: make(chan struct{}), done: make(chan struct{}),
		active: make(map[int]bool)}
	r.last = TakeSnapshot()
	go r.run()
	return r
}

// Stop writes a last report of the time since the one before, ends the reporter and returns the first error that the
// writer gave; the reports went on after it. Safe for concurrent use; later calls return the same.
func (r *Reporter) Stop() error {
	r.once.Do(func() { close(r.stop) })
	<-r.done
	return r.err
}

const slicesPerReport = 16

func (r *Reporter) run() {
	defer close(r.done)
	tick := time.NewTicker(r.every / slicesPerReport)
	defer tick.Stop()
	due := time.Now().Add(r.every)
	for {
		select {
		case <-r.stop:
			r.report()
			return
		case now := <-tick.C:
			if now.Before(due) {
				r.slice()
				continue
			}
			r.report()
			for !due.After(now) {
				due = due.Add(r.every)
			}
		}
	}
}

// A sliceSums is what the lanes had counted at the end of a slice, by lane and zone.
type sliceSums map[sliceKey]sums

type sliceKey struct{ lane, zone int }

type sums struct{ calls, total uint64 }

// slice notes calls and totals. A process with very many accounts is read less often than it could be, not slowed down.
func (r *Reporter) slice() {
	begin := clock.Now()
	lanes.Lock()
	all := lanes.all
	lanes.Unlock()
	s := make(sliceSums)
	for i, l := range all {
		table := *l.accounts.Load()
		for z := range table {
			if a := table[z].Load(); a != nil {
				s[sliceKey{i, z}] = sums{a.calls.read(), a.total.read()}
			}
		}
	}
	r.slices = append(r.slices, s)
	if cost := clock.Since(begin); cost > r.every/100 && len(r.slices) > 2 {
		r.slices = r.slices[len(r.slices)-2:]
	}
}

func (r *Reporter) report() {
	r.slice()
	now := TakeSnapshot()
	s := now.Sub(r.last)
	var lines []line
	active := make(map[int]bool)
	for _, l := range s.Lanes {
		for _, z := range l.Zones {
			if z.Calls == 0 && z.Open == 0 {
				continue
			}
			active[l.ID] = true
			lines = append(lines, r.line(s, l, z))
		}
	}
	var silent []string
	for _, l := range s.Lanes {
		if r.active[l.ID] && !active[l.ID] {
			silent = append(silent, l.Name)
		}
	}
	r.active, r.last = active, now
	r.slices = r.slices[len(r.slices)-1:]

	var b strings.Builder
	if r.lines == 0 || r.lines+len(lines) > 40 {
		b.WriteString(reportHeader)
		r.lines = 0
	}
	r.lines += len(lines) + len(silent) + 1
	reportText(&b, time.Now(), lines, silent, s)
	if _, err := io.WriteString(r.w, b.String()); err != nil && r.err == nil {
		r.err = err
	}
}

func (r *Reporter) line(s Snapshot, l LaneStats, z ZoneStats) line {
	out := line{lane: l.Name, zone: s.Zones[z.Zone].Name, in: z.Total, of: s.Span, self: z.Self, calls: z.Calls, open: z.Open}
	if s.Zones[z.Zone].Wait {
		out.zone += " (wait)"
	}
	if z.Calls > 0 {
		out.mean = r.mean(sliceKey{l.ID, z.Zone}, z)
	}
	out.p99, out.hasP99 = z.Quantile(0.99)
	out.probe = float64(z.Timed) * float64(s.Cost) / float64(max(s.Span, 1))
	return out
}

// mean returns the mean duration of a call. Its interval is Student's t over slices of time, whose sums are a ratio
// estimate: slice i enters as R + (T_i - R*n_i) / n, with R the ratio of all T to all n and n the mean of n_i (Cochran,
// Sampling Techniques, 6.3). Slices are far longer than calls remember each other.
func (r *Reporter) mean(k sliceKey, z ZoneStats) stat.Interval {
	const fine = 1000 // Moments wants integers
	iv := stat.Interval{Center: float64(z.Mean), Method: "time slices", N: z.Timed}
	rate := nsPerTick()
	var calls, total float64
	last := len(r.slices) - 1
	first := r.slices[0][k]
	if last < 2 {
		return iv
	}
	calls = float64(r.slices[last][k].calls - first.calls)
	total = float64(r.slices[last][k].total-first.total) * rate
	if calls < slicesPerReport/2 {
		return iv
	}
	var m stat.Moments
	ratio := total / calls
	for i := 1; i <= last; i++ {
		a, b := r.slices[i-1][k], r.slices[i][k]
		rest := float64(b.total-a.total)*rate - ratio*float64(b.calls-a.calls)
		m.Add(int64(fine * (ratio + rest*float64(last)/calls)))
	}
	t := m.Interval(0.95)
	if t.Level == 0 {
		return iv
	}
	half := t.Half() / fine
	iv.Lo, iv.Hi, iv.Level, iv.NEff = iv.Center-half, iv.Center+half, t.Level, float64(last)
	return iv
}
