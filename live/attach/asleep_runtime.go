// SPDX-License-Identifier: BSD-3-Clause

//go:build strobe_run && !go1.28

package attach

import (
	"math"
	_ "unsafe" // for go:linkname
)

//go:linkname timeSleepUntil runtime.timeSleepUntil
func timeSleepUntil() int64

//go:linkname iscgo runtime.iscgo
var iscgo bool

// noticed reports whether the runtime would notice that all goroutines wait for each other: it does not if C code may wake one, or a
// timer.
func noticed() bool { return !iscgo && timeSleepUntil() == math.MaxInt64 }
