// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/pressure"
)

// A child is the program while it runs.
type child struct {
	cmd   *exec.Cmd
	begin time.Time
	err   chan error // one, when it has ended
	stop  func()     // ends the forwarding of signals

	before func() // is called before a signal is passed on

	memory pressure.Memory // when it started
}

// An ending says how the program ended.
type ending struct {
	code   int    // exit code, or that by which a shell reports a signal
	signal string // "killed" and so on; empty if none ended it
	state  *os.ProcessState
	took   time.Duration
	at     time.Time

	starved bool           // meanwhile the kernel killed a process of its control group for want of memory
	limit   pressure.Limit // of its control group, which was reached; zero if none was
}

// cause says why the kernel ended the program, to follow a sentence that says that it did; empty if that is not known.
func (e *ending) cause() string {
	switch {
	case e.limit.Bytes > 0:
		return fmt.Sprintf(": its control group %s had reached its memory limit of %s", e.limit.Group, layout.Bytes(e.limit.Bytes))
	case e.starved:
		return ": meanwhile the kernel killed a process of its control group for want of memory"
	}
	return ""
}

// start starts the program with the streams of the session. Signals are passed on to it; before is called first.
func start(s *session.Session, file string, args []string, dir string, env []string, out, errw io.Writer, in io.Reader, before func()) (*child, error) {
	c := &child{cmd: exec.Command(file, args...), err: make(chan error, 1), before: before}
	c.cmd.Dir, c.cmd.Env, c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = dir, env, in, out, errw
	c.cmd.WaitDelay = 2 * time.Second // for processes that hold a pipe of ours open after the program has ended
	signals := make(chan os.Signal, 16)
	notify(signals)
	own := separate(c.cmd)
	c.memory, _ = pressure.ReadMemory()
	c.begin = time.Now()
	if err := c.cmd.Start(); err != nil {
		signal.Stop(signals)
		return nil, err
	}
	ended := make(chan struct{})
	c.stop = func() { signal.Stop(signals); close(ended) }
	go c.forward(signals, ended, own)
	go func() { c.err <- c.cmd.Wait() }()
	return c, nil
}

// doubled is how long after a signal the same signal counts as the same: GNU timeout sends one to the process and then to its group.
const doubled = 100 * time.Millisecond

// forward passes signals on. Those of the keyboard reach a program directly, unless it has a process group of its own.
func (c *child) forward(signals <-chan os.Signal, ended <-chan struct{}, own bool) {
	latest := map[os.Signal]time.Time{}
	for {
		select {
		case sig := <-signals:
			now := time.Now()
			if now.Sub(latest[sig]) < doubled {
				continue
			}
			latest[sig] = now
			c.before()
			if own || !keyboard(sig) {
				c.cmd.Process.Signal(sig)
			}
		case <-ended:
			return
		}
	}
}

// interrupt does what a Ctrl-C on the terminal of the program does.
func (c *child) interrupt() error {
	c.before()
	return c.cmd.Process.Signal(os.Interrupt)
}

// wait waits for the end of the program.
func (c *child) wait() (ending, error) {
	err := <-c.err
	at := time.Now()
	c.stop()
	state := c.cmd.ProcessState
	if state == nil {
		return ending{}, err
	}
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) && !errors.Is(err, exec.ErrWaitDelay) {
		return ending{}, err
	}
	e := ending{state: state, took: at.Sub(c.begin), at: at}
	if e.code, e.signal = codeOf(state); e.signal == "SIGKILL" {
		now, _ := pressure.ReadMemory()
		e.starved, e.limit = now.Since(c.memory)
	}
	return e, nil
}
