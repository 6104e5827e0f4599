// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A Command is one `$ ` line of a block, joined with its continuations, and the output shown below it.
type Command struct {
	Line int
	Text string
	Want string
}

// Commands splits a block. Lines before the first command are an error.
func (b Block) Commands() ([]Command, error) {
	var commands []Command
	continued := false
	for i, line := range strings.Split(strings.TrimRight(b.Text, "\n"), "\n") {
		text, command := strings.CutPrefix(line, "$ ")
		switch last := len(commands) - 1; {
		case continued:
			commands[last].Text += "\n" + strings.TrimPrefix(line, "> ")
			continued = strings.HasSuffix(line, `\`)
		case command:
			commands = append(commands, Command{Line: b.Line + i, Text: text})
			continued = strings.HasSuffix(line, `\`)
		case last >= 0:
			commands[last].Want += line + "\n"
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#"):
			return nil, fmt.Errorf("%s:%d: output before the first command", b.File, b.Line+i)
		}
	}
	return commands, nil
}

// notRun returns why a command is not run; "" if it is run. away says whether the session has changed to its own folder, where it
// may use git and create modules and workspaces.
func notRun(text string, away bool) string {
	for _, no := range []struct{ expr, why string }{
		{`(^|[\s;&|/])check\b|\.ci/run`, "check runs this test"},
		{`\bgo\s.*\btest\b.*\./(\.\.\.|docs)`, "it would run this test"},
		{`\bgo\s+(get|install\s+[^.]\S*|mod\s+(tidy|download|vendor))\b`, "it would change the tree, or fetch what is not published yet"},
		{`\b(sudo|apt|apt-get|brew)\b`, "it would change the machine"},
	} {
		if regexp.MustCompile(no.expr).MatchString(text) {
			return no.why
		}
	}
	if !away && regexp.MustCompile(`\b(git|go\s+(mod|work))\b`).MatchString(text) {
		return "it would change the tree"
	}
	return ""
}

// A Runner runs the sh blocks of documents.
type Runner struct {
	Root  string        // working directory
	Path  string        // folders put in front of PATH
	Home  string        // HOME, a folder that may be written to
	Limit time.Duration // for one block
	Brief bool          // leaves out blocks that take long
	Logf  func(format string, args ...any)
}

// Run runs a block as one shell session and compares every command's output and exit code.
func (r *Runner) Run(b Block) error {
	commands, err := b.Commands()
	if err != nil || len(commands) == 0 {
		return err
	}
	if b.Ask.Skip != "" {
		r.Logf("%s: not run: %s", b.At(), b.Ask.Skip)
		return nil
	}
	if b.Ask.Long && r.Brief {
		r.Logf("%s: not run: it takes long, and the tests are brief", b.At())
		return nil
	}
	// After each command the session writes its exit code between marks that do not occur in output.
	const mark = "\x01exit\x02"
	var script strings.Builder
	var run []Command
	away := strings.Contains(b.Ask.Given, `cd "$HOME`)
	if b.Ask.Given != "" {
		fmt.Fprintf(&script, "{ %s\n} > /dev/null 2>&1 || { echo 'what is given failed'; exit 1; }\n", b.Ask.Given)
	}
	for _, c := range commands {
		away = away || strings.Contains(c.Text, `cd "$HOME`)
		if why := notRun(c.Text, away); why != "" {
			r.Logf("%s:%d: not run: %s: %s", b.File, c.Line, why, c.Text)
			continue
		}
		if b.Ask.Append != "" {
			c.Text += " " + b.Ask.Append
		}
		run = append(run, c)
		fmt.Fprintf(&script, "%s\n__exit=$?; printf '\\n\\001exit\\002%%d\\n' $__exit; (exit $__exit)\n", c.Text)
	}
	if len(run) == 0 {
		return nil
	}
	output, err := r.shell(script.String())
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", b.At(), err, output)
	}
	for i, c := range run {
		var code string
		var ok bool
		before, after, found := strings.Cut(output, "\n"+mark)
		if code, output, ok = strings.Cut(after, "\n"); !found || !ok {
			return fmt.Errorf("%s:%d: the shell ended within: %s\n%s", b.File, c.Line, c.Text, before)
		}
		want := 0
		if i == len(run)-1 {
			want = b.Ask.Exit
		}
		if code != strconv.Itoa(want) {
			return fmt.Errorf("%s:%d: exit code %s, not %d: %s\n%s", b.File, c.Line, code, want, c.Text, before)
		}
		if strings.TrimSpace(c.Want) == "" {
			continue
		}
		if b.Ask.Pattern {
			if missing := notPrinted(c.Want, before); missing != "" {
				return fmt.Errorf("%s:%d: %s\nprints no %q, which the example shows:\n%s", b.File, c.Line, c.Text, missing, before)
			}
			continue
		}
		if err := Match(c.Want, before); err != nil {
			return fmt.Errorf("%s:%d: %s\n%w", b.File, c.Line, c.Text, err)
		}
	}
	return nil
}

// words matches the parts that an example and the actual output must have in common, since figures and their units vary.
var words = regexp.MustCompile(`\p{L}{3,}`)

// notPrinted returns the first word of an example that is not in the output; "" if there is none.
func notPrinted(example, output string) string {
	printed := map[string]bool{}
	for _, w := range words.FindAllString(output, -1) {
		printed[w] = true
	}
	for _, w := range words.FindAllString(example, -1) {
		if !printed[w] {
			return w
		}
	}
	return ""
}

// shell runs a script to its end or the time limit, and returns its output. It ends all processes that the script left in the
// background.
func (r *Runner) shell(script string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), r.Limit)
	defer cancel()
	out, err := os.CreateTemp(r.Home, "output")
	if err != nil {
		return "", err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	cmd := exec.CommandContext(ctx, "sh", "-c", script)
	cmd.Dir = r.Root
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Env = r.environment()
	if inExamples.MatchString(script) {
		cmd.Env = append(cmd.Env, "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath") // as check builds them
	}
	ownGroup(cmd)
	cmd.Cancel = func() error { return endGroup(cmd) }
	err = cmd.Run()
	_ = endGroup(cmd)
	if ctx.Err() != nil {
		err = fmt.Errorf("not done after %v", r.Limit)
	} else if _, ok := err.(*exec.ExitError); ok {
		err = nil // the last command's exit code, which is also in the output
	}
	text, readErr := os.ReadFile(out.Name())
	if err == nil {
		err = readErr
	}
	return string(text), err
}

var inExamples = regexp.MustCompile(`(cd|-C) examples\b`)

// environment is the caller's environment with a separate home, to which go install writes, and which still finds Go's caches.
func (r *Runner) environment() []string {
	env := append(os.Environ(), "HOME="+r.Home, "GOWORK=auto", "NO_COLOR=1", "TERM=dumb", "LC_ALL=C.UTF-8", nested+"=1",
		"GOBIN="+filepath.Join(r.Home, "bin"),
		"PATH="+filepath.Join(r.Home, "bin")+string(filepath.ListSeparator)+r.Path+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		if dir, err := exec.Command("go", "env", name).Output(); err == nil {
			env = append(env, name+"="+strings.TrimSpace(string(dir)))
		}
	}
	return env
}

// nested is set in the environment of every command, so that the test of the documents cannot run itself.
const nested = "STROBE_DOCS_RUNNING"
