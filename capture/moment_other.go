// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux && !darwin && !freebsd

package capture

import (
	"errors"
	"runtime"

	"github.com/strobe-go/strobe/clock"
)

// moment returns an error: this system has no clock that is known to be the one of the runtime's traces.
func moment() (at clock.Instant, mono int64, err error) {
	return clock.NowOrdered(), 0, errors.New("its clock is unknown on " + runtime.GOOS)
}
