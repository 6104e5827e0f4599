// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"slices"

	"github.com/strobe-go/strobe/stat"
)

// A Verdict says how the cost of the other relates to that of the base. It prints, and is written to JSON, as the word
// beside it. The zero value is Inconclusive.
type Verdict int

const (
	Inconclusive Verdict = iota // "inconclusive": the interval is too wide to tell
	Faster                      // "faster": the whole interval is below 1
	Slower                      // "slower": the whole interval is above 1
	Same                        // "same": the whole interval is within the difference that does not count
)

var verdicts = []string{"inconclusive", "faster", "slower", "same"}

// String returns the word for the verdict.
func (v Verdict) String() string { return word(verdicts, int(v)) }

// MarshalText writes the word for the verdict. It never fails.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (v *Verdict) UnmarshalText(text []byte) error { return parseWord((*int)(v), verdicts, text) }

// An Outcome is the result of a gate. It prints, and is written to JSON, as the word beside it. The zero value is
// Undecided.
type Outcome int

const (
	Undecided Outcome = iota // "undecided": both outcomes are still possible
	Passed                   // "passed": the other is not slower than allowed
	Failed                   // "failed": the other is slower than allowed
)

var outcomes = []string{"undecided", "passed", "failed"}

// String returns the word for the outcome.
func (o Outcome) String() string { return word(outcomes, int(o)) }

// MarshalText writes the word for the outcome. It never fails.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (o *Outcome) UnmarshalText(text []byte) error { return parseWord((*int)(o), outcomes, text) }

func word(words []string, i int) string {
	if i < 0 || i >= len(words) {
		return fmt.Sprintf("%d, which is not one of %q", i, words)
	}
	return words[i]
}

func parseWord(i *int, words []string, text []byte) error {
	at := slices.Index(words, string(text))
	if at < 0 {
		return fmt.Errorf("bench: %q is not one of %q", text, words)
	}
	*i = at
	return nil
}

// judge returns the verdict on the interval of a ratio.
func judge(ratio stat.Interval, within float64) Verdict {
	switch {
	case ratio.Level == 0:
		return Inconclusive
	case within > 0 && ratio.Lo >= 1/(1+within) && ratio.Hi <= 1+within:
		return Same
	case ratio.Hi < 1:
		return Faster
	case ratio.Lo > 1:
		return Slower
	}
	return Inconclusive
}
