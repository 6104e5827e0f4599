// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

package stamp

import (
	"runtime"
	"testing"
)

// A processor that record.go does not name builds with the portable code, in which goroutines share a lane.
func TestGoroutinesCanBeDistinguishedOnEveryProcessor(t *testing.T) {
	if !HasGoroutine {
		t.Errorf("not on %s", runtime.GOARCH)
	}
}
