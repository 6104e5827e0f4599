// SPDX-License-Identifier: BSD-3-Clause

package bench

// Keep makes the compiler assume that v is used, so that it does not remove the work that produced v. It costs one call.
// It is safe for concurrent use.
//
//go:noinline
func Keep[T any](v T) {}
