// SPDX-License-Identifier: BSD-3-Clause

//go:build unix && !aix

package run

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// signalled starts the program, sends the signals as if they had come from the system, and returns how it ended.
func signalled(t *testing.T, mode string, signals ...os.Signal) (ending, *peer) {
	t.Helper()
	p, err := listen("", "", new(slowLog))
	if err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	c := &child{cmd: exec.Command(made(t), mode), err: make(chan error, 1), stop: func() {}, before: func() { p.ask(10 * time.Second) }}
	c.cmd.Env, c.cmd.Stdout = append(os.Environ(), p.variable()), w
	separate(c.cmd)
	c.begin = time.Now()
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.cmd.Process.Kill() })
	go func() { c.err <- c.cmd.Wait() }()
	<-p.hello
	out := bufio.NewReader(r)
	if line, err := out.ReadString('\n'); line != "ready\n" {
		t.Fatal(line, err)
	}
	passed, ended := make(chan os.Signal), make(chan struct{})
	go c.forward(passed, ended, true)
	for i, sig := range signals {
		if i > 0 && sig == os.Interrupt {
			if line, err := out.ReadString('\n'); line != "closing\n" { // it has taken the first one
				t.Fatal(line, err)
			}
			time.Sleep(doubled)
		}
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

// In the foreground of a terminal the program gets the signals of the keyboard itself, and the verb only asks for a reading.
func TestTheKeyboardReachesAProgramInTheForeground(t *testing.T) {
	asked := make(chan bool)
	c := &child{before: func() { asked <- true }} // no process to send a signal to
	signals, ended := make(chan os.Signal), make(chan struct{})
	defer close(ended)
	go c.forward(signals, ended, false)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGQUIT} {
		signals <- sig
		<-asked
	}
}

// A program that takes its time after the first Ctrl-C dies of the second.
func TestASecondInterruptReachesTheProgram(t *testing.T) {
	e, p := signalled(t, "stubborn", os.Interrupt, os.Interrupt)
	r, at, known := p.end()
	if x := newReport(".", e, r, at, known); e.code != 130 || e.signal != "SIGINT" || !known || x.missing <= 0 {
		t.Errorf("%+v, known %v, missing %v", e, known, x.missing)
	}
}

func TestAKilledProgramIsReported(t *testing.T) {
	e, p := signalled(t, "wait", syscall.SIGKILL)
	r, at, known := p.end()
	if x := newReport(".", e, r, at, known); e.code != 137 || e.signal != "SIGKILL" || !known || r.Last || x.missing <= 0 {
		t.Errorf("%+v, known %v, last %v, missing %v", e, known, r.Last, x.missing)
	}
	if i, ok := r.Snapshot.Zone("main.work"); !ok || r.Snapshot.Totals()[i].Calls != 100 { // the first function of the report on a quiet machine
		t.Errorf("%+v", r.Snapshot.Totals())
	}
	if session.Exit(e.code).Error() != "exit code 137" {
		t.Error(session.Exit(e.code))
	}
}

// A program may close what it does not know: then the report has the latest reading.
func TestAProgramThatClosesTheConnectionRunsOn(t *testing.T) {
	errout, code := executeRead(t, true, "sockets", `"calls": 100`)
	if calls, o := callsOf(t, errout, "main.work"); code != 0 || calls != 100 || o.Missing <= 0 {
		t.Errorf("exit code %d, %d calls, missing %d: %s", code, calls, o.Missing, errout)
	}
}

func TestAProgramMayDropItsPrivileges(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can drop privileges")
	}
	out, errout, code := execute(t, new(Command), "", true, "unprivileged")
	if calls, o := callsOf(t, errout, "main.work"); code != 0 || out != "65534\n" || calls != 101 || o.Missing != 0 {
		t.Errorf("exit code %d, %q, %d calls: %s", code, out, calls, errout)
	}
}

// What a program leaves behind is not waited for, though it may hold a pipe, and is not measured.
func TestADaemonThatAProgramLeavesIsNotWaitedFor(t *testing.T) {
	out, errout, code := execute(t, new(Command), "", true, "daemon")
	daemon, err := strconv.Atoi(strings.Fields(strings.ReplaceAll(out, "ready", ""))[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(daemon, syscall.SIGKILL); err != nil {
		t.Errorf("%d has ended: %v", daemon, err)
	}
	if calls, _ := callsOf(t, errout, "main.work"); code != 0 || calls != 100 {
		t.Errorf("exit code %d, %d calls", code, calls)
	}
}
