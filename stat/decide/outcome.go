// SPDX-License-Identifier: BSD-3-Clause

package decide

import "github.com/strobe-go/strobe/internal/enum"

// A Verdict says how the cost of one thing relates to that of another, the base. It prints, and is written to JSON, as the word
// beside it. The zero value is Inconclusive.
type Verdict int

const (
	Inconclusive Verdict = iota // "inconclusive": the interval is too wide to tell
	Faster                      // "faster": the whole interval of the ratio is below 1
	Slower                      // "slower": the whole interval is above 1
	Same                        // "same": the whole interval is within the difference that does not count
)

var verdicts = []string{"inconclusive", "faster", "slower", "same"}

// String returns the word for the verdict.
func (v Verdict) String() string { return enum.Word(v, verdicts) }

// MarshalText writes the word for the verdict. It never fails.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (v *Verdict) UnmarshalText(text []byte) error { return enum.Parse(v, verdicts, text) }

// An Outcome is the result of a gate, which allows a thing to cost more than the base by a limit. It prints, and is written to
// JSON, as the word beside it. The zero value is Undecided.
type Outcome int

const (
	Undecided Outcome = iota // "undecided": both outcomes are still possible
	Passed                   // "passed": it does not cost more than allowed
	Failed                   // "failed": it costs more than allowed
)

var outcomes = []string{"undecided", "passed", "failed"}

// String returns the word for the outcome.
func (o Outcome) String() string { return enum.Word(o, outcomes) }

// MarshalText writes the word for the outcome. It never fails.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (o *Outcome) UnmarshalText(text []byte) error { return enum.Parse(o, outcomes, text) }

// ExitCode returns the exit code of a program that ends with this outcome: 0 for Passed, 1 for Failed, 3 otherwise.
func (o Outcome) ExitCode() int {
	switch o {
	case Passed:
		return 0
	case Failed:
		return 1
	}
	return 3
}

// And returns the outcome of both together: Failed if one is, otherwise Undecided if one is, otherwise Passed.
func (o Outcome) And(other Outcome) Outcome {
	switch {
	case o == Failed || other == Failed:
		return Failed
	case o == Passed && other == Passed:
		return Passed
	}
	return Undecided
}
