// SPDX-License-Identifier: BSD-3-Clause

package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	zones "github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/demo/sim"
	"github.com/strobe-go/strobe/internal/units"
)

// legend explains the rows before the first of them appear.
func (d *demo) legend(p *layout.Printer) {
	end := "until Ctrl-C"
	if d.flags.For > 0 {
		end = fmt.Sprintf("for %v", time.Duration(d.flags.For))
	}
	p.Wrap("", fmt.Sprintf("Simulating %d boids at %g ticks per second, %s. Every second shows for each operation: its rate, mean "+
		"duration with 95 %% confidence interval (±), standard deviation, 99th percentile, and share of the time; how late ticks "+
		"started; and for each goroutine (lane) and profiler zone: its calls, its time, and its time without inner zones (self).",
		d.flags.Boids, float64(d.flags.Rate), end))
	p.WriteByte('\n')
}

// block prints the rows of one second.
func (d *demo) block(p *layout.Printer, now clock.Instant, second time.Duration) (dropped []string) {
	at := fmt.Sprintf("%.0f s", now.Sub(d.start).Seconds())
	var rows [][]string
	for _, op := range sim.Ops() {
		t, rate := d.gauges[op].turn(now)
		rows = append(rows, row(at, op, rate, t, second))
	}
	dropped = p.Table(operationTable(rows))
	p.Wrap(pacerMark(at), d.lateness(p))
	snapshot := zones.TakeSnapshot()
	dropped = append(dropped, writeZones(p, at, snapshot.Sub(d.last))...)
	d.last = snapshot
	return dropped
}

func pacerMark(at string) string { return fmt.Sprintf("%5s  pacer     ", at) }

// operationTable is the table of operations. Its columns have the same widths in every second.
func operationTable(rows [][]string) layout.Table {
	return layout.Table{Columns: []layout.Column{{Title: "time", Min: 5}, {Title: "operation", Left: true, Min: 10}, {Title: "ops/s", Min: 7},
		{Title: "mean ± ms", Min: 24, Left: true}, {Title: "sd ms", Min: 7, Drop: 1}, {Title: "p99 ms", Min: 8, Drop: 3}, {Title: "share", Min: 7, Drop: 2}},
		Rows: rows}
}

// row returns the row of one operation.
func row(at string, op sim.Op, rate float64, t *tally, of time.Duration) []string {
	mean, sd, p99 := "-", "-", "-"
	m := t.mean.Moments()
	if m.N() > 0 {
		mean = meanOf(t)
		p99 = fmt.Sprintf("%.4f", float64(t.hist.Quantile(0.99))/1e6)
	}
	if m.N() > 1 {
		sd = fmt.Sprintf("%.4f", m.StdDev()/1e6)
	}
	return []string{at, string(op), fmt.Sprintf("%.2f", rate), align(mean), sd, p99, fmt.Sprintf("%.1f %%", 100*t.busy.Seconds()/of.Seconds())}
}

// meanOf formats mean and interval in ms, or only the mean if there are too few samples for an interval.
func meanOf(t *tally) string {
	iv := t.meanTime()
	if !iv.Bounded() {
		return units.Approx(iv.Center/1e6, "")
	}
	if side := max(iv.Hi-iv.Center, iv.Center-iv.Lo); side < iv.Center {
		iv.Lo, iv.Hi = iv.Center-side, iv.Center+side // show only the larger side, which is shorter
	}
	return iv.In(1e6, "")
}

// align pads an interval so that the means of a column are aligned.
func align(interval string) string {
	mean, rest, _ := strings.Cut(interval, " ")
	return strings.TrimRight(fmt.Sprintf("%7s %s", mean, rest), " ")
}

// lateness formats how late ticks started, over the run so far.
func (d *demo) lateness(p *layout.Printer) string {
	s := d.pacer.Stats()
	missed := fmt.Sprintf("%d missed", s.Missed)
	if s.Missed > 0 {
		missed = p.Yellow(missed)
	}
	p50, p99, most, ok := s.Late()
	if !ok {
		return "no wait measured yet; " + missed
	}
	write := func(d time.Duration) string { return units.Duration(float64(d)) }
	return fmt.Sprintf("late p50 %s, p99 %s, max %s; %s; %.1f %% spun", write(p50), write(p99), write(most), missed, 100*s.SpinShare)
}

// sum prints the whole run: tables, the rate, and how the figures were measured.
func (d *demo) sum(s *session.Session, elapsed time.Duration, run zones.Snapshot) error {
	p := s.Printer()
	var rows [][]string
	for _, op := range sim.Ops() {
		rate, _ := d.gauges[op].hertz()
		rows = append(rows, row("all", op, rate, d.gauges[op].run, elapsed))
	}
	p.WriteByte('\n')
	dropped := p.Table(operationTable(rows))
	p.Wrap(pacerMark("all"), d.lateness(p))
	dropped = append(dropped, writeZones(p, "all", run)...)
	p.LeftOut(dropped)
	p.WriteByte('\n')
	say := func(format string, args ...any) { p.Wrap("", fmt.Sprintf(format, args...)) }

	stats := d.pacer.Stats()
	_, late, _, ok := stats.Late()
	if iv := tickRate(stats, late, ok); iv.Bounded() {
		say("Ticks started at %s: %s. The 98 %% interval follows from the lateness of the first and the last tick; lateness in between cancels out.",
			iv.In(1, "Hz"), deadlines(stats))
	} else {
		say("Too short to measure the rate of ticks; ticks: %d.", d.gauges[sim.Tick].n)
	}
	if advice := stats.Advice(); advice != "" {
		say("Ticks were late: %s.", advice)
	}
	tick := d.gauges[sim.Tick].run.mean.Interval(0)
	if tick.Bounded() {
		say("The ± of a mean is its %g %% confidence interval by %s: the %d ticks are equivalent to %.0f independent samples.", 100*tick.Level, tick.Method, tick.N, tick.NEff)
	}
	for _, w := range tick.Warnings {
		p.Note(w)
	}
	cost := fmt.Sprintf("Measuring took %s per operation", units.Duration(float64(d.cost)))
	if run.Cost > 0 {
		cost += fmt.Sprintf(" and %s per profiler span", units.Duration(run.Cost))
	}
	say("%s, %.2g %% of one processor.", cost, 100*d.overhead(elapsed, run))
	for _, n := range run.Notes {
		p.Note("zones: " + n)
	}
	c := d.world.Flocks()
	say("%d boids fly in %d flocks; the largest has %d. Their alignment is %.2f (1 is a common direction).", c.Boids, c.Flocks, c.Largest, c.Alignment)
	return s.Print(p)
}

// watch prints a block of rows each second until ctx ends. With --json it shows them on standard error if that is a terminal.
func (d *demo) watch(ctx context.Context, s *session.Session) {
	w := s.Out
	if s.JSON {
		if w = s.Err; !session.IsTerminal(w) {
			<-ctx.Done()
			return
		}
	}
	p := s.Printer()
	d.legend(p)
	w.Write(p.Bytes())
	// Print between two ticks, so that no tick waits for the output or belongs to two seconds.
	time.Sleep(min(10*time.Millisecond, time.Duration(0.5e9/float64(d.flags.Rate))))
	second := time.NewTicker(time.Second)
	defer second.Stop()
	last := d.start
	for {
		select {
		case <-ctx.Done():
		case <-second.C:
		}
		now := clock.Now()
		if now.Sub(last) >= time.Second/2 { // the last second may be cut short
			p := s.Printer()
			d.block(p, now, now.Sub(last))
			w.Write(p.Bytes())
		}
		if last = now; ctx.Err() != nil || s.Unread() {
			return
		}
	}
}
