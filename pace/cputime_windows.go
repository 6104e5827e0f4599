// SPDX-License-Identifier: BSD-3-Clause

package pace

import (
	"os"
	"time"

	"golang.org/x/sys/windows"
)

const processTimeStep = 15_625 * time.Microsecond // at most: the period of the scheduler's clock interrupt

// processTime returns the processor time that all threads of this process have used, in steps of up to 15.6 ms.
func processTime() (time.Duration, error) {
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user); err != nil {
		return 0, os.NewSyscallError("GetProcessTimes", err)
	}
	return since(kernel) + since(user), nil
}

// since reads a span: Filetime.Nanoseconds would take it for a date.
func since(t windows.Filetime) time.Duration {
	return time.Duration(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) * 100
}
