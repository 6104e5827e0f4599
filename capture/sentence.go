// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/units"
)

// String returns the report as a sentence, in one line:
//
//	request took 69 ms, 60 ms more than usual: 58 ms waiting for a lock at store.go:41 (main.save), held by goroutine 35, which
//	was in a system call in zone flush
//
// A second cause that has at least a fourth of the time beyond what is usual follows: "; and 20 ms of its own code in main.sort".
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s took %s", r.Root, short(r.Took))
	if r.Usual > 0 {
		fmt.Fprintf(&b, ", %s more than usual", short(r.Took-r.Usual))
	}
	b.WriteString(": ")
	if r.Cause == Unclear {
		b.WriteString("the cause is unclear")
		for i, p := range r.Account[:min(2, len(r.Account))] {
			b.WriteString([]string{"; ", " and "}[i])
			b.WriteString(p.phrase(r.Root))
		}
		return b.String()
	}
	b.WriteString(Part{Cause: r.Cause, Took: r.Spent, Zone: r.Zone, Where: r.Where, Object: r.Object, By: r.By}.phrase(r.Root))
	if usual := r.usualSleep(); usual > 0 {
		b.WriteString(", beyond the usual " + short(usual))
	}
	if p, ok := r.second(); ok {
		b.WriteString("; and " + p.phrase(r.Root))
	}
	return b.String()
}

// second returns the part of another cause that has most of the time beyond what is usual, if that is at least a fourth of it: who removes
// the cause alone is left with it. Collections and page faults count with an allocation.
func (r Report) second() (most Part, ok bool) {
	for _, p := range r.Account {
		p.Took -= p.Usual
		counted := p.Cause == r.Cause || r.Cause == Allocation && (p.Cause == GC || p.Cause == PageFaults)
		if !counted && p.Took > most.Took && 4*p.Took >= r.Took-r.Usual {
			most, ok = p, true
		}
	}
	return most, ok
}

// usualSleep returns how long units usually sleep where this one slept, so that one that overslept is told from one that sleeps only
// when it is slow; 0 if they do not, or that is unknown.
func (r Report) usualSleep() time.Duration {
	for _, p := range r.Account {
		if r.Cause == Sleep && p.Cause == Sleep && p.Where == r.Where && p.Zone == r.Zone {
			return p.Usual
		}
	}
	return 0
}

// Coverage says how many of the slow units of this root were explained until this report, and which; "" if that is not known, as in
// files of earlier versions.
func (r Report) Coverage() string {
	switch {
	case r.Slow == 0 || r.Explained == 0:
		return ""
	case r.Explained >= r.Slow:
		return fmt.Sprintf("until then, all %d slow ones of %s were explained", r.Slow, r.Root)
	default:
		return fmt.Sprintf("until then, %d of %d slow ones of %s were explained, within Options.Cost: the slowest, and some that took long in another zone", r.Explained, r.Slow, r.Root)
	}
}

// String says what capture has taken, in percent of a processor.
func (o Overhead) String() string {
	percent := func(share float64) string { return strconv.FormatFloat(100*share, 'g', 2, 64) + " %" }
	text := "capture has taken " + percent(o.Explaining) + " of a processor for explaining and " + percent(o.Reading) + " for reading"
	if o.Events > 0 {
		text += "; events of the flight recorder have taken some " + percent(o.Events)
	}
	return text
}

// short returns a duration with at most three digits, as people say it.
func short(d time.Duration) string {
	for unit := time.Microsecond; unit <= time.Second; unit *= 1000 {
		switch {
		case d < 10*unit:
			d = d.Round(unit / 100)
		case d < 100*unit:
			d = d.Round(unit / 10)
		case d < 1000*unit:
			d = d.Round(unit)
		default:
			continue
		}
		break
	}
	return units.Duration(float64(d))
}

// phrase says what a part of the time of a unit went into. The zone of the unit is not named again.
func (p Part) phrase(root string) string {
	text := phrases[Unclear]
	if p.Cause >= 0 && int(p.Cause) < len(phrases) {
		text = phrases[p.Cause]
	}
	switch {
	case p.Cause == Lock && !held(p.Object):
		text = "waiting for a " + p.Object
	case p.Cause == Syscall && inC(p.Where):
		text = "in C code"
	}
	text = short(p.Took) + " " + text
	if p.Where != "" {
		preposition := "at"
		if !strings.Contains(p.Where, ":") { // a function, without a line
			preposition = "in"
		}
		text += " " + preposition + " " + p.Where
	}
	if p.Zone != root {
		text += inZone(p.Zone, p.Where)
	}
	if p.By != "" {
		switch {
		case p.Cause == Lock && held(p.Object):
			text += ", held by "
		case p.Cause == NoProcessor:
			text += ", above all "
		default:
			text += ", ended by "
		}
		text += p.By
	}
	return text
}

// inZone names a zone that was open at a place, unless the name says no more than the place: zones of strobe run have the name of their
// function, or of a call in it.
func inZone(zone, where string) string {
	function := where
	if _, named, ok := strings.Cut(where, " ("); ok {
		function = strings.TrimSuffix(named, ")")
	}
	if zone == "" || zone == function || function != "" && strings.HasSuffix(zone, " in "+function) {
		return ""
	}
	return " in zone " + zone
}

// inC reports whether a place is a call of C.
func inC(where string) bool { return strings.Contains(where, "(C.") }

// held reports whether an object of package sync is one that a goroutine holds.
func held(object string) bool {
	return object == "" || object == "sync.Mutex" || object == "sync.RWMutex"
}

var phrases = [...]string{
	Unclear:      "are not accounted for",
	Own:          "of its own code",
	Allocation:   "allocating memory",
	GC:           "of garbage collection",
	StoppedWorld: "while the runtime stopped all goroutines",
	NoProcessor:  "ready to run while other goroutines had all processors",
	Preempted:    "ready to run while other programs had the processors",
	Throttled:    "throttled by the quota of its control group",
	Stolen:       "without the processor, which the host of the virtual machine had taken",
	Stopped:      "while the process was stopped",
	Lock:         "waiting for a lock",
	Channel:      "waiting for a channel",
	Sleep:        "asleep until a timer",
	Syscall:      "in a system call",
	Network:      "waiting for a connection or a pipe",
	PageFaults:   "of page faults, in memory used for the first time",
	Paging:       "waiting for memory that the system had to free or to read from a disk",
	Capture:      "while another unit was being explained",
}

// doing says what a goroutine did that others waited for.
var doing = [...]string{
	Unclear:      "did something unknown",
	Own:          "ran",
	Allocation:   "allocated memory",
	GC:           "waited for the garbage collector",
	StoppedWorld: "was stopped by the runtime",
	NoProcessor:  "waited for a processor behind other goroutines",
	Preempted:    "lost its processor to other programs",
	Throttled:    "was throttled by the quota of the control group",
	Stolen:       "ran without a processor",
	Stopped:      "was stopped",
	Lock:         "waited for a lock",
	Channel:      "waited for a channel",
	Sleep:        "slept",
	Syscall:      "was in a system call",
	Network:      "waited for a connection or a pipe",
	PageFaults:   "had page faults",
	Paging:       "waited for memory that the system had to free or to read from a disk",
	Capture:      "waited for the explanation of another unit",
}

// next says what to do next.
var next = [...]string{
	Unclear:      "look at the account: several things took their part, or a source was missing",
	Own:          "put zones into the code below, or profile it",
	Allocation:   "allocate less there: reuse memory, or allocate it before",
	GC:           "allocate less in the whole program, or raise GOGC and GOMEMLIMIT; do not call runtime.GC there",
	StoppedWorld: "avoid what stops the world: stacks of all goroutines, runtime.ReadMemStats, changes of GOMAXPROCS",
	NoProcessor:  "let fewer goroutines compute at the same time, or raise GOMAXPROCS if the machine has more processors",
	Preempted:    "give the program more of the machine: other programs compete with it",
	Throttled:    "raise the control group's quota (cpu.max), or lower GOMAXPROCS to it",
	Stolen:       "ask the host for dedicated processors",
	Stopped:      "find who stopped the process: a debugger, job control, a paused container, a snapshot or a suspend",
	Lock:         "hold the lock for less time: see what its holder did",
	Channel:      "see what the goroutine at the other end did",
	Sleep:        "do not sleep inside the unit, or exclude it",
	Syscall:      "move the call off the unit's path, or make it asynchronous",
	Network:      "look at the other end of the connection or pipe",
	PageFaults:   "touch the memory before, or reuse it",
	Paging:       "give the program more memory, or use less: it is short of it, or maps files that are not in memory",
	Capture:      "raise Options.Budget or lower Options.Cost",
}
