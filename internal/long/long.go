// SPDX-License-Identifier: BSD-3-Clause

// Package long says whether tests take the time that they need: with the build tag long, as ./check long sets it. Without the tag
// simulations are smaller, and what only repeats a test with another library is not built.
package long

import "testing"

// Only skips a test without the tag.
func Only(t testing.TB) {
	t.Helper()
	if !Enabled {
		t.Skip("takes long: ./check long runs it")
	}
}
