// SPDX-License-Identifier: BSD-3-Clause

package perfbench

import (
	"fmt"
	"strings"

	"github.com/strobe-go/strobe/perf"
)

// totals add up the stretches between StartTimer and StopTimer.
type totals struct {
	events   []perf.Event
	overhead perf.Reading
	sums     []sum
	apart    bool // cycles and instructions were not counted together
}

type sum struct {
	count   float64 // times scale
	known   bool    // in every stretch
	scaled  bool
	user    bool
	begun   bool
	missing perf.Value
}

func (t *totals) add(r perf.Reading) {
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

// note says what is left out, and which counts are estimates.
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
		parts = append(parts, "estimates, because the counters had to take turns: "+strings.Join(estimates, ", "))
	}
	return strings.Join(parts, "; ")
}
