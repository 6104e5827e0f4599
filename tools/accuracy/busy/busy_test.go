// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package busy

import (
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	Main()
	os.Exit(m.Run())
}

func TestProcessesComputeUntilTheyAreStopped(t *testing.T) {
	stop, err := Start(2)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	stop() // waits for their end
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_CHILDREN, &u); err != nil {
		t.Fatal(err)
	}
	if used := time.Duration(u.Utime.Nano()); used < 20*time.Millisecond { // of 200 or more
		t.Errorf("they used a processor for %v", used)
	}
}
