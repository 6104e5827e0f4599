// SPDX-License-Identifier: BSD-3-Clause

package child

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestADiskFillsUpAndCanBeProtected(t *testing.T) {
	if !WithMounts(t) {
		return
	}
	dir := Disk(t, 1<<16)
	name := filepath.Join(dir, "file")
	if err := os.WriteFile(name, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	Fill(t, dir)
	second := filepath.Join(dir, "second")
	if err := os.WriteFile(second, []byte("x"), 0o666); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("written to a full disk: %v", err)
	}
	Protect(t, dir)
	if err := os.Remove(name); !errors.Is(err, unix.EROFS) {
		t.Errorf("removed from a protected disk: %v", err)
	}
	if text, err := os.ReadFile(name); string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
}
