// SPDX-License-Identifier: BSD-3-Clause

// Package tether has the messages between strobe run and the program that it started, in which package live/attach answers. They are
// JSON on a connection of the loopback interface, which the program opens when it starts:
//
//	program: Hello                          then a Reading, again and again
//	strobe run: one byte, Now or Received   at any time
//
// The program may be built with another version of the library than the command: fields may be added, and unknown ones are ignored.
package tether

import (
	"time"

	"github.com/strobe-go/strobe/profile"
)

// Variable is the name of the environment variable that holds an Offer.
const Variable = "STROBE_ATTACH"

// An Offer tells a program where to connect to.
type Offer struct {
	Parent  int    `json:"parent"`            // number of the process that made the offer: it is for its children, not for theirs
	Address string `json:"address"`           // HOST:PORT
	Token   string `json:"token"`             // to be sent back in Hello
	HTTP    string `json:"http,omitempty"`    // where to serve the live page, as live.Serve; "" if no page is wanted
	Capture string `json:"capture,omitempty"` // folder for captures of slow units; "" if they are not to be explained
}

// Bytes that strobe run sends.
const (
	Now      = 'n' // a reading is wanted now
	Received = 'r' // the last reading was received: the program may end
)

// A Hello is the first message of a program.
type Hello struct {
	Token   string `json:"token"`
	PID     int    `json:"pid"`
	URL     string `json:"url,omitempty"`     // where the live page is
	Problem string `json:"problem,omitempty"` // why there is no live page, though one was wanted
}

// A Reading is all that was measured since the program started.
type Reading struct {
	Snapshot  profile.Snapshot `json:"snapshot"`
	Processor time.Duration    `json:"processor_ns,omitempty"` // processor time of the process; 0 if unknown
	Spans     time.Duration    `json:"spans_ns"`               // what spans cost, estimated: calls times the calibrated cost of each
	Least     time.Duration    `json:"spans_least_ns"`         // the same, at least
	Most      time.Duration    `json:"spans_most_ns"`          // the same, at most
	Reading   time.Duration    `json:"reading_ns"`             // what the readings took
	Sampled   []Sampled        `json:"sampled,omitempty"`      // zones that are sampled for their cost
	Costs     []float64        `json:"costs_ns,omitempty"`     // what the spans of each zone of the snapshot have cost; Spans is the sum
	Steady    []float64        `json:"steady_ns,omitempty"`    // the same, if the zones in Sampled had been sampled from the beginning
	Slow      []Slow           `json:"slow,omitempty"`         // slow units that were explained since the reading before
	Watching  float64          `json:"watching,omitempty"`     // what looking for slow units and explaining them has taken, as a share of one processor; 0 if they are not explained
	Said      []string         `json:"said,omitempty"`         // what capture has logged since then: now and then, one of these
	Faults    []string         `json:"faults,omitempty"`       // likewise, why it cannot keep files
	Opened    bool             `json:"opened,omitempty"`       // somebody opened the live page, whose cost is not in Spans and Reading
	Last      bool             `json:"last,omitempty"`         // no other one follows: the program ends by os.Exit or a return of main, or is asleep
	Asleep    bool             `json:"asleep,omitempty"`       // all goroutines wait for each other, which the runtime is left to notice
}

// A Sampled zone took too much of the time, and has been sampled since.
type Sampled struct {
	Zone  int     `json:"zone"`           // index in the snapshot
	Every int     `json:"every"`          // one call in so many is timed
	Share float64 `json:"share"`          // of the time that measuring it took before
	Of    string  `json:"of"`             // of whose time: a lane's name, or "the process"
	Least bool    `json:"least,omitzero"` // its calls are so many that counting them takes more than the limit
}

// A Slow is a unit that took much longer than usual; see capture.Report.
type Slow struct {
	Root     string        `json:"root"`               // name of the loop or of the root zone
	Cause    string        `json:"cause"`              // as in capture.Cause
	Took     time.Duration `json:"took_ns"`            // duration of the unit
	Usual    time.Duration `json:"usual_ns,omitempty"` // median of the units before it; 0 if unknown
	Sentence string        `json:"sentence"`           // why
	Next     string        `json:"next,omitempty"`     // what to do next
	Units    uint64        `json:"units,omitempty"`    // slow units of this root until then, explained or not
	Degrees  []string      `json:"degrees,omitempty"`  // sources that were missing
}
