// SPDX-License-Identifier: BSD-3-Clause

package stat

import "github.com/strobe-go/strobe/internal/enum"

// A Verdict is the outcome of a comparison. It prints, and is written to JSON, as the word beside it. The zero value is TooFew.
type Verdict int

const (
	TooFew       Verdict = iota // "too few samples": no outcome could have shown a difference
	NoDifference                // "no difference shown": the samples are compatible with no difference
	Higher                      // "higher": other is higher than base
	Lower                       // "lower": other is lower than base
)

var verdicts = []string{"too few samples", "no difference shown", "higher", "lower"}

// String returns the word for the verdict.
func (v Verdict) String() string { return enum.Word(v, verdicts) }

// MarshalText writes the word for the verdict. It never fails.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (v *Verdict) UnmarshalText(text []byte) error { return enum.Parse(v, verdicts, text) }

// ChangeKind is the form of a change. It prints, and is written to JSON, as the word beside it. The zero value is NoChange.
type ChangeKind int

const (
	NoChange     ChangeKind = iota // "none": no change was found
	StepChange                     // "step": the level changes at some sample
	TrendChange                    // "trend": the level rises or falls from start to end
	PeriodChange                   // "period": a pattern repeats
)

var changeKinds = []string{"none", "step", "trend", "period"}

// String returns the word for the kind.
func (k ChangeKind) String() string { return enum.Word(k, changeKinds) }

// MarshalText writes the word for the kind. It never fails.
func (k ChangeKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (k *ChangeKind) UnmarshalText(text []byte) error { return enum.Parse(k, changeKinds, text) }
