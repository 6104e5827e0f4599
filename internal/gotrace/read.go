// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrVersion is wrapped by the error of Read for a format that it does not know.
var ErrVersion = errors.New("unknown version of the format; those of Go 1.22, 1.23, 1.25 and 1.26 are known, and Go 1.27 writes that of 1.26")

type generation struct{}

// Read reads a trace. The Trace refers to data, which must not be changed. The error says at which byte data is not a trace.
func Read(data []byte) (*Trace, error) {
	const head = len("go 1.26 trace\x00\x00\x00")
	if len(data) < head {
		return nil, errors.New("not an execution trace: it is shorter than a header")
	}
	minor, ok := strings.CutPrefix(string(data[:head]), "go 1.")
	minor, end := strings.CutSuffix(minor, " trace\x00\x00\x00")
	if number, err := strconv.Atoi(minor); !ok || !end || err != nil {
		return nil, errors.New("not an execution trace: it has another header")
	} else if number != 22 && number != 23 && number != 25 && number != 26 {
		return nil, fmt.Errorf("Go 1.%d: %w", number, ErrVersion)
	}
	return nil, errors.New("not yet")
}

// Stack returns the functions of a stack, innermost first, or nil for 0 and for one that the trace lacks.
func (t *Trace) Stack(id StackID) []Frame { return nil }
