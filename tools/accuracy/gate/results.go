// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// A try is a line of the file of results: what a gate said, and where and when.
type try struct {
	Set, Kind         string
	N                 int     // counts the tries of the kind
	Seed              uint64  // of its parameters
	Planted, Measured float64 `json:",omitempty"` // change of the cost of a call: as it was planted, and by processor time without the gate
	Call              float64 `json:",omitempty"` // planned cost of a call without what is planted, ns
	Period            int     `json:",omitempty"` // of that, where one has it
	Outcome           string
	Verdicts          []verdict
	Same              int      `json:",omitempty"` // packages that were not measured because their program is the same
	Broken            []string `json:",omitempty"` // benchmarks that could not be compared
	Budget            float64  // --max-time, s
	Spent, Seconds    float64  // measuring, and with checking out and building
	Date              string
	Loads             [2]string // of the machine, before and after
	machine
}

// A verdict is that on a benchmark.
type verdict struct {
	Name, Outcome      string
	Short, Long        ratio
	Rounds, LongRounds int
}

// A ratio of costs, with its interval; zero if it is not known.
type ratio struct {
	Center float64 `json:"center,omitempty"`
	Lo     float64 `json:"lo,omitempty"`
	Hi     float64 `json:"hi,omitempty"`
}

// A machine is where the gate was made, and with what.
type machine struct {
	Commit, Processor, Processors, System, Go, Nice string
	Busy                                            int // processes beside it
}

// readAll reads a file of results. A last line that was not completed is left out.
func readAll(file string) (all []try, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for n, line := range lines {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		var t try
		if err := json.Unmarshal(line, &t); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n+1, err)
		}
		all = append(all, t)
	}
	return all, nil
}

// keep appends a try to the file of results, after its last complete line.
func (t *try) keep(file string) error {
	line, err := json.Marshal(t)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	end := int64(bytes.LastIndexByte(text, '\n') + 1)
	if err := f.Truncate(end); err != nil {
		return err
	}
	if _, err := f.WriteAt(append(line, '\n'), end); err != nil {
		return err
	}
	return f.Close()
}

// count returns how many benchmarks have an outcome.
func (t *try) count(outcome string) (n int) {
	for _, v := range t.Verdicts {
		if v.Outcome == outcome {
			n++
		}
	}
	return n
}

// String is a line about a try.
func (t try) String() string {
	text := fmt.Sprintf("%s, try %d: %s", t.Kind, t.N+1, t.Outcome)
	if t.Set == nothing {
		text += fmt.Sprintf(": %d benchmarks passed, %d undecided, %d failed", t.count("passed"), t.count("undecided"), t.count("failed"))
	} else {
		text += fmt.Sprintf(", planted %s, measured %s", change(t.Planted), change(t.Measured))
		for _, v := range t.Verdicts {
			text += fmt.Sprintf(", short blocks %s, long runs %s", v.Short, v.Long)
		}
	}
	return text + fmt.Sprintf("; measured for %.0f of %.0f s, %.0f s in all, load %s to %s", t.Spent, t.Budget, t.Seconds, t.Loads[0], t.Loads[1])
}

// String is the change that a ratio means, in percent.
func (r ratio) String() string {
	if r.Center == 0 {
		return "unknown"
	}
	return change(r.Center - 1)
}

func change(share float64) string { return fmt.Sprintf("%+.1f %%", 100*share) }

// of returns the tries of a set.
func of(all []try, set string) (some []try) {
	for _, t := range all {
		if t.Set == set {
			some = append(some, t)
		}
	}
	return some
}

// values returns the different ones of a field, in order of appearance.
func values(all []try, field func(*try) string) (some []string) {
	for i := range all {
		if v := field(&all[i]); !slices.Contains(some, v) {
			some = append(some, v)
		}
	}
	return some
}
