// SPDX-License-Identifier: BSD-3-Clause

package host

import "strings"

// A Fact is what the system, or this program, says under a name. Either the value or the reason why there is none is set.
type Fact struct {
	Name   string `json:"name"`             // such as a file or a sysctl
	Value  string `json:"value,omitempty"`  // as it was read, cut after 4096 bytes
	Reason string `json:"reason,omitempty"` // why it has no value
}

// mostOfAFact is how many bytes of a value are kept.
const mostOfAFact = 4096

func known(name, value string) Fact {
	value = strings.TrimSpace(strings.ToValidUTF8(value, "?"))
	if len(value) > mostOfAFact {
		value = strings.ToValidUTF8(value[:mostOfAFact], "") + " (cut)"
	}
	if value == "" {
		return Fact{Name: name, Reason: "empty"}
	}
	return Fact{Name: name, Value: value}
}

func unknown(name string, err error) Fact { return Fact{Name: name, Reason: err.Error()} }
