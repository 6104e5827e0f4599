// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// A captureObject is the JSON of strobe capture: a report, or the summary of several.
type captureObject struct {
	Schema int `json:"schema"` // version of this format
	*reportObject
	Captures []briefObject `json:"captures,omitempty"` // with several files: the captures, in the order given
	Causes   []groupObject `json:"causes,omitempty"`   // with several files: captures of one cause, root and place, those with the most time first
}

// A reportObject is the JSON of one capture. With several files its keys are absent.
type reportObject struct {
	File      string       `json:"file,omitempty"`      // name of the file
	Sentence  string       `json:"sentence,omitempty"`  // what happened
	Root      string       `json:"root,omitempty"`      // name of the loop or of the root zone
	Unit      string       `json:"unit,omitempty"`      // "frame" or "span"
	At        string       `json:"at,omitempty"`        // when the unit began, as in RFC 3339
	Goroutine int64        `json:"goroutine,omitempty"` // the runtime's number
	Took      int64        `json:"took_ns,omitempty"`   // duration of the unit
	Usual     int64        `json:"usual_ns,omitempty"`  // median of the units before it
	Cause     string       `json:"cause,omitempty"`     // one of the words in docs/capture.md
	Share     float64      `json:"share,omitempty"`     // of the time beyond what is usual that the cause explains
	Spent     int64        `json:"spent_ns,omitempty"`  // time of the cause beyond what is usual for it
	Zone      string       `json:"zone,omitempty"`      // innermost zone that was open in most of that time
	Where     string       `json:"where,omitempty"`     // function and line
	By        string       `json:"by,omitempty"`        // who ended the wait, and what it did until then
	Next      string       `json:"next,omitempty"`      // what to do next
	Notes     []noteObject `json:"notes,omitempty"`     // of the unit
	Split     *splitObject `json:"split,omitempty"`     // when the unit ran, was ready and waited, as far as that is known
	Account   []partObject `json:"account,omitempty"`   // where the time went; the parts add up to took_ns
	Evidence  []string     `json:"evidence,omitempty"`  // what that rests on, a phrase each
	Missing   []string     `json:"degrees,omitempty"`   // what was not available
	Slow      uint64       `json:"slow,omitempty"`      // slow units of the root until then, with this one
	Explained uint64       `json:"explained,omitempty"` // those of them that were explained, with this one
	Program   string       `json:"program,omitempty"`   // base name of the executable
	Go        string       `json:"go,omitempty"`        // version of Go
	System    string       `json:"system,omitempty"`    // as in "linux/amd64"
}

type noteObject struct {
	Key   string `json:"key"`   // as given to strobe.Note
	Value string `json:"value"` // as given to strobe.Note
}

type splitObject struct {
	Running int64 `json:"running_ns"`           // on a processor
	Ready   int64 `json:"ready_ns"`             // could have run, but had no processor
	Waiting int64 `json:"waiting_ns"`           // for something else
	Unknown int64 `json:"unknown_ns,omitempty"` // no source tells
}

type partObject struct {
	Cause string `json:"cause"`              // one of the words in docs/capture.md
	Took  int64  `json:"took_ns"`            // time of this part
	Usual int64  `json:"usual_ns,omitempty"` // median of this part in the units before it
	Zone  string `json:"zone,omitempty"`     // innermost zone that was open
	Where string `json:"where,omitempty"`    // function and line
	By    string `json:"by,omitempty"`       // who ended the wait, and what it did until then
}

type briefObject struct {
	File  string  `json:"file"`                // name of the file
	Root  string  `json:"root"`                // name of the loop or of the root zone
	At    string  `json:"at"`                  // when the unit began, as in RFC 3339
	Took  int64   `json:"took_ns"`             // duration of the unit
	Usual int64   `json:"usual_ns,omitempty"`  // median of the units before it
	Cause string  `json:"cause"`               // one of the words in docs/capture.md
	Share float64 `json:"share,omitempty"`     // of the time beyond what is usual that the cause explains
	Spent int64   `json:"spent_ns,omitempty"`  // time of the cause beyond what is usual for it
	Zone  string  `json:"zone,omitempty"`      // innermost zone that was open in most of that time
	Where string  `json:"where,omitempty"`     // function and line
	Slow  uint64  `json:"slow,omitempty"`      // slow units of the root until then, with this one
	Known uint64  `json:"explained,omitempty"` // those of them that were explained, with this one
}

type groupObject struct {
	Cause    string `json:"cause"`           // one of the words in docs/capture.md
	Root     string `json:"root"`            // name of the loop or of the root zone
	Zone     string `json:"zone,omitempty"`  // innermost zone that was open in most of the time
	Where    string `json:"where,omitempty"` // function and line
	Captures int    `json:"captures"`        // number of them
	Spent    int64  `json:"spent_ns"`        // time of the cause beyond what is usual for it, in all
	Longest  int64  `json:"longest_ns"`      // duration of the longest unit
	File     string `json:"longest_file"`    // its capture
}

func objectOf(k kept) *reportObject {
	o := &reportObject{File: k.file, Sentence: k.String(), Root: k.Root, Unit: k.Unit, At: moment(k.At), Goroutine: k.Goroutine, Took: int64(k.Took), Usual: int64(k.Usual),
		Cause: k.Cause.String(), Share: k.Share, Spent: int64(k.Spent), Zone: k.Zone, Where: k.Where, By: k.By, Next: k.Next,
		Evidence: evidence(k.Report), Missing: missing(k.Report), Slow: k.Slow, Explained: k.Explained, Program: k.Program, Go: k.Go, System: k.System}
	if d := k.Split; d != nil {
		o.Split = &splitObject{int64(d.Running), int64(d.Ready), int64(d.Waiting), int64(d.Unknown)}
	}
	for _, n := range k.Notes {
		o.Notes = append(o.Notes, noteObject{n.Key, n.Value})
	}
	for _, p := range k.Account {
		o.Account = append(o.Account, partObject{p.Cause.String(), int64(p.Took), int64(p.Usual), p.Zone, p.Where, p.By})
	}
	return o
}

func summaryOf(all []kept, groups []group) captureObject {
	o := captureObject{Schema: session.Schema}
	for _, k := range all {
		o.Captures = append(o.Captures, briefObject{k.file, k.Root, moment(k.At), int64(k.Took), int64(k.Usual), k.Cause.String(), k.Share, int64(k.Spent), k.Zone, k.Where, k.Slow, k.Explained})
	}
	for _, g := range groups {
		o.Causes = append(o.Causes, groupObject{g.cause.String(), g.root, g.zone, g.where, g.n, int64(g.spent), int64(g.longest.Took), g.longest.file})
	}
	return o
}

func moment(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
