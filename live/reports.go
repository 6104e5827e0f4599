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
	all  ring[json.RawMessage]
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
			r.all.add(plain.AppendJSON(nil, text))
		}
	}
}
