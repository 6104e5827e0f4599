// SPDX-License-Identifier: BSD-3-Clause

package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

const (
	beat     = time.Second      // between two messages of progress
	patience = 10 * time.Second // for a process that was asked to end, in which it removes what it made
)

// A runner runs verbs, each in a process of its own.
type runner struct {
	ctx     context.Context // ends all of them
	self    string          // the command
	running sync.WaitGroup
}

// A child is a verb to run.
type child struct {
	verb     string
	args     []string
	dir      string
	progress func(seconds float64, text string) // may be nil

	program bool          // the verb runs a program, whose streams and exit code are its own, and writes a report to a file
	length  time.Duration // after which it is interrupted; 0 is never
}

// run runs a verb to its end, or until ctx ends. The error is for the user of the tool.
func (r *runner) run(ctx context.Context, c child) (*sdk.CallToolResult, error) {
	r.running.Add(1)
	defer r.running.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(r.ctx, cancel)()
	if info, err := os.Stat(c.dir); c.dir != "" && (err != nil || !info.IsDir()) {
		return nil, fmt.Errorf("strobe %s: dir: %q is not a folder", c.verb, c.dir)
	}
	own, report := c.args, ""
	if c.program {
		dir, err := os.MkdirTemp("", "strobe-report-")
		if err != nil {
			return nil, fmt.Errorf("strobe %s: no place for its report: %v", c.verb, err)
		}
		defer os.RemoveAll(dir)
		report = filepath.Join(dir, "report.txt")
		own = append([]string{"--output=" + report}, c.args...)
	}
	var out bounded
	said := &stderr{start: time.Now(), began: make(chan struct{})}
	cmd := exec.CommandContext(ctx, r.self, append([]string{c.verb}, own...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, &out, said
	cmd.Env = append(os.Environ(), session.ProgressLines+"=lines", "COLUMNS=") // tables leave no column out
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(os.Interrupt); err == nil { // which some systems cannot send
			return nil
		}
		return cmd.Process.Kill()
	}
	cmd.WaitDelay = patience
	end := said.report(c.progress)
	err := cmd.Start()
	if err == nil {
		over := make(chan struct{})
		defer close(over)
		if c.length > 0 {
			go func() { // what is built before does not count
				select {
				case <-said.began:
				case <-over:
					return
				}
				select {
				case <-time.After(c.length):
					cmd.Cancel()
				case <-over:
				}
			}()
		}
		err = cmd.Wait()
	}
	end()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("strobe %s: cancelled", c.verb)
	}
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		return nil, fmt.Errorf("strobe %s: cannot be run: %v", c.verb, err)
	}
	if text, ok := reportIn(report); ok {
		return resultOfProgram(c, cmd.ProcessState, text, &out, said.warnings()), nil
	}
	return resultOf(c, cmd.ProcessState, out.text(c.line()), said.warnings()), nil
}

// reportIn returns what a verb wrote to a file, bounded.
func reportIn(file string) (report *bounded, ok bool) {
	f, err := os.Open(file)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	report = new(bounded)
	_, err = io.Copy(report, f)
	return report, err == nil && report.bytes > 0
}

// resultOfProgram returns the report of a verb that ran a program, and what the program printed.
func resultOfProgram(c child, state *os.ProcessState, report, out *bounded, said []string) *sdk.CallToolResult {
	text := fmt.Sprintf("$ %s\n%s", c.line(), report.text(c.line()))
	for _, part := range []struct{ title, text string }{{"Standard output", out.text(c.line())}, {"Standard error, its last lines", strings.Join(said, "\n")}} {
		if part.text != "" {
			text += fmt.Sprintf("\n%s:\n%s\n", part.title, strings.TrimSuffix(part.text, "\n"))
		}
	}
	if code := state.ExitCode(); code != session.Done {
		text += fmt.Sprintf("\nThe program ended with exit code %d.\n", code)
	}
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// line returns the command as one types it.
func (c child) line() string {
	words := []string{"strobe", c.verb}
	for _, arg := range c.args {
		if strings.ContainsAny(arg, " \t\n\"'\\$&|;<>()*?[]#~^{}!`") {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		words = append(words, arg)
	}
	return strings.Join(words, " ")
}

// resultOf returns what the client gets: the output under the command, the warnings, and what the exit code means.
func resultOf(c child, state *os.ProcessState, out string, warnings []string) *sdk.CallToolResult {
	code := state.ExitCode()
	text := strings.Join(warnings, "\n")
	failed := code != session.Done && code != session.GateFailed && code != session.Inconclusive
	if failed && text == "" {
		text = fmt.Sprintf("strobe %s: %v", c.verb, state)
	}
	if out != "" {
		text = fmt.Sprintf("$ %s\n%s%s", c.line(), out, text)
	}
	if code == session.GateFailed || code == session.Inconclusive {
		text = strings.TrimSuffix(text, "\n") + fmt.Sprintf("\nexit code %d: %s", code, meaning(code))
	}
	return &sdk.CallToolResult{IsError: failed, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

func meaning(code int) string {
	for _, m := range session.Meanings() {
		if m.Code == code {
			return m.Text
		}
	}
	return ""
}

// A stderr reads the standard error of a verb: progress, and warnings.
type stderr struct {
	start time.Time
	began chan struct{} // closed by the first line that is not progress

	mu      sync.Mutex
	partial string   // a line that has not ended
	doing   string   // the latest progress
	said    []string // the latest warnings
}

// mostWarnings is how many lines of standard error are passed on.
const mostWarnings = 10

// Write implements io.Writer, without errors.
func (s *stderr) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.partial += clean(p)
	for {
		line, rest, found := strings.Cut(s.partial, "\n")
		if !found {
			s.partial = s.partial[max(0, len(s.partial)-headBytes):]
			return len(p), nil
		}
		s.partial = rest
		s.line(line)
	}
}

func (s *stderr) line(line string) {
	if doing, ok := strings.CutPrefix(line, session.ProgressMark); ok {
		s.doing = doing
		return
	}
	if s.said == nil && s.began != nil {
		close(s.began)
	}
	s.said = append(s.said, layout.Head(line, headBytes/mostWarnings))
	s.said = s.said[max(0, len(s.said)-mostWarnings):]
}

// warnings returns the latest lines that are not progress.
func (s *stderr) warnings() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.partial != "" {
		s.line(s.partial)
		s.partial = ""
	}
	return s.said
}

// report calls f from time to time with what is being done, until end is called; f may be nil.
func (s *stderr) report(f func(seconds float64, text string)) (end func()) {
	if f == nil {
		return func() {}
	}
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			s.mu.Lock()
			doing := s.doing
			s.mu.Unlock()
			f(time.Since(s.start).Seconds(), doing)
		}
	}()
	return func() { close(stop); <-done }
}
