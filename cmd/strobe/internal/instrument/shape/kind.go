// SPDX-License-Identifier: BSD-3-Clause

// Package shape tells by its looks what a function is.
package shape

import "github.com/strobe-go/strobe/internal/enum"

// A Kind is what the calls of a function are.
type Kind int

// The kinds of functions.
const (
	Plain Kind = iota
	Unit       // requests, jobs or turns of a loop
	Wait       // time spent blocked
)

var kinds = []string{"plain", "unit", "wait"}

// String returns the word of the kind.
func (k Kind) String() string { return enum.Word(k, kinds) }

// MarshalText returns the word of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText accepts the words of the kinds.
func (k *Kind) UnmarshalText(text []byte) error { return enum.Parse(k, kinds, text) }
