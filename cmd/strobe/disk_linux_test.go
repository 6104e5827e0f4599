// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/strobe-go/strobe/internal/child"
)

// committed makes a repository of two commits in a folder.
func committed(t *testing.T, dir string) string {
	t.Helper()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=A. Name", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	for _, n := range []string{"1000", "2000"} {
		for name, text := range map[string]string{
			"go.mod":      "module example.com/sum\n\ngo 1.24\n",
			"sum_test.go": "package sum\n\nimport \"testing\"\n\nvar s int\n\nfunc BenchmarkSum(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tfor j := range " + n + " {\n\t\t\ts += j\n\t\t}\n\t}\n}\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		git("add", "-A")
		git("commit", "-q", "-m", n)
	}
	return dir
}

// everything lists the files and folders in a folder.
func everything(t *testing.T, dir string) (all []string) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		all = append(all, path)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// What a verb writes, and where it works, may be on a disk that is full, or mounted read-only.
func TestADiskThatIsFullOrReadOnlyIsNamedInOneLine(t *testing.T) {
	for _, tool := range []string{"git", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("makes a repository: ", err)
		}
	}
	if !child.WithMounts(t) {
		return
	}
	self := binary(t)
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	t.Setenv("STROBE_CACHE", t.TempDir())
	elsewhere := committed(t, t.TempDir())
	for _, kind := range []struct {
		name, says string
		spoil      func(testing.TB, string)
	}{{"full", syscall.ENOSPC.Error(), child.Fill}, {"read-only", syscall.EROFS.Error(), child.Protect}} {
		disk := child.Disk(t, 1<<20)
		old := filepath.Join(disk, "old.json")
		if err := errors.Join(os.WriteFile(old, []byte("old"), 0o666), os.WriteFile(filepath.Join(disk, "times.txt"), []byte(strings.Repeat("16.7\n", 200)), 0o666)); err != nil {
			t.Fatal(err)
		}
		repository := filepath.Join(disk, "repository")
		if err := os.Mkdir(repository, 0o777); err != nil {
			t.Fatal(err)
		}
		committed(t, repository)
		kind.spoil(t, disk)
		before := everything(t, disk)
		for _, c := range []struct {
			dir, temp string // of the process; temp may be empty
			args      []string
		}{
			{elsewhere, "", []string{"frames", "--html", disk + "/new.html", disk + "/times.txt"}},
			{elsewhere, "", []string{"bench", "--export", old, "true"}},
			{elsewhere, "", []string{"bench", "--export", disk + "/new.csv", "true"}},
			{elsewhere, "", []string{"probe", "--bundle", old}},
			{elsewhere, "", []string{"trace", "-o", old}},
			{elsewhere, "", []string{"run", "--export", disk + "/new.pb.gz", "."}},
			{elsewhere, "", []string{"run", "--output", old, "."}},
			{elsewhere, "", []string{"gate", "--profile", disk + "/new", "HEAD~1"}},
			{elsewhere, disk, []string{"gate", "HEAD~1"}},
			{elsewhere, disk, []string{"bisect", "HEAD~1..HEAD"}},
			{repository, "", []string{"gate", "HEAD~1"}},
			{repository, "", []string{"bisect", "HEAD~1..HEAD"}},
		} {
			var out, e bytes.Buffer
			cmd := exec.Command(self, c.args...)
			cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.dir, os.Environ(), &out, &e
			if c.temp != "" {
				cmd.Env = append(cmd.Env, "TMPDIR="+c.temp)
			}
			cmd.Run()
			if code, said := cmd.ProcessState.ExitCode(), e.String(); code != 5 || strings.Count(said, "\n") != 1 || !strings.Contains(strings.ToLower(said), kind.says) || out.Len() > 0 {
				t.Errorf("%s disk, strobe %q: exit %d, %q, %.200q", kind.name, c.args, code, said, out.String())
			}
			if after := everything(t, disk); !slices.Equal(after, before) {
				fresh := slices.DeleteFunc(after, func(name string) bool { return slices.Contains(before, name) })
				t.Errorf("%s disk, strobe %q leaves %q, or deletes a file", kind.name, c.args, fresh)
				before = everything(t, disk)
			}
		}
		if text, err := os.ReadFile(old); string(text) != "old" {
			t.Errorf("%s disk: %q, %v", kind.name, text, err)
		}
		shows(t, self, disk)
	}
}

// shows checks that strobe open needs no place to write.
func shows(t *testing.T, self, disk string) {
	t.Helper()
	cmd := exec.Command(self, "open", "--no-browser", "times.txt")
	cmd.Dir, cmd.Env = disk, append(os.Environ(), "TMPDIR="+disk)
	var e bytes.Buffer
	cmd.Stderr = &e
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); err != nil || !strings.Contains(line, "frame times") || code != 130 || e.Len() > 0 {
		t.Errorf("open: %q, %v, exit %d, %q", line, err, code, e.String())
	}
}
