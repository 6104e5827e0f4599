// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package child

import "testing"

// WithMounts skips t: mounts of a process's own are those of Linux.
func WithMounts(t testing.TB) bool {
	t.Helper()
	t.Skip("a process has no mounts of its own here")
	return false
}

// Disk is for processes WithMounts.
func Disk(t testing.TB, bytes int) string {
	t.Helper()
	t.Fatal("not in a process with mounts")
	return ""
}

// DiskAt is Disk.
func DiskAt(t testing.TB, dir string, bytes int) { t.Helper(); t.Fatal("not in a process with mounts") }

// Protect is for a Disk.
func Protect(t testing.TB, dir string) { t.Helper(); t.Fatal("not in a process with mounts") }

// Fill is for a Disk.
func Fill(t testing.TB, dir string) { t.Helper(); t.Fatal("not in a process with mounts") }
