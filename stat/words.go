// SPDX-License-Identifier: BSD-3-Clause

package stat

import "github.com/strobe-go/strobe/internal/enum"

// A Finding is what a comparison shows: an effect on numbers, which is good or bad only to those who know what they are. The verdict
// on costs is a decide.Verdict. It prints, and is written to JSON, as the word beside it. The zero value is TooFew.
type Finding int

const (
	TooFew       Finding = iota // "too few samples": no outcome could have shown a difference
	NoDifference                // "no difference shown": the samples are compatible with no difference
	Higher                      // "higher": other is higher than base
	Lower                       // "lower": other is lower than base
)

var findings = []string{"too few samples", "no difference shown", "higher", "lower"}

// String returns the word for the finding.
func (f Finding) String() string { return enum.Word(f, findings) }

// MarshalText writes the word for the finding. It never fails.
func (f Finding) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (f *Finding) UnmarshalText(text []byte) error { return enum.Parse(f, findings, text) }

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
