// SPDX-License-Identifier: BSD-3-Clause

package bench

import "syscall"

func switchesOS() switches {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_THREAD, &u)
	return switches{uint64(u.Nvcsw), uint64(u.Nivcsw), err == nil}
}
