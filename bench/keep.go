// SPDX-License-Identifier: BSD-3-Clause

package bench

// Keep makes the compiler believe that v is needed, so that the work that made it stays. It costs a call, about 1 ns. Safe for
// concurrent use.
//
//go:noinline
func Keep[T any](v T) {}
