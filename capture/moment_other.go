// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux && !darwin && !freebsd && !windows

package capture

import (
	"errors"
	"runtime"

	"github.com/strobe-go/strobe/clock"
)

// readMoment reads the program's clock. The error says that no clock of this system is known to be that of the runtime's traces.
func readMoment() (moment, error) {
	return moment{at: clock.NowOrdered()}, errors.New("its clock is unknown on " + runtime.GOOS)
}
