// SPDX-License-Identifier: BSD-3-Clause

package perfbench

import (
	"fmt"
	"strings"
	"time"

	"github.com/strobe-go/strobe/perf"
)

// totals add up the stretches between StartTimer and StopTimer.
type totals struct {
	events   []perf.Event
	overhead perf.Reading
	sums     []sum
	elapsed  time.Duration // of all stretches
	apart    bool          // cycles and instructions were not counted together
}

type sum struct {
	count   float64 // times scale
	known   bool    // in every stretch
	scaled  bool
	user    bool
	begun   bool
	missing perf.Value
}

func newTotals(events []perf.Event, overhead perf.Reading) totals {
	return totals{events: events, overhead: overhead, sums: make([]sum, len(events))}
}

func (t *totals) add(r perf.Reading) {
	t.elapsed += r.Elapsed
	r = r.Less(t.overhead)
	for i, e := range t.events {
		s, v := &t.sums[i], r.Get(e)
		if !s.begun {
			s.begun, s.known = true, true
		}
		if !v.Known() {
			s.known, s.missing = false, v
			continue
		}
		s.count += float64(v.Count) * v.Scale
		s.scaled = s.scaled || v.State == perf.Scaled
		s.user = v.UserOnly
	}
	if _, ok := r.Ratio(perf.Instructions, perf.Cycles); !ok {
		t.apart = true
	}
}

// The timer may run for this much less than the counters, in share and in time: testing stops it first, stops the world,
// and may be preempted before the counters are read.
const (
	slackShare = 0.05
	slackTime  = 10 * time.Millisecond
)

// mismatch says that something else stopped the timer, if it ran for less time than was counted. The counts are then those
// of more work than the operations.
func (t *totals) mismatch(timer time.Duration) string {
	excess := t.elapsed - timer
	if excess <= slackTime || float64(excess) <= slackShare*float64(t.elapsed) {
		return ""
	}
	return fmt.Sprintf("no counts: the timer ran for %.3g %% of the time that was counted; stop it with StopTimer of what perfbench.Start returned, "+
		"not of testing.B, and call Start after b.ResetTimer", 100*float64(timer)/float64(t.elapsed))
}

type named struct {
	name  string
	value float64
}

// metrics returns what is known, per operation of n.
func (t *totals) metrics(n int) (all []named) {
	if n < 1 {
		return nil
	}
	var cycles, instructions float64
	for i, e := range t.events {
		s := t.sums[i]
		if !s.known {
			continue
		}
		all = append(all, named{metric(e, s.user), s.count / float64(n)})
		switch e {
		case perf.Cycles:
			cycles = s.count
		case perf.Instructions:
			instructions = s.count
		}
	}
	if !t.apart && cycles > 0 && instructions > 0 {
		all = append(all, named{"ipc", instructions / cycles})
	}
	return all
}

// note says what is missing, and which counts are estimates.
func (t *totals) note() string {
	var parts []string
	reasons := map[string]bool{}
	var estimates []string
	for i, e := range t.events {
		switch s := t.sums[i]; {
		case s.begun && !s.known:
			text := s.missing.String()
			_, reason, _ := strings.Cut(text, ": ")
			if reasons[reason] {
				text = fmt.Sprintf("no %s either", e)
			}
			reasons[reason] = true
			parts = append(parts, text)
		case s.scaled:
			estimates = append(estimates, string(e))
		}
	}
	if len(estimates) > 0 {
		parts = append(parts, "estimates, because the events had to take turns on the counters: "+strings.Join(estimates, ", "))
	}
	return strings.Join(parts, "; ")
}
