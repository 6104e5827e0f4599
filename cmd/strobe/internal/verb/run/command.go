// SPDX-License-Identifier: BSD-3-Clause

// Package run is the verb that runs a program with a zone in each function, and says where its time went.
package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/browser"
	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument"
	"github.com/strobe-go/strobe/cmd/strobe/internal/program"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/profile"
)

// Command has the flags of the verb.
type Command struct {
	Flags
	Words []string `arg:"" passthrough:"" name:"PACKAGE [ARGS]" help:"A main package, or .go files of one, or PATH@VERSION, and the arguments of the program. With -test.bench=. and the like, the package whose tests are run."`

	// View shows the program at a mount point until ctx ends or the user leaves.
	View func(ctx context.Context, s *session.Session, mount string) error `kong:"-"`
	// Page writes a snapshot as a page.
	Page func(w io.Writer, program string, at time.Time, s profile.Snapshot) error `kong:"-"`
}

// Help is the longer part of strobe run --help.
func (Command) Help() string {
	return `
Builds a Go program with a zone in each function that is worth one, runs it, and says
where its time went. The sources, go.mod and go.sum stay as they are, and the streams,
the signals and the exit code are those of the program. Flags come before the package.

  strobe run ./cmd/server -addr :8080   with a live page, and a report
  strobe run --top ./cmd/server         in the terminal
  strobe run --capture slow .           why requests were slow
  strobe run --zones 'net/http...' .    another package's functions
  strobe run --units main.handle .      each call of a function a unit
  strobe run -race -tags x ./cmd/tool   flags of go build
  strobe run ./pkg -test.bench .        benchmarks of a package
  strobe run example.com/tool@latest    a published program, as go run takes it

A function that takes too much time to measure is sampled from then on; the last lines
say which, and by how much measuring slowed the program.
`
}

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	target, args := program.Split(c.Words)
	if strings.HasPrefix(target, "-") {
		return fmt.Errorf("%s is no flag of strobe run or go build (see strobe run --help)", target)
	}
	test := slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(strings.TrimPrefix(a, "-"), "-test.") || strings.HasPrefix(a, "-test.")
	})
	if err := c.check(); err != nil {
		return err
	}
	dir := c.Dir // in which the program runs
	given := target
	target, done, err := c.WithVersion(s, given)
	if err != nil {
		return err
	}
	defer done()
	plan, err := c.Prepare(s, target, test, c.use())
	if err != nil {
		return err
	}
	defer plan.Close()
	if c.List {
		return program.List(s, target, plan, c.All)
	}
	scratch, err := session.TempDir("strobe-program-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	file, err := c.Executable(s, plan, test, scratch)
	if err != nil {
		return err
	}
	if test {
		if dir, err = program.FolderOf(s.Ctx, c.Dir, target); err != nil {
			return err
		}
	}
	if !c.Quiet {
		for _, line := range program.Describe(plan) {
			fmt.Fprintln(s.Err, "strobe:", line)
		}
	}
	return c.execute(s, plan, given, file, args, dir)
}

// use returns whether there is a live page.
func (c *Command) use() program.Use {
	if c.Report || c.HTTP == "off" {
		return program.WithoutPage
	}
	return program.WithPage
}

// check returns an error for flags that contradict each other, and for files that cannot be written.
func (c *Command) check() error {
	if c.Report && (c.Top || c.Open) {
		return errors.New("--report has no live page, which --top and --open need")
	}
	if c.Top && c.Open {
		return errors.New("give --top or --open, not both")
	}
	if c.HTTP == "off" && (c.Top || c.Open) {
		return errors.New("--http=off has no live page, which --top and --open need")
	}
	for _, file := range []string{string(c.Export), c.Output} {
		if file != "" {
			if err := session.CanWrite(file); err != nil {
				return err
			}
		}
	}
	return nil
}

// execute runs the program, and reports.
func (c *Command) execute(s *session.Session, plan *instrument.Plan, given, file string, args []string, dir string) error {
	http := c.HTTP
	if c.use() == program.WithoutPage {
		http = ""
	}
	captures, err := c.captures()
	if err != nil {
		return err
	}
	in, out, errw, show := c.streams(s)
	slow := &slowLog{folder: c.Capture, to: errw, quiet: c.Quiet}
	p, err := listen(http, captures, slow)
	if err != nil {
		return fmt.Errorf("cannot listen for the program: %w", err)
	}
	defer p.on.Close()
	running, err := start(s, file, args, dir, append(os.Environ(), p.variable()), out, errw, in, func() { p.ask(asked) })
	if err != nil {
		return fmt.Errorf("cannot start the program: %w", err)
	}
	url := make(chan string, 1)
	ctx, left := context.WithCancel(context.Background())
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		url <- c.greet(ctx, s, p, show, running.interrupt)
	}()
	end, err := running.wait()
	left()
	<-watched
	show()
	if err != nil {
		return fmt.Errorf("cannot wait for the program: %w", err)
	}
	reading, at, known := p.end()
	x := newReport(given, end, reading, at, known)
	x.slowUnits = slow.end()
	x.url = <-url
	if x.slow.known {
		found := x.costly(plan)
		if kept, err := plan.Note(found); err != nil {
			s.Warn("cannot keep what slowed the program: %v", err)
		} else if kept {
			x.tooCostly = found
		}
	}
	if err := c.tell(s, plan, x, file); err != nil {
		s.Warn("%v", err)
		if end.code == session.Done {
			return session.Exit(session.Unwritten)
		}
	}
	return session.Exit(end.code)
}

// captures makes the folder for captures, and returns its absolute path; "" if none is wanted.
func (c *Command) captures() (string, error) {
	if c.Capture == "" {
		return "", nil
	}
	folder, err := filepath.Abs(c.Capture)
	if err == nil {
		err = os.MkdirAll(folder, 0o700) // as package capture makes it
	}
	if err != nil {
		return "", fmt.Errorf("--capture: %w", err)
	}
	return folder, nil
}

// asked is how long a signal waits for a reading before it is passed on.
const asked = 200 * time.Millisecond

// greet waits for the program to connect, and says or shows where its live page is, until ctx ends. It returns the address. interrupt
// is for a Ctrl-C that the view gets in place of the program.
func (c *Command) greet(ctx context.Context, s *session.Session, p *peer, show func(), interrupt func() error) (url string) {
	select {
	case hello := <-p.hello:
		url = hello.URL
		if hello.Problem != "" {
			s.Warn("no live page: %s; --http gives another address, or off", hello.Problem)
		}
	case <-ctx.Done():
	}
	switch {
	case url == "":
	case c.Top:
		view := *s
		view.Ctx = ctx
		if err := c.View(ctx, &view, url); err != nil && ctx.Err() == nil {
			s.Warn("%v", err)
		}
		show()
		switch {
		case ctx.Err() != nil:
		case view.Interrupted():
			if err := interrupt(); err != nil {
				s.Warn("cannot interrupt the program: %v", err)
			}
		case !c.Quiet:
			fmt.Fprintln(s.Err, "strobe: the program goes on, with a live view at", url)
		}
	default:
		if !c.Quiet {
			fmt.Fprintln(s.Err, "strobe: live view at", url)
		}
		if c.Open {
			if err := browser.Open(url); err != nil {
				s.Warn("cannot open the browser: %v; open %s yourself", err, url)
			}
		}
	}
	return url
}

// tell writes the report and the files.
func (c *Command) tell(s *session.Session, plan *instrument.Plan, x *report, file string) error {
	var failed []error
	if c.Export != "" {
		if x.known {
			failed = append(failed, session.WriteFile(string(c.Export), func(w io.Writer) error { return x.export(w, string(c.Export), file, c.Page) }))
		} else {
			failed = append(failed, fmt.Errorf("%s is not written: %s", c.Export, x.whyNothing()))
		}
	}
	write := func(w io.Writer) error {
		if s.JSON {
			return session.WriteJSON(w, x.object(plan, c.Rows))
		}
		p := s.Printer()
		p.Color, p.Width = s.Color && c.Output == "" && session.IsTerminal(s.Err), 0
		if c.Output == "" {
			p.Width = session.Width(s.Err)
			p.Printf("\n")
		}
		x.text(p, c.Rows)
		_, err := w.Write(p.Bytes())
		return err
	}
	switch {
	case c.Output != "":
		failed = append(failed, session.WriteFile(c.Output, write))
	case s.JSON || !c.Quiet:
		failed = append(failed, write(s.Err))
	}
	return errors.Join(failed...)
}
