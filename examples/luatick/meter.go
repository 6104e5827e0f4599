// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"io"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/pace"
	"github.com/strobe-go/strobe/rolling"
	"github.com/strobe-go/strobe/stat"
)

// A meter measures ticks and writes a line each second. It is all the measuring code.
type meter struct {
	out         io.Writer
	rate        rolling.Rate
	mean        stat.BatchMeans // allows for the correlation of successive ticks
	hist        stat.Histogram
	n           int
	first, last clock.Instant
	began       clock.Instant // of the current tick
	shown       clock.Instant
}

func newMeter(out io.Writer) *meter {
	now := clock.Now()
	return &meter{out: out, began: now, shown: now}
}

// tick runs and measures f. A tick that fails is not a measurement.
func (m *meter) tick(f func() error) error {
	start := clock.Now()
	m.began = start
	err := f()
	end := clock.Now()
	if err != nil {
		return err
	}
	took := int64(end.Sub(start))
	m.rate.Mark(start)
	m.mean.Add(took)
	m.hist.Record(took)
	if m.n++; m.n == 1 {
		m.first = start
	}
	if m.last = start; end.Sub(m.shown) >= time.Second {
		m.shown = end
		fmt.Fprintf(m.out, "%4.0f s  %8.2f ticks/s, each %s\n", end.Sub(m.first).Seconds(), m.rate.PerSecond(end), m.each())
	}
	return nil
}

func (m *meter) each() string {
	iv := m.mean.Interval(0)
	iv.Lo = max(0, iv.Lo) // a duration
	return fmt.Sprintf("%s, p99 %.4f ms", iv.In(1e6, "ms"), float64(m.hist.Quantile(0.99))/1e6)
}

// sum writes a summary of all ticks.
func (m *meter) sum(p pace.Stats) {
	if m.n < 2 {
		fmt.Fprintf(m.out, "%d ticks measured: too few for any conclusion.\n", m.n)
		return
	}
	iv := m.mean.Interval(0)
	fmt.Fprintf(m.out, "\n%d ticks at %.4f a second, each %s, %.4f ms at most.\n",
		m.n, float64(m.n-1)/m.last.Sub(m.first).Seconds(), m.each(), float64(m.hist.Max())/1e6)
	if iv.Level > 0 {
		fmt.Fprintf(m.out, "The %g %% interval of the mean is by %s: %d samples, equivalent to %.0f independent ones.\n", 100*iv.Level, iv.Method, iv.N, iv.NEff)
	}
	p50, p99, _, ok := p.Late()
	if !ok {
		fmt.Fprintf(m.out, "No tick waited for its time; %d were missed.\n", p.Missed)
		return
	}
	fmt.Fprintf(m.out, "Ticks began late by %v (median), %v (p99); %d were missed.\n", p50, p99, p.Missed)
}
