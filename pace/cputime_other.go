// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix && !windows

package pace

import "time"

const processTimeStep time.Duration = 0

func processTime() (time.Duration, bool) { return 0, false }
