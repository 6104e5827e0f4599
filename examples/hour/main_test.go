// SPDX-License-Identifier: BSD-3-Clause

package main

import "testing"

func BenchmarkCompact(b *testing.B) {
	var s store
	for b.Loop() {
		s.insert(1000)
		s.compact()
	}
}
