// SPDX-License-Identifier: BSD-3-Clause

package soak

import "sync/atomic"

// kept keeps the compiler from leaving out work.
var kept atomic.Uint64

// work is a chain of n dependent steps.
func work(x uint64, n int) uint64 {
	for range n {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}
