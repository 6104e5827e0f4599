// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && arm64

package e2e

import (
	"bufio"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/capture"
)

// A group is a control group of version 2.
type group string

// newGroup mounts the control groups and makes one with a controller, until the test ends.
func newGroup(t *testing.T, controller string) group {
	const root = "/sys/fs/cgroup"
	if err := unix.Mount("cgroup2", root, "cgroup2", 0, ""); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Unmount(root, unix.MNT_DETACH) })
	g := group(filepath.Join(root, "short"))
	if err := errors.Join(os.WriteFile(root+"/cgroup.subtree_control", []byte("+"+controller), 0), os.Mkdir(string(g), 0o777)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Remove(string(g)); err != nil {
			t.Error(err)
		}
	})
	return g
}

// confine moves this process into a new group, until the test ends.
func confine(t *testing.T, controller string) group {
	g := newGroup(t, controller)
	if err := g.set("cgroup.procs", fmt.Sprint(os.Getpid())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.WriteFile(filepath.Join(filepath.Dir(string(g)), "cgroup.procs"), []byte(fmt.Sprint(os.Getpid())), 0); err != nil {
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

// watched starts capture, makes requests of which none is slow, and returns their zone and where reports arrive.
func watched(t *testing.T) (request *strobe.Zone, reports chan capture.Report) {
	reports = make(chan capture.Report, 100)
	c := capture.Start(capture.Options{Cost: -1, Budget: 15 * time.Millisecond, Log: slog.New(slog.DiscardHandler), On: func(r capture.Report) { reports <- r }})
	t.Cleanup(c.Stop)
	request = strobe.NewRootZone("request")
	for range 100 {
		s := request.Enter()
		time.Sleep(time.Millisecond)
		s.Exit()
		time.Sleep(10 * time.Millisecond)
	}
	return request, reports
}

// next returns the report of a unit that took so long.
func next(t *testing.T, reports <-chan capture.Report, took time.Duration) capture.Report {
	for late := time.After(20 * time.Second); ; {
		select {
		case r := <-reports:
			if r.Took >= took {
				return r
			}
		case <-late:
			t.Fatal("no report")
		}
	}
}

// compute takes a processor until so much time has passed.
func compute(d time.Duration) (took time.Duration) {
	for began := time.Now(); took < d; took = time.Since(began) {
	}
	return took
}

func TestGroupWithoutQuotaLeftIsNamed(t *testing.T) {
	g := confine(t, "cpu")
	request, reports := watched(t)
	for range 3 {
		if err := g.set("cpu.max", "10000 100000"); err != nil {
			t.Fatal(err)
		}
		s := request.Enter()
		took := compute(150 * time.Millisecond)
		s.Exit()
		if err := g.set("cpu.max", "max"); err != nil {
			t.Fatal(err)
		}
		if r := next(t, reports, took); r.Cause != capture.Throttled {
			t.Errorf("%v\n%+v\n%v", r, r.Account, r.Degrees)
		} else {
			t.Log(r)
		}
	}
}

// frozen is set for the process that another one freezes.
const frozen = "STROBE_FROZEN"

func TestGroupThatIsFrozenIsNamed(t *testing.T) {
	if os.Getenv(frozen) != "" {
		request, reports := watched(t)
		fmt.Println("ready")
		for end := time.Now().Add(6 * time.Second); time.Now().Before(end); {
			s := request.Enter()
			time.Sleep(5 * time.Millisecond)
			compute(5 * time.Millisecond)
			s.Exit()
			select {
			case r := <-reports:
				fmt.Println("report", r.Took.Milliseconds(), r.Cause, r)
			default:
			}
		}
		return
	}
	g := newGroup(t, "cpu")
	child := exec.Command(os.Args[0], "-test.run=^TestGroupThatIsFrozenIsNamed$")
	child.Env = append(os.Environ(), frozen+"=1")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(child.Start(), g.set("cgroup.procs", fmt.Sprint(child.Process.Pid))); err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 1000)
	go func() {
		defer close(said)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			said <- lines.Text()
		}
	}()
	for line := range said {
		if line == "ready" {
			break
		}
	}
	const pause = 100 * time.Millisecond
	for range 6 {
		time.Sleep(400 * time.Millisecond)
		if err := g.set("cgroup.freeze", "1"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(pause)
		if err := g.set("cgroup.freeze", "0"); err != nil {
			t.Fatal(err)
		}
	}
	stopped, others := 0, 0
	for line := range said {
		var took int64
		var cause string
		if n, _ := fmt.Sscanf(line, "report %d %s", &took, &cause); n != 2 || took < pause.Milliseconds() {
			continue
		}
		t.Log(line)
		switch cause {
		case capture.Stopped.String():
			stopped++
		case capture.Unclear.String():
		default:
			others++
		}
	}
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
	if stopped == 0 || others > 0 {
		t.Errorf("of 6 times in which the group was frozen, %d are told as such, and something else is blamed for %d", stopped, others)
	}
}
