// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
)

// A line is what a report says of one zone on one lane.
type line struct {
	lane, zone string
	in         time.Duration // in the zone
	of         time.Duration // that passed
	self       time.Duration
	calls      uint64
	open       int
	mean       stat.Interval // ns a call; Center is NaN-free: no calls, no line
	p99        time.Duration
	hasP99     bool
	probe      float64 // share of the time that was spent measuring it
}

const reportHeader = "time      lane             zone                     ms in  of ms    share     calls    self ms  " +
	"mean of a call ± 95 %          p99\n"

// text writes the report of a second: a line for each lane and zone, then what the measuring itself cost.
func reportText(b *strings.Builder, at time.Time, lines []line, silent []string, s Snapshot) {
	clock := at.Format("15:04:05")
	var worst float64
	for _, l := range lines {
		worst = max(worst, l.probe)
		fmt.Fprintf(b, "%s  %-15s  %-20s  %8.2f  %5.0f  %6.1f %%  %8d  %9.2f  %-26s  %9s%s\n", clock, cut(l.lane, 15), cut(l.zone, 20),
			ms(l.in), ms(l.of), 100*float64(l.in)/float64(max(l.of, 1)), l.calls, ms(l.self), meanText(l), p99Text(l), marks(l))
	}
	for _, name := range silent {
		fmt.Fprintf(b, "%s  %-15s  has fallen silent\n", clock, cut(name, 15))
	}
	fmt.Fprintf(b, "%s  strobe           a span costs %v; at most %s of a lane's time went into measuring", clock, s.Cost, percent(worst))
	if worst > 0.05 {
		b.WriteString(": too much, sample the busiest zone (SetSampling)")
	}
	b.WriteByte('\n')
	for _, n := range s.Notes {
		fmt.Fprintf(b, "%s  strobe           %s\n", clock, n)
	}
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

func percent(share float64) string {
	if share < 0.0001 {
		return "less than 0.01 %"
	}
	return strconv.FormatFloat(100*share, 'f', 2, 64) + " %"
}

func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

func meanText(l line) string {
	per, unit := units.Scale(l.mean.Center)
	switch {
	case l.calls == 0:
		return "-"
	case l.mean.Level == 0:
		return units.Plain(l.mean.Center/per, unit)
	}
	return l.mean.In(per, unit)
}

func p99Text(l line) string {
	if !l.hasP99 {
		return "-"
	}
	return units.Duration(float64(l.p99))
}

// marks says what is to be known of a line: spans still open, and means too short to be true.
func marks(l line) string {
	switch {
	case l.open > 0:
		return "  open"
	case l.calls > 0 && l.mean.Center < tooShort:
		return "  too short to be true"
	}
	return ""
}

// tooShort is the mean, in ns, below which a span mostly measures itself.
const tooShort = 10
