// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/strobe-go/strobe/internal/child"
)

// The plan is then in a temporary folder, and says so.
func TestAProgramGetsZonesWhereTheCacheCannotBeWritten(t *testing.T) {
	if !child.WithMounts(t) {
		return
	}
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
	r := Request{Dir: t.TempDir()}
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.24\n", "main.go": "package main\n\nfunc main() { println(1) }\n"} {
		if err := write(filepath.Join(r.Dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, kind := range []struct {
		says  string
		spoil func(testing.TB, string)
	}{{syscall.ENOSPC.Error(), child.Fill}, {syscall.EROFS.Error(), child.Protect}} {
		disk := child.Disk(t, 1<<16)
		t.Setenv("XDG_CACHE_HOME", disk)
		if err := os.MkdirAll(filepath.Join(disk, "strobe", "run"), 0o777); err != nil {
			t.Fatal(err)
		}
		kind.spoil(t, disk)
		s, err := openStore()
		if err != nil {
			t.Fatal(err)
		}
		if os.RemoveAll(s.base); strings.HasPrefix(s.base, disk) || !strings.HasPrefix(s.unkept, disk) || !strings.HasSuffix(s.unkept, kind.says) {
			t.Errorf("%s: %+v", kind.says, s)
		}
		t.Setenv("TMPDIR", disk)
		_, err = Prepare(t.Context(), r)
		if err == nil || strings.Count(err.Error(), kind.says) != 2 || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "TMPDIR") {
			t.Errorf("without a temporary folder: %v", err)
		}
		os.Unsetenv("TMPDIR")
	}
	disk := child.Disk(t, 1<<17) // which fills up while the plan is written
	t.Setenv("XDG_CACHE_HOME", disk)
	p, err := Prepare(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Zones) == 0 || strings.HasPrefix(p.dir, disk) || !strings.HasPrefix(p.Unkept, disk) || !strings.HasSuffix(p.Unkept, syscall.ENOSPC.Error()) {
		t.Errorf("%d zones in %s: %q", len(p.Zones), p.dir, p.Unkept)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(p.dir); err == nil {
		t.Errorf("%s is left", p.dir)
	}
}
