// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix

package capture

import "time"

// faultTime returns 0: unknown on this system.
func faultTime() time.Duration { return 0 }
