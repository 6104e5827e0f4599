// SPDX-License-Identifier: BSD-3-Clause

package perf

import "fmt"

// A State says how far a Value can be trusted. It prints, and is written to JSON, as the words beside it.
type State int

const (
	NotCounted  State = iota // "not counted": it was opened, but no counter ran
	Exact                    // "exact": counted all the time
	Scaled                   // "scaled": an estimate; there were too few counters, so it was counted for part of the time
	Unsupported              // "unsupported": this machine, system or program does not have the event
	Denied                   // "denied": the system does not allow it
)

var stateNames = [...]string{"not counted", "exact", "scaled", "unsupported", "denied"}

// String returns the word for the state.
func (s State) String() string {
	if s < 0 || int(s) >= len(stateNames) {
		return fmt.Sprintf("state %d", int(s))
	}
	return stateNames[s]
}

// MarshalText writes the word for the state. It never fails.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (s *State) UnmarshalText(text []byte) error {
	for i, name := range stateNames {
		if name == string(text) {
			*s = State(i)
			return nil
		}
	}
	return fmt.Errorf("perf: unknown state %q", text)
}
