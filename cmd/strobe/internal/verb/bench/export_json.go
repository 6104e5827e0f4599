// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"io"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// An exportedObject is the JSON of strobe bench, with the keys that hyperfine writes.
type exportedObject struct {
	benchObject
	Results []hyperfineResult `json:"results,omitempty"`
}

// A hyperfineResult has the keys and units (seconds and bytes) of hyperfine's JSON.
type hyperfineResult struct {
	Command    string            `json:"command"`
	Mean       float64           `json:"mean"`
	StdDev     *float64          `json:"stddev"`
	Median     float64           `json:"median"`
	User       float64           `json:"user"`
	System     float64           `json:"system"`
	Min        float64           `json:"min"`
	Max        float64           `json:"max"`
	Times      []float64         `json:"times"`
	Memory     []int64           `json:"memory_usage_byte,omitempty"`
	ExitCodes  []int             `json:"exit_codes"`
	Parameters map[string]string `json:"parameters,omitempty"`
}

// exportJSON writes the object of --json with hyperfine's results.
func exportJSON(w io.Writer, b *measurement, interrupted bool) error {
	o := exportedObject{benchObject: b.object(interrupted)}
	for _, j := range b.jobs {
		if len(j.runs) > 0 {
			o.Results = append(o.Results, j.hyperfine())
		}
	}
	return session.WriteJSON(w, o)
}

// hyperfine returns the result of a job that has runs.
func (j *job) hyperfine() hyperfineResult {
	f := j.figures()
	r := hyperfineResult{Command: j.name, Mean: f.mean.Center / 1e9, Median: f.median / 1e9, User: f.user / 1e9, System: f.system / 1e9,
		Min: f.min / 1e9, Max: f.max / 1e9, Parameters: j.object().Parameters}
	if f.runs > 1 {
		sd := f.stddev / 1e9
		r.StdDev = &sd
	}
	for _, run := range j.runs {
		r.Times = append(r.Times, run.Wall.Seconds())
		r.ExitCodes = append(r.ExitCodes, run.Exit)
		if f.peaksKnown { // otherwise it may be the memory of strobe itself
			r.Memory = append(r.Memory, run.Peak)
		}
	}
	return r
}
