// SPDX-License-Identifier: BSD-3-Clause

//go:build linux || darwin

package capture

import (
	"os/signal"
	"syscall"
	"testing"

	"github.com/strobe-go/strobe/internal/child"
)

// A limit on the size of files, like a full disk, ends a write in the middle: in a process of its own, for it holds for the log that go
// test keeps, too.
func TestAFullDiskLeavesNothing(t *testing.T) {
	if !child.Process(t) {
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	small := was
	small.Cur = 10_000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Fatal(err)
	}
	f := folder{t.TempDir(), 1 << 30}
	name, err := f.write(made())
	if again := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); again != nil {
		t.Fatal(again)
	}
	if left := names(t, f.dir); err == nil || len(left) != 0 {
		t.Errorf("%q, %v, %v is left", name, err, left)
	}
	if _, err := f.write(made()); err != nil {
		t.Error(err)
	}
}
