// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// inTime writes an interval of nanoseconds in the unit of --time-unit, or in a suitable one.
func (f *Flags) inTime(iv stat.Interval) string {
	per, unit := f.unit()
	if per == 0 {
		per, unit = units.Scale(iv.Center)
	}
	return iv.In(per, unit)
}

// duration writes nanoseconds in the same way.
func (f *Flags) duration(ns float64) string {
	per, unit := f.unit()
	if per == 0 {
		return units.Duration(ns)
	}
	return units.Approx(ns/per, unit)
}

// unit returns the unit of --time-unit and how many nanoseconds it has, 0 if there is none.
func (f *Flags) unit() (per float64, name string) {
	switch f.TimeUnit {
	case "nanosecond":
		return 1, "ns"
	case "microsecond":
		return 1e3, "µs"
	case "millisecond":
		return 1e6, "ms"
	case "second":
		return 1e9, "s"
	}
	return 0, ""
}

// ratioText writes a ratio, which is that of the two runs of a round, not that of the means.
func ratioText(iv stat.Interval) string {
	if !iv.Bounded() {
		return "no ratio"
	}
	return units.Ratio(iv.Center, iv.Lo, iv.Hi) + " times"
}

func verdictText(c bench.Comparison) string {
	switch {
	case !c.Ratio.Bounded():
		return c.Verdict.String() + " (" + c.Ratio.Reason + ")"
	case c.Verdict == decide.Same:
		return fmt.Sprintf("same within %.3g %%", 100*c.Within)
	}
	return c.Verdict.String()
}

// paint turns colours on or off according to --style.
func (f *Flags) paint(s *session.Session) {
	switch f.Style {
	case "basic", "nocolor", "none":
		s.Color = false
	case "full", "color":
		s.Color = true
	}
}

// progress returns the progress line, which --style turns on or off.
func (f *Flags) progress(s *session.Session) session.Progress {
	p := s.Progress()
	switch f.Style {
	case "basic", "color", "none":
		p.On = false
	case "full":
		p.On = true
	}
	return p
}
