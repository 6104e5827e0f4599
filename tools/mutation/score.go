// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"
)

// A score counts the verdicts on the mutants of one package.
type score struct {
	name      string
	count     [lived + 1]int
	explained int
	survivors []string
}

// score counts verdicts. An explained survivor counts as killed.
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

// percent returns the percentage of valid mutants that were detected or explained; 100 if there are none.
func (s *score) percent() float64 {
	noticed, all := s.noticed()
	if all == 0 {
		return 100
	}
	return 100 * float64(noticed) / float64(all)
}

// noticed returns the number of mutants that were detected or explained, and the number of valid ones tested.
func (s *score) noticed() (noticed, all int) {
	noticed = s.count[killed] + s.count[timedOut] + s.explained
	return noticed, noticed + len(s.survivors)
}

// interval returns Wilson's 95 % interval of the percentage over all mutants, of which those tested are a sample. It has no
// correction for a sample that is a large part of all mutants.
func (s *score) interval() (lo, hi float64) {
	const z = 1.96
	_, all := s.noticed()
	if all == 0 {
		return 0, 100
	}
	n, p := float64(all), s.percent()/100
	center, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return 100 * (center - half) / (1 + z*z/n), 100 * (center + half) / (1 + z*z/n)
}

func (s *score) print(w io.Writer, took time.Duration) {
	tried := 0
	for _, n := range s.count[killed:] {
		tried += n
	}
	if all := tried + s.count[untried]; tried < all {
		lo, hi := s.interval()
		fmt.Fprintf(w, "%s: a sample of %d of %d mutants, [%.1f, %.1f] %%\n", s.name, tried, all, lo, hi)
	}
	fmt.Fprintf(w, "%s: %.1f %% killed or explained (%d killed, %d timed out, %d explained, %d survive; %d do not compile), %.0f s\n",
		s.name, s.percent(), s.count[killed], s.count[timedOut], s.explained, len(s.survivors), s.count[invalid], took.Seconds())
	for _, line := range s.survivors {
		fmt.Fprintln(w, "   ", line)
	}
}

// explanations maps a mutant's name to the reason why no test can detect it.
type explanations map[string]string

// readExplained reads a file of lines "FILE FUNCTION: OLD -> NEW # REASON".
func readExplained(path string) (explanations, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	known := explanations{}
	for i, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		mutant, reason, ok := strings.Cut(line, " # ")
		if !ok || strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("%s:%d: no reason: want FILE FUNCTION: OLD -> NEW # REASON", path, i+1)
		}
		known[strings.TrimSpace(mutant)] = strings.TrimSpace(reason)
	}
	return known, nil
}
