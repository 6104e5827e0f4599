// SPDX-License-Identifier: BSD-3-Clause

package view

import (
	"fmt"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/program"
	"github.com/strobe-go/strobe/internal/units"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/stat"
)

// mostUnits is the number of root zones that have a line.
const mostUnits = 4

// neither is said of a program that has nothing to show the time of.
const neither = "no loop and no root zone to time: see strobe.NewLoop and strobe.NewRootZone"

// Figures describes the frames of a program, and its units. A program without loops has no frames: the slices of time in their place
// are all of one length.
func Figures(p *program.Program, width int) []string {
	var lines []string
	if p.Looped() {
		lines = append(lines, frames(p, width))
	}
	switch all, over, err := p.Units(); {
	case len(all) > 0:
		for i := range all[:min(len(all), mostUnits)] {
			lines = append(lines, unit(&all[i], width))
		}
		rest := ""
		if n := len(all) - mostUnits; n > 0 {
			rest = fmt.Sprintf("%d more root zones", n)
		}
		lines = append(lines, fit(width, "; ", fmt.Sprintf("units of %.0f s", over.Seconds()), "intervals hold for calls that do not depend on each other", rest, p.Unseen()))
		if text := ran(all[:min(len(all), mostUnits)], p.Looks(), width); text != "" {
			lines = append(lines, text)
		}
		lines = append(lines, slowUnits(p, all[:min(len(all), mostUnits)], width)...)
	case err != nil:
		lines = append(lines, fit(width, "", "units: "+err.Error()))
	case p.Rooted():
		lines = append(lines, "units: no figures yet")
	case !p.Looped():
		lines = append(lines, fit(width, "", neither))
	}
	return lines
}

// frames describes the frame rate of the program.
func frames(p *program.Program, width int) string {
	s, _ := p.State()
	rate, low, p99 := "-", "-", "-"
	if s.Rate != nil {
		rate = fmt.Sprintf("%.2f", *s.Rate)
	}
	if s.Low1 != nil {
		low = fmt.Sprintf("%.2f", *s.Low1)
	}
	if s.P99 != nil {
		p99 = units.Duration(*s.P99)
	}
	missed := ""
	if budget, given := p.Budget(); given {
		over, of := p.Over(budget)
		missed = fmt.Sprintf("%d of %d over %s", over, of, units.Duration(float64(budget)))
	}
	return fit(width, "  ", rate+" frames/s", "1% low "+low, "p99 "+p99, missed)
}

// unit describes the units of a root zone.
func unit(u *program.Unit, width int) string {
	longest, open := "", ""
	if u.Max > 0 {
		longest = "longest " + units.Duration(float64(u.Max))
	}
	if u.Open > 0 {
		open = fmt.Sprintf("%d open", u.Open)
	}
	return fit(width, "  ", fmt.Sprintf("%s %s/s", u.Name, units.Approx(u.Rate, "")), quantile("p50", u.P50), quantile("p99", u.P99), longest,
		quantile("p99.9", u.P999), open)
}

// ran says which part of their time units ran, which they were ready to run, and in how much time that was seen; "" if that is
// unknown.
func ran(all []program.Unit, seen *profile.Looks, width int) string {
	var words []string
	verb := "ran"
	if seen != nil && seen.Displaced {
		verb = "ran or was preempted"
	}
	for _, u := range all {
		if s := u.Split; s != nil {
			of := func(d time.Duration) float64 { return 100 * float64(d) / float64(s.Total()) }
			text := fmt.Sprintf("%s %s %.0f %% of its time, was ready %.0f %%", u.Name, verb, of(s.Running), of(s.Ready))
			if s.Unknown > 0 {
				text += fmt.Sprintf(", unknown %.0f %%", of(s.Unknown))
			}
			words = append(words, text)
		}
	}
	if len(words) == 0 {
		return ""
	}
	words[0] = fmt.Sprintf("in %s seen, %s", units.Duration(float64(seen.Covered)), words[0])
	return fit(width, "; ", words...)
}

func quantile(name string, q stat.Interval) string {
	if !q.Known() {
		return name + " -"
	}
	per, unit := units.Scale(q.Center)
	return name + " " + q.In(per, unit)
}

// slowUnits describes the slowest unit of each root zone in the latest minute, and those that hang.
func slowUnits(p *program.Program, all []program.Unit, width int) (lines []string) {
	if u, ok := p.SlowestUnit(); ok {
		ago := max(0, time.Duration(p.At-u.Start-u.Took).Seconds())
		parts := []string{fmt.Sprintf("slowest %s of %s, %.1f s ago", units.Duration(float64(u.Took)), p.Root(), ago)}
		for i := range all {
			if s := all[i].Slowest; all[i].Name == p.Root() && s != nil && s.Start == u.Start && s.Cause != "" {
				parts = append(parts, "cause "+s.Cause)
			}
		}
		lines = append(lines, fit(width, "; ", append(append(parts, cause(p, u.Frame)...), notes(u.Notes)...)...))
	}
	for i := range all {
		s := all[i].Slowest
		if s == nil || all[i].Name == p.Root() { // which has more to say
			continue
		}
		why := "cause unknown"
		if s.Cause != "" {
			why = "cause " + s.Cause
		}
		ago := max(0, time.Duration(p.At-s.Start-s.Took).Seconds())
		parts := []string{fmt.Sprintf("slowest %s of %s, %.1f s ago", units.Duration(float64(s.Took)), all[i].Name, ago), why}
		lines = append(lines, fit(width, "; ", append(parts, notes(s.Notes)...)...))
	}
	if u, n := p.Hanging(); n > 0 {
		text := fmt.Sprintf("open for long: %d of %s, the longest for %s", n, p.Root(), units.Duration(float64(u.Took)))
		lines = append(lines, fit(width, "; ", append([]string{text}, notes(u.Notes)...)...))
	}
	return lines
}

// notes returns the notes of a unit.
func notes(of []profile.Note) (all []string) {
	for _, n := range of {
		all = append(all, strings.TrimSpace(n.Key+" "+n.Value))
	}
	return all
}

// cause says what made a frame or unit longer than the mean one, if that is known.
func cause(p *program.Program, f feed.Frame) []string {
	switch c, ok := p.Cause(f); {
	case c.Waited != "":
		return []string{fmt.Sprintf("%s +%s, %s waited", c.Zone, units.Duration(float64(c.More)), c.Waited)}
	case c.Zone != "":
		return []string{fmt.Sprintf("%s +%s", c.Zone, units.Duration(float64(c.More)))}
	case c.Outside:
		return []string{fmt.Sprintf("outside any zone +%s", units.Duration(float64(c.More)))}
	case ok:
		return []string{"in no zone"}
	}
	return nil
}

// Why says why the slowest frame or unit of the latest minute on which package capture reported was slow; "" if there was none.
func Why(p *program.Program) string {
	r, ok := p.Report()
	if !ok {
		return ""
	}
	text := fmt.Sprintf("why: %s, %.0f s ago", strings.TrimSuffix(r.Text, "."), max(0, time.Duration(p.At-r.Start-r.Took).Seconds()))
	if r.Slow > r.Explained {
		text += fmt.Sprintf("; %d of %d slow ones were explained", r.Explained, r.Slow)
	}
	return text
}
