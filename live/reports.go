// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/profile"
)

const (
	mostReports = 256 // of slow units that are kept
	mostParts   = 12  // of an account that are sent: the longest
)

// A reportMessage says why a frame or a call of a root zone was slow, as it is sent.
type reportMessage struct {
	Number    uint64         `json:"number"`
	Root      string         `json:"root"`
	Unit      string         `json:"unit"`
	Goroutine int64          `json:"goroutine,omitempty"`
	Start     clock.Instant  `json:"start_ns"`
	Took      time.Duration  `json:"duration_ns"`
	Usual     time.Duration  `json:"usual_ns,omitempty"`
	Cause     capture.Cause  `json:"cause"`
	Text      string         `json:"text"`
	Next      string         `json:"next,omitempty"`
	Account   []capture.Part `json:"account,omitempty"`
	Degrees   []string       `json:"degrees,omitempty"`
	Slow      uint64         `json:"slow,omitempty"`
	Explained uint64         `json:"explained,omitempty"`
}

// reports are the latest reports of package capture.
type reports struct {
	last uint64 // number of the latest
	all  ring[sent]
}

// A sent report has its text as it is sent, and what tells which unit it is about.
type sent struct {
	json        json.RawMessage
	root        string
	span        bool
	goroutine   int64
	start       clock.Instant
	took        time.Duration
	cause, text string
}

// nearby is how far the start of a report, on the wall clock, may be from that of its unit.
const nearby = 50 * time.Millisecond

// of returns the report of a unit; nil if there is none.
func (r *reports) of(root string, u *profile.Unit) *sent {
	for i := len(r.all.items) - 1; i >= 0; i-- {
		s := &r.all.items[i]
		off := max(s.took-u.Took, u.Took-s.took)
		if s.span && s.root == root && (s.goroutine == 0 || s.goroutine == u.Goroutine) && off <= max(10*time.Microsecond, u.Took/10_000) &&
			max(s.start-u.Start, u.Start-s.start) <= clock.Instant(nearby) {
			return s
		}
	}
	return nil
}

// read takes the reports that are new, and passes on the calls of root zones that they are about. Without evidence they only have
// times of the wall clock.
func (r *reports) read(fresh []capture.Numbered, keep func(*profile.Unit)) {
	if len(fresh) == 0 {
		return
	}
	wall, now := together()
	for _, n := range fresh {
		r.last = n.Number
		start := now - clock.Instant(wall.Sub(n.At))
		if n.Evidence != nil {
			start = n.Evidence.Unit.Start
			if n.Unit == "span" {
				keep(&n.Evidence.Unit)
			}
		}
		degrees := n.Degrees
		if text := n.Coverage(); text != "" {
			degrees = append(slices.Clone(degrees), text)
		}
		text, err := json.Marshal(reportMessage{n.Number, n.Root, n.Unit, n.Goroutine, start, n.Took, n.Usual, n.Cause, n.String(), n.Next,
			n.Account[:min(len(n.Account), mostParts)], degrees, n.Slow, n.Explained})
		if err == nil {
			r.all.add(sent{plain.AppendJSON(nil, text), n.Root, n.Unit == "span", n.Goroutine, start, n.Took, n.Cause.String(), n.String()})
		}
	}
}
