// SPDX-License-Identifier: BSD-3-Clause

package capture

import "golang.org/x/sys/unix"

// runtimeClock is what the runtime's traces are in.
const runtimeClock = unix.CLOCK_UPTIME_RAW
