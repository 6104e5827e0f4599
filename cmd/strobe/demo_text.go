// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	zones "github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/sim"
	"github.com/strobe-go/strobe/internal/units"
)

const header = "time   operation     ops/s      mean ± ms           sd ms    p99 ms    share"

// block writes the lines of one second.
func (d *demo) block(w io.Writer, color bool, now clock.Instant, second time.Duration) {
	var b bytes.Buffer
	fmt.Fprintln(&b, paint(color, bold, header))
	at := fmt.Sprintf("%3.0f s", now.Sub(d.start).Seconds())
	for _, op := range sim.Ops() {
		t, rate := d.gauges[op].turn(now)
		fmt.Fprintf(&b, "%5s  %s\n", at, row(op, rate, t, second))
	}
	fmt.Fprintf(&b, "%5s  pacer  %s\n", at, d.lateness(color))
	snapshot := zones.TakeSnapshot()
	writeZones(&b, color, at, snapshot.Sub(d.last))
	d.last = snapshot
	w.Write(b.Bytes())
}

// row writes one operation: all but the time.
func row(op sim.Op, rate float64, t *tally, of time.Duration) string {
	mean, sd, p99 := "-", "-", "-"
	m := t.mean.Moments()
	if m.N() > 0 {
		mean = meanOf(t)
		p99 = fmt.Sprintf("%.4f", float64(t.hist.Quantile(0.99))/1e6)
	}
	if m.N() > 1 {
		sd = fmt.Sprintf("%.4f", m.StdDev()/1e6)
	}
	share := 100 * t.busy.Seconds() / of.Seconds()
	return fmt.Sprintf("%-10s %8.2f  %s %9s %9s  %5.1f %%", op, rate, align(mean), sd, p99, share)
}

// meanOf writes mean and interval in ms; the mean alone where too few samples allow no interval.
func meanOf(t *tally) string {
	iv := t.mean.Interval(0)
	if iv.Level == 0 {
		return fmt.Sprintf("%.4f", iv.Center/1e6)
	}
	return iv.In(1e6, "")
}

// lateness writes how well ticks began on time, over the run so far.
func (d *demo) lateness(color bool) string {
	p := d.pacer.Stats()
	missed := fmt.Sprintf("%d missed", p.Missed)
	if p.Missed > 0 {
		missed = paint(color, yellow, missed)
	}
	if p.Slept == 0 {
		return "no wait measured yet; " + missed
	}
	ns := func(d time.Duration) string { return units.Duration(float64(d)) }
	return fmt.Sprintf("late p50 %s, p99 %s, max %s; %s; %.1f %% spun", ns(p.LatenessP50), ns(p.LatenessP99), ns(p.LatenessMax), missed, 100*p.SpinShare)
}

// sum writes the whole run: a table, the rate, and what the numbers mean.
func (d *demo) sum(s *session, elapsed time.Duration, run zones.Snapshot) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "\n%s\n", paint(s.color, bold, header))
	for _, op := range sim.Ops() {
		g := d.gauges[op]
		rate, _ := g.hertz()
		fmt.Fprintf(&b, "  all  %s\n", row(op, rate, g.run, elapsed))
	}
	fmt.Fprintf(&b, "  all  pacer  %s\n", d.lateness(s.color))
	writeZones(&b, s.color, "all", run)
	fmt.Fprintln(&b)

	if iv, ok := d.rate(); ok {
		fmt.Fprintf(&b, "The pacer kept %s: %d periods from its first wake-up to its last, of which it missed %d. The ± (98 %%) is\n", iv.In(1, "Hz"), iv.N, d.pacer.Stats().Missed)
		fmt.Fprintf(&b, "what the two ends may be off by, at p99 of lateness; lateness in between cancels out, so it shrinks as 1/n.\n")
	} else {
		fmt.Fprintf(&b, "Too short for a rate of the pacer; ticks: %d.\n", d.gauges[sim.Tick].n)
	}
	if advice := d.pacer.Stats().Advice(); advice != "" {
		fmt.Fprintf(&b, "Ticks were late because %s.\n", advice)
	}
	tick := d.gauges[sim.Tick].run.mean.Interval(0)
	if tick.Level > 0 {
		fmt.Fprintf(&b, "The ± of a mean is its %g %% interval by %s: the tick's n is %d samples, worth %.0f independent ones.\n",
			100*tick.Level, tick.Method, tick.N, tick.NEff)
	}
	for _, w := range tick.Warnings {
		fmt.Fprintf(&b, "Note: %s.\n", w)
	}
	fmt.Fprintf(&b, "Measuring took %s an operation", units.Duration(float64(d.cost)))
	if run.Cost > 0 {
		fmt.Fprintf(&b, " and %s a span of the profiler", units.Duration(float64(run.Cost)))
	}
	fmt.Fprintf(&b, ", %.2g %% of one processor.\n", 100*d.overhead(elapsed, run))
	for _, n := range run.Notes {
		fmt.Fprintf(&b, "Note: zones: %s.\n", n)
	}
	c := d.world.Flocks()
	fmt.Fprintf(&b, "%d boids fly in %d flocks, the largest of %d, aligned to %.2f.\n", c.Boids, c.Flocks, c.Largest, c.Alignment)
	_, err := s.out.Write(b.Bytes())
	return err
}

// overhead returns the share of one processor that measuring took.
func (d *demo) overhead(elapsed time.Duration, run zones.Snapshot) float64 {
	took := 0.0
	for _, g := range d.gauges {
		took += float64(g.n) * d.cost.Seconds()
	}
	for _, z := range run.Totals() {
		took += float64(z.Timed) * run.Cost.Seconds()
	}
	return took / elapsed.Seconds()
}

const (
	bold   = "\x1b[1m"
	yellow = "\x1b[33m"
)

func paint(color bool, code, text string) string {
	if !color {
		return text
	}
	return code + text + "\x1b[0m"
}

// align puts the ± of a column of intervals below each other.
func align(interval string) string {
	mean, half, ok := strings.Cut(interval, " ± ")
	if !ok {
		return fmt.Sprintf("%9s   %-7s", mean, "")
	}
	return fmt.Sprintf("%9s ± %-7s", mean, half)
}
