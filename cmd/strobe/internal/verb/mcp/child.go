// SPDX-License-Identifier: BSD-3-Clause

package mcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
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
	var out bounded
	said := &stderr{start: time.Now()}
	cmd := exec.CommandContext(ctx, r.self, append([]string{c.verb}, c.args...)...)
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
	err := cmd.Run()
	end()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("strobe %s: cancelled", c.verb)
	}
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		return nil, fmt.Errorf("strobe %s: cannot be run: %v", c.verb, err)
	}
	return resultOf(c, cmd.ProcessState, out.text(c.line()), said.warnings()), nil
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
