// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"time"

	"github.com/strobe-go/strobe/internal/units"
)

// duration writes a duration for people.
func duration(d time.Duration) string { return units.Duration(float64(d)) }
