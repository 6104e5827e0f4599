// SPDX-License-Identifier: BSD-3-Clause

// Package shape tells what the functions of a program are by their looks, so that zones of the right kind can be put into them without
// a line of code: which are units of its work, and where they wait. It knows signatures, callers and a list of blocking calls, and no
// more: what is recognised is named with the reason, and what is not remains plain.
//
//   - [Program] holds the packages with their types
//   - [Program.Units] finds http handlers, methods of gRPC services and ticks of loops
//   - [Package.Waits] finds the blocking calls of a function, and the edits that put zones around them
package shape

import (
	"go/token"

	"github.com/strobe-go/strobe/internal/enum"
)

// A Kind says which zone a function or a call gets.
type Kind int

const (
	Plain Kind = iota // an ordinary zone
	Unit              // a root zone: each call is a unit of work, such as a request or a tick
	Wait              // a wait zone: its time is spent waiting
)

// String returns the word of the kind, such as "unit".
func (k Kind) String() string { return enum.Word(k, words()) }

// MarshalText writes the word of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText accepts what MarshalText writes.
func (k *Kind) UnmarshalText(text []byte) error { return enum.Parse(k, words(), text) }

func words() []string { return []string{"plain", "unit", "wait"} }

// An Edit inserts a text into a file. The text has no line end, so that the lines of the file stay where they are. It may begin or end a
// comment.
type Edit struct {
	At   token.Pos
	Text string
}
