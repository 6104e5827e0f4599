// SPDX-License-Identifier: BSD-3-Clause

package child

import (
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// LimitDescriptors lets this process have that many file descriptors, for good.
func LimitDescriptors(t testing.TB, limit int) {
	t.Helper()
	if r, w, err := os.Pipe(); err != nil { // the runtime's poller starts, without which the runtime would end the process
		t.Fatal(err)
	} else {
		r.Close()
		w.Close()
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(limit), Max: uint64(limit)}); err != nil {
		t.Fatal(err)
	}
}

// ExhaustDescriptors limits them as well, and takes all that are left. giveBack gives them back, of which there are none if the process
// had as many open already.
func ExhaustDescriptors(t testing.TB, limit int) (giveBack func()) {
	t.Helper()
	LimitDescriptors(t, limit)
	var taken []int
	for more := true; more; time.Sleep(20 * time.Millisecond) { // what other threads had for a moment, as in accept, is left later
		more = false
		for {
			fd, err := unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0)
			if err == unix.EMFILE {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			taken, more = append(taken, fd), true
		}
	}
	return func() {
		for _, fd := range taken {
			unix.Close(fd)
		}
		taken = nil
	}
}
