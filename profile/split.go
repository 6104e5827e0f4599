// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"cmp"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/units"
)

// A Split divides a time of goroutines by what they did in it. It is known only where package capture has looked.
type Split struct {
	Running time.Duration `json:"running_ns"`           // on a processor
	Ready   time.Duration `json:"ready_ns"`             // could have run, but had no processor: of Go's scheduler, or of the machine
	Waiting time.Duration `json:"waiting_ns"`           // for something else: a lock, a channel, a timer, a connection, the system
	Unknown time.Duration `json:"unknown_ns,omitempty"` // no source tells
}

// Total returns the time that is divided.
func (s Split) Total() time.Duration { return s.Running + s.Ready + s.Waiting + s.Unknown }

// String returns the parts in words, as in "8 ms running, 200 µs ready, 60.8 ms waiting"; those of 0 are left out. Nothing divided is "0 ns".
func (s Split) String() string {
	var words []string
	for _, p := range []struct {
		took time.Duration
		word string
	}{{s.Running, "running"}, {s.Ready, "ready"}, {s.Waiting, "waiting"}, {s.Unknown, "unknown"}} {
		if p.took > 0 {
			words = append(words, units.Duration(float64(p.took))+" "+p.word)
		}
	}
	return cmp.Or(strings.Join(words, ", "), "0 ns")
}

// Plus returns the sum of two splits.
func (s Split) Plus(o Split) Split {
	return Split{s.Running + o.Running, s.Ready + o.Ready, s.Waiting + o.Waiting, s.Unknown + o.Unknown}
}

// minus returns the difference of two splits, of which the other one is older.
func (s Split) minus(o Split) Split {
	return Split{max(0, s.Running-o.Running), max(0, s.Ready-o.Ready), max(0, s.Waiting-o.Waiting), max(0, s.Unknown-o.Unknown)}
}

// Looks are what package capture saw goroutines do, in stretches of time that it chose without regard to what happened in them. So their
// shares are estimates of those of the whole time, the better the more of it they cover.
type Looks struct {
	Covered   time.Duration `json:"covered_ns"`          // time that was looked at; if it is 0, Reason says why
	Reason    string        `json:"reason,omitempty"`    // why not more of the time was looked at
	Displaced bool          `json:"displaced,omitempty"` // Running includes time in which other programs had the processor, since the system does not tell
	Zones     []ZoneSplit   `json:"zones,omitempty"`     // by zone: what goroutines did while it was their innermost zone
	Units     []ZoneSplit   `json:"units,omitempty"`     // by root zone: what its units did; where one waited for a goroutine that worked for it, what that one did
}

// A ZoneSplit is the part of a split that belongs to a zone.
type ZoneSplit struct {
	Zone int `json:"zone"` // index of the zone
	Split
}

// sub returns what was seen since earlier looks, of which there may be none.
func (l *Looks) sub(earlier *Looks) *Looks {
	if l == nil || earlier == nil {
		return l
	}
	d := *l
	d.Covered = max(0, l.Covered-earlier.Covered)
	d.Zones, d.Units = lessSplits(l.Zones, earlier.Zones), lessSplits(l.Units, earlier.Units)
	if d.Covered == 0 && d.Reason == "" {
		d.Reason = "package capture has not looked in that time"
	}
	return &d
}

// lessSplits subtracts zone by zone, and leaves out those without time. Both are in the order of zones.
func lessSplits(now, before []ZoneSplit) (out []ZoneSplit) {
	for _, z := range now {
		for len(before) > 0 && before[0].Zone < z.Zone {
			before = before[1:]
		}
		if len(before) > 0 && before[0].Zone == z.Zone {
			z.Split = z.minus(before[0].Split)
		}
		if z.Total() > 0 {
			out = append(out, z)
		}
	}
	return out
}
