// SPDX-License-Identifier: BSD-3-Clause

// Package session provides what every verb of the command needs: streams, exit codes, interrupts, progress and JSON.
package session

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/internal/plain"
)

// A Session is one run of a verb.
type Session struct {
	Ctx   context.Context // done on an interrupt
	In    io.Reader       // standard input
	Out   io.Writer       // results
	Err   io.Writer       // progress and warnings
	Verb  string          // its name; empty before it is known
	JSON  bool            // print one JSON object on Out and nothing else
	Color bool            // Out is a terminal that wants colours
	Width int             // columns of that terminal; 0 means no limit
}

// Warn writes one line to standard error. Characters that would control a terminal, for example from a file or an argument,
// become blanks.
func (s *Session) Warn(format string, args ...any) {
	name := "strobe"
	if s.Verb != "" {
		name += " " + s.Verb
	}
	text := strings.Map(func(r rune) rune {
		if !plain.Is(r) {
			return ' '
		}
		return r
	}, fmt.Sprintf(format, args...))
	fmt.Fprintf(s.Err, "%s: %s\n", name, text)
}

// Interrupted reports whether the verb was interrupted.
func (s *Session) Interrupted() bool { return s.Ctx.Err() != nil }

// Unread reports whether results are lost because nothing reads them or they cannot be written. A verb that would print
// indefinitely stops then.
func (s *Session) Unread() bool {
	o, ok := s.Out.(*Output)
	return ok && o.Err != nil
}

// Printer returns a printer for results. Print its text when it is complete.
func (s *Session) Printer() *layout.Printer { return &layout.Printer{Color: s.Color, Width: s.Width} }

// Print writes the text of a printer to the results.
func (s *Session) Print(p *layout.Printer) error {
	_, err := s.Out.Write(p.Bytes())
	return err
}

// Progress returns the progress line of s. It shows nothing unless standard error is a terminal, or the environment asks for lines.
func (s *Session) Progress() Progress {
	terminal := IsTerminal(s.Err)
	lines := !terminal && os.Getenv(ProgressLines) == "lines"
	return Progress{s.Err, Width(s.Err), terminal || lines, lines}
}

// steps is the number of parts in which After waits.
const steps = 10

// After calls f in a goroutine of its own when d has passed, unless stop is called before. stop reports whether it was in time.
// After waits in parts, so that a process that was stopped for minutes, for example by Ctrl-Z, or got no processor, still has
// time to receive what arrived meanwhile.
func After(d time.Duration, f func()) (stop func() bool) {
	var mu sync.Mutex
	var timer *time.Timer
	left := steps
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(d/steps, func() {
		mu.Lock()
		left--
		if left > 0 {
			timer.Reset(d / steps)
		}
		due := left == 0
		mu.Unlock()
		if due {
			f()
		}
	})
	return func() bool {
		mu.Lock()
		defer mu.Unlock()
		timer.Stop()
		on := left > 0
		left = 0
		return on
	}
}

// doubled is how long after an interrupt a second one counts as the same. GNU timeout sends a signal to the process and then to
// its group, and a terminal and a script may both send one.
const doubled = time.Second

// Interruptible returns a context that ends on Ctrl-C and on SIGTERM. The program then has time to print its results; a signal
// more than a second later ends it at once.
func Interruptible() context.Context {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() { time.AfterFunc(doubled, stop) })
	return ctx
}
