// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/strobe-go/strobe/internal/child"
)

func TestOnADiskThatIsFullOrReadOnlyNothingIsLeft(t *testing.T) {
	if !child.WithMounts(t) {
		return
	}
	for _, kind := range []struct {
		name  string
		errno error
		spoil func(testing.TB, string)
	}{{"full", syscall.ENOSPC, child.Fill}, {"read-only", syscall.EROFS, child.Protect}} {
		disk := child.Disk(t, 1<<20)
		old := folder{filepath.Join(disk, "old"), 1 << 30}
		if _, err := old.write(made()); err != nil {
			t.Fatal(err)
		}
		kind.spoil(t, disk)
		before := names(t, old.dir)
		if name, err := old.write(made()); !errors.Is(err, kind.errno) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q, %v", kind.name, name, err)
		}
		if after := names(t, old.dir); !slices.Equal(after, before) {
			t.Errorf("%s: %q, before %q", kind.name, after, before)
		}
		if text, err := os.ReadFile(filepath.Join(old.dir, before[0])); err != nil || len(before) != 1 {
			t.Errorf("%s: %q, %v", kind.name, before, err)
		} else {
			parsed(t, string(text))
		}
		if _, err := (folder{filepath.Join(disk, "new"), 1 << 30}).write(made()); !errors.Is(err, kind.errno) {
			t.Errorf("%s: in a new folder: %v", kind.name, err)
		}
	}
}
