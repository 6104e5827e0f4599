// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package child

import "testing"

// LimitDescriptors skips t.
func LimitDescriptors(t testing.TB, limit int) {
	t.Helper()
	t.Skip("only on Linux do tests limit the descriptors of a process")
}

// ExhaustDescriptors skips t.
func ExhaustDescriptors(t testing.TB, limit int) (giveBack func()) {
	t.Helper()
	LimitDescriptors(t, limit)
	return nil
}
