// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"io"
	"time"
)

// A score counts the verdicts on the mutants of one package.
type score struct {
	name      string
	count     [lived + 1]int
	explained int
	survivors []string
}

// score counts verdicts. A survivor that is explained counts as one that was killed.
func (t *target) score(verdicts []verdict, known explanations) *score {
	s := &score{name: t.name}
	for i, v := range verdicts {
		m := &t.mutants[i]
		s.count[v]++
		if v < uncovered {
			continue
		}
		if known[t.where(m)] != "" {
			s.explained++
			continue
		}
		s.survivors = append(s.survivors, t.line(m, v))
	}
	return s
}

// percent returns the share of valid mutants that were noticed or explained; 100 if there are none.
func (s *score) percent() float64 {
	noticed := s.count[killed] + s.count[timedOut] + s.explained
	all := noticed + len(s.survivors)
	if all == 0 {
		return 100
	}
	return 100 * float64(noticed) / float64(all)
}

func (s *score) print(w io.Writer, took time.Duration) {
	fmt.Fprintf(w, "%s: %.1f %% killed or explained (%d killed, %d timed out, %d explained, %d survive; %d do not compile), %.0f s\n",
		s.name, s.percent(), s.count[killed], s.count[timedOut], s.explained, len(s.survivors), s.count[invalid], took.Seconds())
	for _, line := range s.survivors {
		fmt.Fprintln(w, "   ", line)
	}
}
