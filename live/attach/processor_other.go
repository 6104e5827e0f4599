// SPDX-License-Identifier: BSD-3-Clause

//go:build !(unix && !aix) && !windows

package attach

import "time"

// processor returns 0: no way is known here to learn the processor time that the process has used.
func processor() time.Duration { return 0 }
