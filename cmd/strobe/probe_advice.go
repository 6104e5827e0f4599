// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/units"
)

// advice says in plain words what follows from the survey.
func (v *survey) advice() (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	v.adviseClocks(say)
	v.adviseSleeps(say)
	v.adviseCounters(say)
	if runtime.GOMAXPROCS(0) == 1 {
		say("Only one goroutine runs at a time here: whatever computes delays whatever waits. Use a second processor if you can.")
	}
	return lines
}

func (v *survey) adviseClocks(say func(string, ...any)) {
	cost := v.now.Overhead
	if c, ok := v.clock("clock.Now"); ok {
		cost = c.Overhead
	}
	switch {
	case v.now.Reason != "":
		say("clock.Now reads %s, not the processor's counter: %s.", v.now.Source, v.now.Reason)
	default:
		line := fmt.Sprintf("clock.Now reads %s for %.1f ns", v.now.Source, cost)
		if goNow, ok := v.clock("time.Now"); ok {
			line += fmt.Sprintf(" (time.Now: %.1f ns)", goNow.Overhead)
		}
		say("%s. Of a duration below %s the clock's own cost is more than a tenth.", line, units.Duration(10*cost))
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
		say("%s may read earlier than what another goroutine has just published: compare stamps of two goroutines by clock.NowOrdered.", list(early))
	}
	if len(back) > 0 {
		say("%s stepped back on one processor: measure nothing with it.", list(back))
	}
	if v.now.Strikes > 0 {
		say("The counter disagreed with the system's clock %d times so far: the machine slept, moved, or its counter is bad.", v.now.Strikes)
	}
}

func (v *survey) adviseSleeps(say func(string, ...any)) {
	frame := waits[len(waits)-1].period
	system, ok := v.sleep("time.Sleep", frame)
	ours, ok2 := v.sleep("pace.Sleep", frame)
	if ok && ok2 {
		say("To wait for a frame of %s, time.Sleep ended %s late (median), pace.Sleep %s.", units.Duration(float64(frame)), units.Duration(float64(system.P50)), units.Duration(float64(ours.P50)))
	}
	if l, ok := v.sleep("pace.Limiter", frame); ok && l.Max > 2*time.Millisecond {
		say("Even the limiter was up to %s late: other programs keep the processors busy. Leave one free, or try pace.Realtime.", units.Duration(float64(l.Max)))
	}
	said := map[string]bool{}
	for _, l := range v.sleeps {
		if l.err == nil && l.Reason != "" && !said[l.Name] {
			said[l.Name] = true
			say("%s: %s.", l.Name, strings.TrimSuffix(l.Reason, "."))
		}
	}
}

// usual is how many of the counters, which come in this order, people miss.
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
		say("All usual counters can be had.")
	case len(reasons) == 1:
		for reason := range reasons {
			say("No %s: %s.", list(missing), reason)
		}
	default:
		say("No %s, for the reasons given above.", list(missing))
	}
}

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

// list joins names as a sentence does.
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
