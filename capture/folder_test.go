// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// names returns the names of the files in a folder.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// later is made, some time later.
func later(d time.Duration) Report {
	r := made()
	r.At = r.At.Add(d)
	return r
}

func TestAFolderKeepsTheLatestFilesWithinItsLimit(t *testing.T) {
	f := folder{filepath.Join(t.TempDir(), "a", "b"), int64(3*len(written(t, made())) + 1000)}
	for i := range 6 {
		name, err := f.write(later(time.Duration(i) * time.Second))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := parsed(t, string(text)); !got.At.Equal(later(time.Duration(i) * time.Second).At) {
			t.Errorf("%s is of %v", name, got.At)
		}
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
	got := names(t, f.dir)
	if len(got) != 3 || !slices.IsSorted(got) {
		t.Fatalf("%v", got)
	}
	for i, name := range got {
		if want := "strobe-2026010" + "2T03040" + string(rune('8'+i)) + ".678901Z-request-"; i < 2 && !strings.HasPrefix(name, want) {
			t.Errorf("%s does not begin with %s", name, want)
		}
	}
}

func TestAFolderDeletesNothingElse(t *testing.T) {
	dir := t.TempDir()
	foreign := []string{"notes.txt", "strobe-.html", "strobe-20260102T030405.678901Z.html", "strobe-20200102T030405.678901Z-request-abc.txt", "strobe-2020-01-02T030405.6789Z-request.html", ".strobe-x.part"}
	for _, name := range foreign {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 100_000), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "strobe-20200102T030405.678901Z-folder-abc.html"), 0o700); err != nil {
		t.Fatal(err)
	}
	f := folder{dir, int64(len(written(t, made())) + 1000)}
	newer, err := f.write(later(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if name, err := f.write(made()); err == nil {
		t.Errorf("%s was written in place of a newer file", name)
	}
	if _, err := os.Stat(newer); err != nil {
		t.Error("the newer file of another process is gone")
	}
	if _, err := f.write(later(2 * time.Hour)); err != nil {
		t.Error(err)
	}
	if got := names(t, dir); len(got) != len(foreign)+2 {
		t.Errorf("%v", got)
	}
}

func TestWhatAKilledProcessLeftIsDeleted(t *testing.T) {
	dir := t.TempDir()
	f := folder{dir, 1 << 30}
	old := filepath.Join(dir, ".strobe-20200102T030405.678901Z-request-abc.html.part")
	young := filepath.Join(dir, ".strobe-20200102T030406.678901Z-request-abc.html.part")
	for _, name := range []string{old, young} {
		if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(old, time.Time{}, time.Now().Add(-2*stale)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.write(made()); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); len(got) != 2 || got[0] != filepath.Base(young) {
		t.Errorf("%v", got)
	}
}

func TestAFileThatCannotBeWrittenIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (folder{file, 1 << 30}).write(made()); err == nil {
		t.Error("a file is no folder")
	}
	if _, err := (folder{t.TempDir(), 1000}).write(made()); err == nil || !strings.Contains(err.Error(), "DiskBytes") {
		t.Errorf("%v", err)
	}
}

// Writers in one folder stand for processes: they share nothing else.
func TestTwoProcessesUseOneFolder(t *testing.T) {
	dir := t.TempDir()
	most := int64(4 * len(written(t, made())))
	var both sync.WaitGroup
	for k := range 2 {
		both.Add(1)
		go func() {
			defer both.Done()
			for i := range 10 {
				if _, err := (folder{dir, most}).write(later(time.Duration(2*i+k) * time.Second)); err != nil && !strings.Contains(err.Error(), "newer captures") {
					t.Error(err)
				}
			}
		}()
	}
	both.Wait()
	sum := int64(0)
	got := names(t, dir)
	for _, name := range got {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		parsed(t, string(text))
		sum += int64(len(text))
	}
	if file := most / 4; len(got) == 0 || sum > most+file { // both may have seen the same room
		t.Errorf("%d files with %d bytes, the limit is %d", len(got), sum, most)
	}
}

func TestNamesOfFilesAreHarmless(t *testing.T) {
	for root, want := range map[string]string{
		"request": "request", "GET /cart/{id}": "GET-cart-id", "../../etc/passwd": "etc-passwd", "größe 速度": "gr-e", "": "unit", "///": "unit", "a\x00b\nc": "a-b-c",
		"-rf": "rf", strings.Repeat("x", 300): strings.Repeat("x", 40),
	} {
		if got := cleaned(root); got != want {
			t.Errorf("%q became %q, want %q", root, got, want)
		}
	}
}
