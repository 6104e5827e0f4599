// SPDX-License-Identifier: BSD-3-Clause

package mcp

import (
	"bytes"
	"fmt"
	"io"
)

// longest is the longest message that is read, in bytes.
const longest = 1 << 20

// messages reads lines of at most longest bytes, so that a message takes bounded memory.
type messages struct {
	r io.Reader
	n int // bytes since the last end of a line
}

// Read implements io.Reader.
func (m *messages) Read(p []byte) (int, error) {
	n, err := m.r.Read(p[:min(len(p), longest)])
	if i := bytes.LastIndexByte(p[:n], '\n'); i >= 0 {
		m.n = n - i - 1
	} else {
		m.n += n
	}
	if m.n > longest {
		return n, fmt.Errorf("a message has more than %d bytes", longest)
	}
	return n, err
}

// Close does nothing: standard input may be read until the process ends.
func (*messages) Close() error { return nil }

// results writes to standard output and leaves it open.
type results struct{ io.Writer }

// Close does nothing.
func (results) Close() error { return nil }
