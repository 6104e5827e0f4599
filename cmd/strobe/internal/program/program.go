// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// Split divides the words after the flags: a package, or the .go files of one, and the arguments of the program.
func Split(words []string) (target string, args []string) {
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	n := 0
	for n < len(words) && strings.HasSuffix(words[n], ".go") {
		n++
	}
	n = min(max(n, 1), len(words))
	return strings.Join(words[:n], " "), words[n:]
}

// A Use is what a program is built for.
type Use int

// Uses of a program.
const (
	Kept        Use = iota // others run it, later
	WithPage               // it is run now, and serves the live page
	WithoutPage            // it is run now, and serves no page
)

// Prepare chooses the functions that get zones. A program that is only to be run is built without the revision of its sources, and
// without what only debuggers need, as go run builds it.
func (f *Flags) Prepare(s *session.Session, target string, test bool, use Use) (*instrument.Plan, error) {
	defer waiting(s, "choosing the functions of "+target)()
	goflags := goflagsOf(s.Ctx, f.Dir)
	linker, tags := "", []string{endTag}
	if use != Kept {
		linker = noDebug
	}
	if use == WithoutPage && os.Getenv("STROBE_HTTP") == "" {
		tags = append(tags, noPageTag)
	}
	flags := withTags(f.Go, goflags, tags, linker)
	if use != Kept && !strings.Contains(goflags+strings.Join(f.Go, " "), "-buildvcs") {
		flags = append(flags, "-buildvcs=false")
	}
	plan, err := instrument.Prepare(s.Ctx, instrument.Request{Dir: f.Dir, Package: target, Test: test, Flags: flags, Zones: f.Zones, Skip: f.Skip, Units: f.Units, Closures: f.Closures, Attach: true, Costly: f.Costly})
	if s.Interrupted() {
		return nil, s.Ctx.Err()
	}
	return plan, err
}

// Build builds the program to a file, or to a folder with a slash at its end. What the go command prints is printed as it is. An
// error is its exit code.
func (f *Flags) Build(s *session.Session, plan *instrument.Plan, test bool, to string) error {
	_, err := f.build(s, plan, test, to)
	return err
}

// build is Build. full reports whether the go command said that there was no room.
func (f *Flags) build(s *session.Session, plan *instrument.Plan, test bool, to string) (full bool, err error) {
	defer waiting(s, "building "+strings.Join(plan.Targets, " "))()
	args := append(append([]string{"build"}, plan.Args...), "-o", to, "--")
	if test { // go test would take what follows -- for arguments of the tests, and the package of the current folder
		args = append(append([]string{"test", "-c"}, plan.Args...), "-o", to)
	}
	args = append(args, plan.Targets...)
	cmd := exec.CommandContext(s.Ctx, "go", args...)
	said := &listener{to: s.Err}
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = f.Dir, append(os.Environ(), plan.Env...), said, said
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // where that is not possible, it is killed later
	cmd.WaitDelay = 5 * time.Second
	err = cmd.Run()
	var failed *exec.ExitError
	switch {
	case s.Interrupted():
		return false, s.Ctx.Err()
	case errors.As(err, &failed):
		return said.full, session.Exit(max(1, failed.ExitCode()))
	case err != nil:
		return false, fmt.Errorf("cannot run the go command: %w", err)
	}
	return false, nil
}

// A listener passes on what the go command says.
type listener struct {
	to   io.Writer
	full bool // there was no room
}

// Write implements io.Writer. The go command writes a line as a whole.
func (l *listener) Write(p []byte) (int, error) {
	l.full = l.full || bytes.Contains(p, []byte(syscall.ENOSPC.Error()))
	return l.to.Write(p)
}

// Executable builds the program, or takes the one that was built before if nothing has changed since, and returns its file in a
// folder. An error is as that of Build.
func (f *Flags) Executable(s *session.Session, plan *instrument.Plan, test bool, dir string) (string, error) {
	if !plan.IsBuilt() {
		full, err := f.build(s, plan, test, plan.Folder()+string(filepath.Separator))
		switch {
		case full: // and here there may be room
			s.Warn("no room for the program in %s; building it in %s", plan.Folder(), dir)
			os.RemoveAll(plan.Folder())
			if err := f.Build(s, plan, test, dir+string(filepath.Separator)); err != nil {
				return "", err
			}
			return only(dir)
		case err != nil:
			return "", err
		}
		plan.Built()
	}
	if built, err := only(plan.Folder()); err == nil {
		file := filepath.Join(dir, filepath.Base(built))
		if os.Link(built, file) == nil || copyProgram(built, file) == nil {
			return file, nil
		}
	}
	if err := f.Build(s, plan, test, dir+string(filepath.Separator)); err != nil { // the folder of the plan was removed meanwhile
		return "", err
	}
	return only(dir)
}

// only returns the file in a folder.
func only(dir string) (string, error) {
	all, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if len(all) != 1 {
		return "", errors.New("the go command built no program: give a main package, or a package and -test.run=NAME or another flag of its tests")
	}
	return filepath.Join(dir, all[0].Name()), nil
}

// copyProgram copies a program to another file system.
func copyProgram(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o777)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		os.Remove(to)
	}
	return err
}

// FolderOf returns the folder of a package, in which its tests run.
func FolderOf(ctx context.Context, dir, target string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-find", "-f={{.Dir}}", "--", target)
	cmd.Dir = dir
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("cannot find the folder of %s: go list: %w", target, err)
	}
	return strings.TrimSpace(string(text)), nil
}

// waiting shows on a terminal what is being done, once it has taken a second, until done is called.
func waiting(s *session.Session, what string) (done func()) {
	progress := s.Progress()
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		ticks := time.NewTicker(time.Second)
		defer ticks.Stop()
		for n := 1; ; n++ {
			select {
			case <-ticks.C:
				progress.Show("strobe: %s, %d s", what, n)
			case <-ended:
				if n > 1 {
					progress.Clear()
				}
				return
			}
		}
	}()
	return func() { close(ended); <-stopped }
}
