// SPDX-License-Identifier: BSD-3-Clause

package child

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// WithMounts is Process with mounts that no other process sees, for Disk. It skips t where the system does not permit them.
func WithMounts(t testing.TB) bool {
	t.Helper()
	ids := func(id int) []syscall.SysProcIDMap { return []syscall.SysProcIDMap{{HostID: id, Size: 1}} }
	return process(t, []*syscall.SysProcAttr{
		{Cloneflags: unix.CLONE_NEWNS}, // root's
		{Cloneflags: unix.CLONE_NEWNS | unix.CLONE_NEWUSER, UidMappings: ids(os.Getuid()), GidMappings: ids(os.Getgid())},
	}, nil)
}

// Disk mounts an empty file system of that many bytes, and returns its folder. It is for processes WithMounts.
func Disk(t testing.TB, bytes int) string {
	t.Helper()
	dir := t.TempDir()
	DiskAt(t, dir, bytes)
	return dir
}

// DiskAt is Disk with a folder that is there.
func DiskAt(t testing.TB, dir string, bytes int) {
	t.Helper()
	err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	if err == nil {
		err = unix.Mount("strobe", dir, "tmpfs", 0, fmt.Sprintf("size=%d", bytes))
	}
	if err != nil {
		t.Skip("no file system can be mounted here: ", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

// Protect makes a Disk read-only.
func Protect(t testing.TB, dir string) {
	t.Helper()
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skip("no file system can be made read-only here: ", err)
	}
}

// Fill leaves no room on a Disk: files can be made there, but nothing be written to them.
func Fill(t testing.TB, dir string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; size /= 2 {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
		if !errors.Is(err, unix.ENOSPC) {
			t.Fatal(err)
		}
	}
}
