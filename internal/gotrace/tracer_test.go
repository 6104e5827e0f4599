// SPDX-License-Identifier: BSD-3-Clause

//go:build !go1.25

package gotrace

import (
	"bytes"
	"runtime/trace"
	"testing"
)

// record returns the trace of f. A generation cannot be begun before Go 1.25.
func record(t testing.TB, f func(generation func())) []byte {
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skip("somebody else is tracing: ", err)
	}
	f(func() {})
	trace.Stop()
	return b.Bytes()
}
