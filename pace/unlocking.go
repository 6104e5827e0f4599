// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package pace

import "runtime"

// unlocking gives the thread back when the sleeper is closed.
type unlocking struct{ sleeper }

func (u unlocking) close() {
	u.sleeper.close()
	runtime.UnlockOSThread()
}
