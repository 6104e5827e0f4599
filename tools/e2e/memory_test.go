// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && arm64

package e2e

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/capture"
)

// A group is a control group of version 2, which this process is in.
type group string

// confine mounts the control groups and moves this process into a new one, until the test ends.
func confine(t *testing.T) group {
	const root = "/sys/fs/cgroup"
	if err := unix.Mount("cgroup2", root, "cgroup2", 0, ""); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Unmount(root, unix.MNT_DETACH) })
	g := group(filepath.Join(root, "short"))
	err := errors.Join(os.WriteFile(root+"/cgroup.subtree_control", []byte("+memory"), 0), os.Mkdir(string(g), 0o777), g.set("cgroup.procs", fmt.Sprint(os.Getpid())))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(os.WriteFile(root+"/cgroup.procs", []byte(fmt.Sprint(os.Getpid())), 0), os.Remove(string(g))); err != nil {
			t.Error(err)
		}
	})
	return g
}

func (g group) set(file, value string) error {
	return os.WriteFile(filepath.Join(string(g), file), []byte(value), 0)
}

// number reads a file that begins with a number.
func (g group) number(t *testing.T, file string) int64 {
	text, err := os.ReadFile(filepath.Join(string(g), file))
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A program that reaches memory.high is not killed: the kernel lets it wait whenever it needs more.
func TestMemoryThatAGroupWaitsForIsNamed(t *testing.T) {
	g := confine(t)
	reports := make(chan capture.Report, 100)
	c := capture.Start(capture.Options{Cost: -1, Budget: 15 * time.Millisecond, Log: slog.New(slog.DiscardHandler), On: func(r capture.Report) { reports <- r }})
	defer c.Stop()
	request := strobe.NewRootZone("request")
	for range 100 {
		s := request.Enter()
		time.Sleep(time.Millisecond)
		s.Exit()
		time.Sleep(10 * time.Millisecond)
	}
	memory, err := unix.Mmap(-1, 0, 128<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	use := func(from, to int, d time.Duration) (took time.Duration) {
		began := time.Now()
		for i := from; i < to && took < d; i += os.Getpagesize() {
			memory[i] = 1
			took = time.Since(began)
		}
		return took
	}
	use(0, 96<<20, time.Minute) // the more there is, the less the kernel minds a page more
	if err := g.set("memory.high", fmt.Sprint(g.number(t, "memory.current"))); err != nil {
		t.Fatal(err)
	}
	s := request.Enter()
	took := use(96<<20, len(memory), 100*time.Millisecond)
	s.Exit()
	defer func() {
		if err := errors.Join(g.set("memory.high", "max"), unix.Munmap(memory)); err != nil {
			t.Error(err)
		}
	}()
	t.Logf("waited for memory for %v", took)
	for late := time.After(20 * time.Second); ; {
		select {
		case r := <-reports:
			if r.Took < took {
				continue
			}
			if r.Cause != capture.Paging || !strings.HasPrefix(r.Next, "raise memory.high of the control group, or use less: nearly all of its ") {
				t.Errorf("%v; %s\n%+v\n%v", r, r.Next, r.Account, r.Degrees)
			}
			t.Logf("%v; %s", r, r.Next)
			return
		case <-late:
			t.Fatal("no report")
		}
	}
}
