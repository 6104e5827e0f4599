// SPDX-License-Identifier: BSD-3-Clause

package probe

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/units"
)

// advice returns what follows from the survey.
func (v *survey) advice() (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	v.adviseCore(say)
	v.adviseClocks(say)
	v.adviseSleeps(say)
	v.adviseCounters(say)
	if runtime.GOMAXPROCS(0) == 1 {
		say("Go runs one goroutine at a time (GOMAXPROCS is 1): one that computes delays those that wait. Use a second processor if you can.")
	}
	return lines
}

func (v *survey) adviseCore(say func(string, ...any)) {
	text := v.core.String()
	line := strings.ToUpper(text[:1]) + text[1:] + "."
	if seen, _ := v.core.Seen(); seen {
		line += " Measure in many short batches, and rely on the fastest of them or on ratios within a round."
	}
	say("%s", line)
}

func (v *survey) adviseClocks(say func(string, ...any)) {
	cost := v.now.Overhead
	if c, ok := v.clock("clock.Now"); ok {
		cost = c.Overhead
	}
	switch {
	case v.now.Reason != "":
		say("clock.Now uses %s, not the processor's counter: %s.", v.now.Source, v.now.Reason)
	default:
		line := fmt.Sprintf("clock.Now uses the counter %s: %.1f ns per reading", v.now.Source, cost)
		if goNow, ok := v.clock("time.Now"); ok {
			line += fmt.Sprintf(" (time.Now: %.1f ns)", goNow.Overhead)
		}
		say("%s. That is more than a tenth of durations below %s.", line, units.Duration(10*cost))
	}
	if c, ok := v.clock("time.Now"); ok && c.Step > coarse {
		say("time.Now advances in steps of %s, and a duration measured with it may be wrong by as much: use clock.Now.", units.Duration(c.Step))
	}
	var early, back []string
	for _, c := range v.clocks {
		switch {
		case c.err != nil || c.slow:
		case c.Back > 0:
			back = append(back, c.Name)
		case c.BackAcross > 0:
			early = append(early, c.Name)
		}
	}
	if len(early) > 0 {
		say("%s may return an earlier time than another processor read before: use clock.NowOrdered to compare times of different goroutines.", list(early))
	}
	if len(back) > 0 {
		say("%s stepped back on one processor: do not use it.", list(back))
	}
	if v.now.Strikes > 0 {
		say("The counter disagreed with the system's clock %d times: the machine was suspended or migrated, or its counter is unreliable.", v.now.Strikes)
	}
}

func (v *survey) adviseSleeps(say func(string, ...any)) {
	frame := waits[len(waits)-1].period
	system, ok := v.sleep("time.Sleep", frame)
	ours, ok2 := v.sleep("pace.Sleep", frame)
	if ok && ok2 {
		say("After a wait of %s, time.Sleep returned %s late (median), pace.Sleep %s.", units.Duration(float64(frame)), units.Duration(float64(system.P50)), units.Duration(float64(ours.P50)))
	}
	if l, ok := v.sleep("pace.Limiter", frame); ok && l.Max > 2*time.Millisecond {
		say("Even pace.Limiter was up to %s late. If other programs keep the processors busy, leave one free or try pace.Realtime.", units.Duration(float64(l.Max)))
	}
	said := map[string]bool{}
	for _, l := range v.sleeps {
		if l.err == nil && l.Reason != "" && !said[l.Name] {
			said[l.Name] = true
			say("%s: %s.", l.Name, strings.TrimSuffix(l.Reason, "."))
		}
	}
}

// usual is the number of counters, from the first, that most users need.
const usual = 6

func (v *survey) adviseCounters(say func(string, ...any)) {
	var missing []string
	reasons := map[string]bool{}
	for _, c := range v.counters[:min(len(v.counters), usual)] {
		if !c.Known() {
			missing = append(missing, string(c.Event))
			reasons[strings.TrimPrefix(answerOf(c), "no, ")] = true
		}
	}
	switch {
	case len(missing) == 0:
		say("All common counters are available.")
	case len(reasons) == 1:
		for reason := range reasons {
			say("Not available: %s. Reason: %s.", list(missing), reason)
		}
	default:
		say("Not available: %s, for the reasons given above.", list(missing))
	}
}

// coarse is the step in ns above which time.Now is unsuitable for short durations.
const coarse = 1000

func (v *survey) clock(name string) (clockFound, bool) {
	for _, c := range v.clocks {
		if c.Name == name && c.err == nil {
			return c, true
		}
	}
	return clockFound{}, false
}

func (v *survey) sleep(name string, period time.Duration) (sleepFound, bool) {
	for _, l := range v.sleeps {
		if l.Name == name && l.Period == period && l.err == nil {
			return l, true
		}
	}
	return sleepFound{}, false
}

// list joins names with commas and "and".
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
