// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix && !windows

package pressure

import (
	"runtime"
	"time"
)

// Lag is by how much ProcessTime may lack the latest time of another thread that runs.
const Lag = time.Duration(0)

// A system reads nothing: this one tells a process nothing of this kind.
type system struct{}

func (*system) open(_ Options, refuse refuse) {
	refuse(runtime.GOOS+" does not tell it", "", ProcessTime, ThreadTime, MinorFaults, MajorFaults, ThreadMinorFaults, ThreadMajorFaults, Waited, Throttled,
		Throttlings, Stolen, Suspended, Stalled)
}

func (*system) threadTime() (time.Duration, bool) { return 0, false }
func (*system) read(*Reading)                     {}
func (*system) quota() (float64, bool)            { return 0, false }
func (*system) close()                            {}
