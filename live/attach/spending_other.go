// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package attach

import "time"

// spending returns a function that returns how long ago it was made: at least the processor time that the goroutine has used since.
func spending() func() time.Duration {
	begin := time.Now()
	return func() time.Duration { return time.Since(begin) }
}
