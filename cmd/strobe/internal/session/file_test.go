// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/child"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func TestAFileIsWrittenWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "result")
	read := func() string {
		b, _ := os.ReadFile(name)
		return string(b)
	}
	if err := WriteFile(name, text("first")); err != nil || read() != "first" {
		t.Fatalf("%v, %q", err, read())
	}
	if err := os.Chmod(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(name, text("second")); err != nil || read() != "second" {
		t.Errorf("%v, %q", err, read())
	}
	if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: the mode changed", info.Mode(), err)
	}
	err := WriteFile(name, func(w io.Writer) error {
		io.WriteString(w, "half")
		return errors.New("no more")
	})
	if CodeOf(err) != Unwritten || !strings.Contains(err.Error(), "no more") || read() != "second" {
		t.Errorf("%v, %q", err, read())
	}
	if all, _ := os.ReadDir(dir); len(all) != 1 {
		t.Errorf("%v is left", all)
	}
}

// killedFile is the variable with the name of the file during whose writing a process kills itself.
const killedFile = "STROBE_KILLED_FILE"

func TestAProcessThatIsKilledWhileItWritesLeavesTheFileThatWasThere(t *testing.T) {
	if name := os.Getenv(killedFile); name != "" {
		WriteFile(name, func(w io.Writer) error {
			io.WriteString(w, strings.Repeat("half", 1<<18)) // more than is buffered
			self, err := os.FindProcess(os.Getpid())
			if err == nil {
				err = self.Kill()
			}
			time.Sleep(time.Minute)
			return err
		})
		return
	}
	for _, before := range []string{"before", ""} {
		name := filepath.Join(t.TempDir(), "result")
		if before != "" {
			if err := os.WriteFile(name, []byte(before), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		cmd := child.Command("-test.run=^" + t.Name() + "$")
		cmd.Env = append(os.Environ(), killedFile+"="+name)
		err := cmd.Run()
		if child.SkipIfNotStarted(t, err); err == nil {
			t.Error("the process was not killed")
		}
		if b, err := os.ReadFile(name); string(b) != before || (err == nil) != (before != "") {
			t.Errorf("the file has %d bytes, want %q: %v", len(b), before, err)
		}
	}
}

func TestAPrivateFileIsReadByItsOwnerAlone(t *testing.T) {
	name := filepath.Join(t.TempDir(), "result")
	for _, before := range []func() error{func() error { return nil }, func() error { return os.Chmod(name, 0o666) }} {
		if err := errors.Join(before(), WritePrivate(name, text("first"))); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
}

func TestALinkStaysALink(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(name, []byte("old"), 0o666), os.Symlink(name, link)); err != nil {
		t.Skip(err)
	}
	if err := WriteFile(link, text("new")); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(name); string(b) != "new" {
		t.Errorf("the file has %q", b)
	}
	if info, _ := os.Lstat(link); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is a file now")
	}
}

func TestWhatCannotBeWrittenIsKnownBeforehand(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{filepath.Join(dir, "no", "file"): "its folder does not exist", dir: "it is a directory"} {
		if err := CanWrite(name); err == nil || !strings.Contains(err.Error(), want) || CodeOf(err) != Unwritten {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if info, err := os.Stat("/proc"); err == nil && info.IsDir() {
		if err := CanWrite("/proc/x.json"); err == nil || strings.Contains(err.Error(), "does not exist") || CodeOf(err) != Unwritten {
			t.Errorf("a folder that takes no files: %v", err)
		}
	}
	if err := CanWrite(filepath.Join(dir, "file")); err != nil {
		t.Error(err)
	}
	if all, _ := os.ReadDir(dir); len(all) != 0 {
		t.Errorf("%v was made", all)
	}
}
