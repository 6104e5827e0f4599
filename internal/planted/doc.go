// SPDX-License-Identifier: BSD-3-Clause

// Package planted makes the calling goroutine slow, on purpose and for a known reason, for tests of what finds such reasons.
//
//	for _, f := range planted.Faults() {
//		t.Run(f.Name, func(t *testing.T) {
//			plant := f.Prepare(t)
//			plant(30 * time.Millisecond) // f.Causes says why this takes so long, f.At where
//		})
//	}
//
// What a fault needs, such as other goroutines and processes, is prepared before. A fault on a busy machine takes longer than it was
// asked to, but not less.
package planted
