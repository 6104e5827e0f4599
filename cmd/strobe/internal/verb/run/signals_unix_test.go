// SPDX-License-Identifier: BSD-3-Clause

//go:build unix && !aix

package run

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// signalled starts the program, sends the signals as if they had come from the system, and returns how it ended.
func signalled(t *testing.T, mode string, signals ...os.Signal) (ending, *peer) {
	t.Helper()
	p, err := listen("")
	if err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	c := &child{cmd: exec.Command(made(t), mode), err: make(chan error, 1), stop: func() {}}
	c.cmd.Env, c.cmd.Stdout = append(os.Environ(), p.variable()), w
	separate(c.cmd)
	c.begin = time.Now()
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.cmd.Process.Kill() })
	go func() { c.err <- c.cmd.Wait() }()
	<-p.hello
	if line, err := bufio.NewReader(r).ReadString('\n'); line != "ready\n" {
		t.Fatal(line, err)
	}
	passed, ended := make(chan os.Signal), make(chan struct{})
	go c.forward(passed, ended, true, func() { p.ask(10 * time.Second) })
	for _, sig := range signals {
		passed <- sig
	}
	e, err := c.wait()
	close(ended)
	if err != nil {
		t.Fatal(err)
	}
	return e, p
}

func TestASignalReachesTheProgramWhichMayTakeItsTime(t *testing.T) {
	e, p := signalled(t, "handled", syscall.SIGTERM, syscall.SIGTERM)
	r, at, known := p.end()
	if x := newReport(".", e, r, at, known); e.code != 7 || e.signal != "" || !r.Last || x.missing != 0 {
		t.Errorf("%+v, last %v, missing %v", e, r.Last, x.missing)
	}
	if i, ok := r.Snapshot.Zone("main.work"); !ok || r.Snapshot.Totals()[i].Calls != 101 {
		t.Errorf("%+v", r.Snapshot.Totals())
	}
}

func TestASignalThatKillsIsReportedAsAShellDoes(t *testing.T) {
	e, p := signalled(t, "wait", syscall.SIGTERM)
	r, at, known := p.end()
	x := newReport(".", e, r, at, known)
	if e.code != 143 || e.signal != "SIGTERM" || r.Last || !known || x.missing <= 0 {
		t.Errorf("%+v, known %v, last %v, missing %v", e, known, r.Last, x.missing)
	}
	if i, ok := r.Snapshot.Zone("main.work"); !ok || r.Snapshot.Totals()[i].Calls != 100 { // a reading was made before the signal was passed on
		t.Errorf("%+v", r.Snapshot.Totals())
	}
	if said := strings.Join(x.sentences(), "\n"); !strings.Contains(said, "before the end, since SIGTERM ended the program") {
		t.Error(said)
	}
}

func TestAKilledProgramIsReported(t *testing.T) {
	e, _ := signalled(t, "wait", syscall.SIGKILL)
	if e.code != 137 || e.signal != "SIGKILL" {
		t.Errorf("%+v", e)
	}
	if session.Exit(e.code).Error() != "exit code 137" {
		t.Error(session.Exit(e.code))
	}
}
