// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package probe

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/child"
)

// The limit on the size of files holds for the log that go test keeps, too.
func TestABundleOnAFullDiskLeavesWhatWasThere(t *testing.T) {
	if !child.Process(t) {
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	dir := t.TempDir()
	name := filepath.Join(dir, "machine.json")
	if err := os.WriteFile(name, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	b, s := somewhere().bundle(false, time.Now()), &session.Session{Out: new(bytes.Buffer)}
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	small := was
	small.Cur = 1000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Fatal(err)
	}
	err := b.keep(s, name, nil)
	if again := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); again != nil {
		t.Fatal(again)
	}
	text, _ := os.ReadFile(name)
	left, _ := os.ReadDir(dir)
	if session.CodeOf(err) != session.Unwritten || string(text) != "before" || len(left) != 1 {
		t.Errorf("%v, %q, %v", err, text, left)
	}
	if _, err := os.Stat("/dev/full"); errors.Is(err, fs.ErrNotExist) {
		t.Log("no /dev/full here")
	} else if err := b.keep(s, "/dev/full", nil); session.CodeOf(err) != session.Unwritten || !strings.Contains(err.Error(), "no space left") {
		t.Error(err)
	}
}

func TestABundleInAReadOnlyFolderIsRefusedBeforeTheSurvey(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "machine.json")
	if os.Geteuid() == 0 { // whom modes do not stop
		if name = "/proc/machine.json"; !exists("/proc") {
			t.Skip("root may write to every folder here")
		}
	}
	if out, errout, code := strobe(t, "probe", "--bundle", name); code != session.Unwritten || out != "" || strings.Count(errout, "\n") != 1 || !strings.Contains(errout, name) {
		t.Errorf("exit %d, %q, %q", code, out, errout)
	}
}

func exists(name string) bool { _, err := os.Stat(name); return err == nil }
