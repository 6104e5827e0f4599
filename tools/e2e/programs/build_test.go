// SPDX-License-Identifier: BSD-3-Clause

package programs

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A built is a program in three forms: as it is, with zones, and with counters of the compiler.
type built struct {
	program
	tree                   string   // a folder in which the module is where the program runs
	dir                    string   // a copy of the module
	plain, zones, counting string   // executables
	strobe                 string   // the command
	env                    []string // of the go command and of strobe
	said                   string   // what strobe build said
	display                string   // where it shows what it draws
	prepared               string   // a folder as its script leaves it; "" if it has none
}

// build builds the forms of a program.
func build(t *testing.T, p program, strobe string) *built {
	t.Helper()
	dir := t.TempDir()
	b := &built{program: p, strobe: strobe, tree: filepath.Join(dir, "tree"), plain: filepath.Join(dir, "plain"), zones: filepath.Join(dir, "zones"), counting: filepath.Join(dir, "counting")}
	b.dir = filepath.Join(b.tree, p.in)
	b.env = []string{"GOWORK=off", "GOFLAGS=-buildvcs=false", "XDG_CACHE_HOME=" + filepath.Join(dir, "cache")} // where strobe keeps what it learns
	caches, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, folder := range strings.Fields(string(caches)) {
		b.env = append(b.env, []string{"GOCACHE=", "GOMODCACHE="}[i]+folder)
	}
	if p.shows {
		b.display = display(t)
	}
	var module struct{ Dir, Error string }
	out, err := exec.Command("go", "mod", "download", "-json", p.module).Output() // an error is in what it prints
	if json.Unmarshal(out, &module); err != nil || module.Error != "" {
		t.Fatalf("%s: %v: %s", p.module, err, module.Error)
	}
	if err := os.CopyFS(b.dir, writable{os.DirFS(module.Dir)}); err != nil {
		t.Fatal(err)
	}
	before := contents(t, b.dir)
	b.command(t, "go", "build", "-ldflags=-w", "-o", b.plain, p.main)
	b.said = b.command(t, strobe, "build", "-ldflags=-w", "-o", b.zones, p.main)
	b.command(t, "go", "build", "-ldflags=-w", "-cover", "-covermode=atomic", "-o", b.counting, p.main)
	if after := contents(t, b.dir); !slices.Equal(before, after) {
		t.Errorf("strobe build changed the module: %s", difference(before, after))
	}
	b.prepare(t)
	return b
}

// prepare runs the script of the program.
func (b *built) prepare(t *testing.T) {
	t.Helper()
	if b.setup == "" {
		return
	}
	b.prepared = t.TempDir()
	cmd := exec.Command("sh", "-c", b.setup)
	cmd.Dir, cmd.Env = b.prepared, append(os.Environ(), "HOME="+b.prepared)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
}

// command runs a command in the module and returns what it says.
func (b *built) command(t *testing.T, words ...string) string {
	t.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), b.env...)
	said, err := cmd.CombinedOutput()
	if err != nil {
		remedy := ""
		if bytes.Contains(said, []byte("X11/")) {
			remedy = "\nOn Debian its headers are in libgl1-mesa-dev libxcursor-dev libxi-dev libxinerama-dev libxrandr-dev libxxf86vm-dev"
		}
		t.Fatalf("%s: %s: %v\n%s%s", b.name, strings.Join(words, " "), err, said, remedy)
	}
	return string(said)
}

// A ran is what a run did.
type ran struct {
	did []string // what it printed, its exit code, and the files that it left
	cpu time.Duration
}

// run runs an executable in a new folder.
func (b *built) run(t *testing.T, executable string, env ...string) ran {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "work")
	b.fill(t, dir)
	// Each has as many variables, which programs may count.
	cmd, did := b.execute(t, dir, append([]string{"HOME=" + dir, "GOCOVERDIR=" + t.TempDir()}, env...), append([]string{executable}, b.args...)...)
	return ran{append(did, contents(t, dir, b.ignore...)...), cmd.UserTime() + cmd.SystemTime()}
}

// fill writes the files that the program reads to a folder.
func (b *built) fill(t *testing.T, dir string) {
	t.Helper()
	for name, text := range b.files {
		if err := write(filepath.Join(dir, name), text); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if b.prepared != "" {
		if err := os.CopyFS(dir, os.DirFS(b.prepared)); err != nil {
			t.Fatal(err)
		}
	}
}

// execute runs a command that is the program, or runs it, and returns what it answered and printed, without what differs from run to run.
func (b *built) execute(t *testing.T, dir string, env []string, words ...string) (ended *os.ProcessState, did []string) {
	t.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = filepath.Join(dir, b.in)
	cmd.Env = append(append(os.Environ(), "GOMAXPROCS=2"), env...)
	if b.shows {
		cmd.Env = append(cmd.Env, "DISPLAY="+b.display, "LIBGL_ALWAYS_SOFTWARE=1")
	}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	var answers []string
	var err error
	if b.use == nil {
		err = cmd.Run()
	} else {
		answers, err = b.serve(t, cmd)
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != b.exit {
		t.Errorf("%s: exit code %d, want %d, so that it has done something: %.1000s%.1000s", b.name, code, b.exit, out.String(), said.String())
	}
	did = append(answers, fmt.Sprint("exit ", cmd.ProcessState.ExitCode()))
	for _, text := range []string{out.String(), said.String()} {
		for _, re := range b.blank {
			with := "..."
			if strings.HasSuffix(re, `\n`) { // a line that may be elsewhere
				with = ""
			}
			text = regexp.MustCompile(re).ReplaceAllString(text, with)
		}
		did = append(did, strings.Split(strings.ReplaceAll(text, dir, "DIR"), "\n")...)
	}
	return cmd.ProcessState, did
}

// serve starts a server, uses it and interrupts it.
func (b *built) serve(t *testing.T, cmd *exec.Cmd) ([]string, error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	cmd.Env = append(cmd.Env, "ADDRESS="+address)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			break
		}
		if err := cmd.Process.Signal(syscall.Signal(0)); err != nil {
			t.Fatalf("%s ended before it listened: %s", b.name, cmd.Stderr)
		}
		time.Sleep(10 * time.Millisecond)
	}
	answers := b.use(t, address)
	cmd.Process.Signal(os.Interrupt)
	return answers, cmd.Wait()
}

// display starts a display without a screen for a test, and returns its name.
func display(t *testing.T) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1024x768x24", "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{w}
	if err := x.Start(); err != nil {
		t.Fatalf("Xvfb does not start: %v; on Debian it is in the package xvfb", err)
	}
	t.Cleanup(func() {
		x.Process.Kill()
		x.Wait()
	})
	w.Close()
	var number int
	if _, err := fmt.Fscan(r, &number); err != nil {
		t.Fatalf("Xvfb says no number: %v", err)
	}
	return fmt.Sprint(":", number)
}

// contents returns the files of a folder with a sum of each.
func contents(t *testing.T, dir string, ignore ...string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		relative, _ := filepath.Rel(dir, path)
		for _, prefix := range ignore {
			if strings.HasPrefix(relative, prefix) {
				return nil
			}
		}
		text, err := os.ReadFile(path)
		all = append(all, fmt.Sprintf("%s %x", relative, sha256.Sum256(text)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// difference returns the first lines that differ.
func difference(a, b []string) string {
	for i := range max(len(a), len(b)) {
		at := func(s []string) string {
			if i < len(s) {
				return s[i]
			}
			return "nothing"
		}
		if at(a) != at(b) {
			return fmt.Sprintf("line %d: %.200q and %.200q", i+1, at(a), at(b))
		}
	}
	return "none"
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

// A writable is a file system whose files may be changed in a copy.
type writable struct{ fs.FS }

func (w writable) Open(name string) (fs.File, error) {
	f, err := w.FS.Open(name)
	return writableFile{f}, err
}

type writableFile struct{ fs.File }

func (f writableFile) Stat() (fs.FileInfo, error) {
	i, err := f.File.Stat()
	return writableInfo{i}, err
}

func (f writableFile) ReadDir(n int) ([]fs.DirEntry, error) {
	return f.File.(fs.ReadDirFile).ReadDir(n)
}

type writableInfo struct{ fs.FileInfo }

func (i writableInfo) Mode() fs.FileMode { return i.FileInfo.Mode() | 0o200 }
