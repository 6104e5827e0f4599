// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"time"

	"github.com/strobe-go/strobe/profile"
)

// Schema is the version of the JSON form of a Report.
const Schema = 1

// A Report says why a unit took long. What is not known is zero here, and absent from JSON; Left is always known. A frames.Report describes many frame times.
type Report struct {
	Schema    int            `json:"schema"`
	Root      string         `json:"root"`                // name of the loop or of the root zone
	Unit      string         `json:"unit"`                // "frame": a turn of a loop; "span": a call of a root zone
	Goroutine int64          `json:"goroutine,omitempty"` // the runtime's number
	At        time.Time      `json:"at"`                  // when the unit began
	Took      time.Duration  `json:"took_ns"`             // duration of the unit
	Usual     time.Duration  `json:"usual_ns,omitempty"`  // median of the units before it; unknown if there are too few
	Cause     Cause          `json:"cause"`               // what explains most of the difference, or Unclear
	Share     float64        `json:"share,omitempty"`     // of the difference that Cause explains, from 0 to 1
	Spent     time.Duration  `json:"spent_ns,omitempty"`  // time of Cause beyond what is usual for it
	Zone      string         `json:"zone,omitempty"`      // innermost zone that was open in most of that time
	Where     string         `json:"where,omitempty"`     // line and function, as in "store.go:41 (main.save)"
	Object    string         `json:"object,omitempty"`    // type of package sync that it waited for, such as "sync.Mutex"
	By        string         `json:"by,omitempty"`        // who ended the wait, and what it did until then
	Next      string         `json:"next,omitempty"`      // what to do next
	Notes     []profile.Note `json:"notes,omitempty"`     // of the unit, as given to strobe.Note
	Split     *profile.Split `json:"split,omitempty"`     // when the unit ran, was ready and waited, as far as that is known
	Account   []Part         `json:"account,omitempty"`   // where the unit's time went, longest first; the parts add up to Took
	Degrees   []string       `json:"degrees,omitempty"`   // sources that were missing, and what that makes less certain
	Slow      uint64         `json:"slow,omitempty"`      // slow units of this root since Start, with this one
	Explained uint64         `json:"explained,omitempty"` // those of them that have a Report, with this one: the slowest, and others that took long in another zone
	Left      uint64         `json:"left,omitempty"`      // slow units of this root since its previous Report that were not explained, within Options.Cost
	Cost      time.Duration  `json:"cost_ns"`             // processor time that explaining took, on a goroutine of its own; elapsed time if the system does not tell
	Overhead  Overhead       `json:"overhead"`            // what capture took until then
	Program   string         `json:"program,omitempty"`   // base name of the executable
	Go        string         `json:"go,omitempty"`        // version of Go
	System    string         `json:"system,omitempty"`    // as in "linux/amd64"
	Evidence  *Evidence      `json:"evidence,omitempty"`  // what the account was made from
}

// An Overhead is what capture has taken since Start, each as a share of one processor: 0.01 is a hundredth.
type Overhead struct {
	Explaining float64 `json:"explaining"`       // slow units, and looking at what all of them do, which Options.Cost limits
	Reading    float64 `json:"reading"`          // spans and counters
	Events     float64 `json:"events,omitempty"` // of the flight recorder, an estimate by their size, and records of switches, by their number, which Options.Cost limits; 0 if it is not known yet, or without a flight recorder
}

// A Part is a part of a unit's time. If the unit waited for another goroutine that worked for it, By names that goroutine, and
// the part is what that goroutine did.
type Part struct {
	Cause  Cause         `json:"cause"`
	Took   time.Duration `json:"took_ns"`
	Usual  time.Duration `json:"usual_ns,omitempty"` // median of this part in the units before it
	Zone   string        `json:"zone,omitempty"`     // innermost zone that was open
	Where  string        `json:"where,omitempty"`    // line and function
	Object string        `json:"object,omitempty"`   // as in Report
	By     string        `json:"by,omitempty"`       // as in Report
}

// Evidence is what an account was made from, bounded in size. Times are relative to Unit.Start.
type Evidence struct {
	Unit    profile.Unit       `json:"unit"`
	Zones   []profile.ZoneInfo `json:"zones,omitempty"`   // Unit refers to them by index
	Tracks  []Track            `json:"tracks,omitempty"`  // the unit's goroutine first, then others that it waited for
	Ranges  []Range            `json:"ranges,omitempty"`  // phases of the garbage collector, and times when the world was stopped
	Off     []Off              `json:"off,omitempty"`     // when the threads of Tracks were off the processor
	Samples []Sample           `json:"samples,omitempty"` // of what the unit's goroutine ran
	Left    int                `json:"left,omitempty"`    // entries of all lists that did not fit, the shortest
}

// A Track is what a goroutine did.
type Track struct {
	Goroutine int64   `json:"goroutine"`
	Role      string  `json:"role"` // "unit"; "child": it worked for the unit; "waker": it ended a wait of the unit
	States    []State `json:"states"`
}

// A State is a time in which a goroutine ran, was ready, or waited. cumulative.State and perf.State are something else.
type State struct {
	From    time.Duration `json:"from_ns"`
	To      time.Duration `json:"to_ns"`
	State   string        `json:"state"`            // "running", "ready", "waiting", "syscall" or "unknown"
	Reason  string        `json:"reason,omitempty"` // the runtime's word, such as "sync" or "chan receive"
	Zone    string        `json:"zone,omitempty"`   // innermost zone that was open at its beginning
	Where   string        `json:"where,omitempty"`  // line and function
	By      int64         `json:"by,omitempty"`     // goroutine that ended a wait
	ByWhere string        `json:"by_where,omitempty"`
}

// A Range is a time that concerned more than one goroutine.
type Range struct {
	From      time.Duration `json:"from_ns"`
	To        time.Duration `json:"to_ns"`
	Name      string        `json:"name"`                // the runtime's, such as "GC concurrent mark phase"
	Goroutine int64         `json:"goroutine,omitempty"` // if it concerned one goroutine
}

// An Off is a time when a thread was off the processor.
type Off struct {
	From      time.Duration `json:"from_ns"`
	To        time.Duration `json:"to_ns"`
	Thread    int64         `json:"thread"`              // the system's number
	Preempted bool          `json:"preempted,omitempty"` // it would have run on; else it waited for the system
}

// A Sample is what a goroutine ran at a moment.
type Sample struct {
	At    time.Duration `json:"at_ns"`
	Stack []string      `json:"stack"` // lines and functions, innermost first
}

// A Numbered is a Report with its number in the process.
type Numbered struct {
	Number uint64 `json:"number"` // from 1
	Report
}
