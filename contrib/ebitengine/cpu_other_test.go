// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix

package strobeebiten

import "time"

// processorTime is not needed here, since the tests with a window run elsewhere.
func processorTime() time.Duration { return 0 }
