// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
)

// plan makes the jobs: the reference, then all commands with each combination of parameters, in hyperfine's order.
func (f *Flags) plan() ([]*job, error) {
	if n := len(f.Name); n > 0 && n != len(f.Commands) {
		return nil, fmt.Errorf("--name: %d names for %d commands; give each one or none", n, len(f.Commands))
	}
	if f.ReferenceName != "" && f.Reference == "" {
		return nil, errors.New("--reference-name names the command of --reference, which is missing")
	}
	sets, err := f.sets()
	if err != nil {
		return nil, err
	}
	texts, names := f.texts(), f.Name
	if f.Reference != "" && len(names) > 0 {
		names = append([]string{""}, names...)
	}
	for _, flag := range []struct {
		name string
		n    int
	}{{"--prepare", len(f.Prepare)}, {"--conclude", len(f.Conclude)}, {"--output", len(f.Output)}} {
		if flag.n > 1 && flag.n != len(texts) {
			return nil, fmt.Errorf("%s: %d for %d commands; give one for all, or each one its own", flag.name, flag.n, len(texts))
		}
	}
	var jobs []*job
	first := 0 // index of the first command that has parameters
	if f.Reference != "" {
		j, err := f.job(0, f.Reference, cmp.Or(f.ReferenceName, f.Reference), nil)
		if err != nil {
			return nil, err
		}
		jobs, first = append(jobs, j), 1
	}
	for _, set := range sets {
		for i, text := range texts[first:] {
			i += first
			name := text
			if len(names) > 0 {
				name = names[i]
			}
			j, err := f.job(i, text, name, set)
			if err != nil {
				return nil, err
			}
			jobs = append(jobs, j)
		}
	}
	return jobs, nil
}

// texts returns all commands, that of --reference first.
func (f *Flags) texts() []string {
	if f.Reference != "" {
		return append([]string{f.Reference}, f.Commands...)
	}
	return f.Commands
}

// job returns a job for the i-th command with these parameters.
func (f *Flags) job(i int, text, name string, set []param) (*job, error) {
	j := &job{text: fill(text, set), params: set, name: named(name, set), output: fill(of(f.Output, i), set)}
	for _, word := range []struct {
		what  string
		words *[]string
		text  string
	}{{"CMD", &j.args, text}, {"--setup", &j.setup, f.Setup}, {"--prepare", &j.prepare, of(f.Prepare, i)}, {"--conclude", &j.conclude, of(f.Conclude, i)},
		{"--cleanup", &j.cleanup, f.Cleanup}} {
		if word.text == "" && word.what != "CMD" {
			continue
		}
		var err error
		if *word.words, err = f.words(fill(word.text, set), word.what == "CMD"); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", word.what, word.text, err)
		}
	}
	return j, nil
}

// of returns the i-th value of a flag that is given once for all or for each command.
func of(all []string, i int) string {
	switch len(all) {
	case 0:
		return ""
	case 1:
		return all[0]
	}
	return all[i]
}

// words returns the words that start a command. All timed commands run in the shell if one of them needs it, so that they are
// comparable; others run in it if they need it themselves.
func (f *Flags) words(text string, timed bool) ([]string, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("names no program")
	}
	if timed && f.inShell() || !timed && f.shellFor([]string{text}) {
		return command.Shell(f.shell(), text)
	}
	return command.Split(text)
}

// inShell reports whether timed commands run in a shell.
func (f *Flags) inShell() bool { return f.shellFor(f.texts()) }

func (f *Flags) shellFor(texts []string) bool {
	switch {
	case f.NoShell || f.Shell == "none":
		return false
	case f.Shell == "auto" || f.Shell == "":
		return slices.ContainsFunc(texts, command.NeedsShell)
	}
	return true
}

// shell returns the command of the shell, "" for the system's.
func (f *Flags) shell() string {
	if f.Shell == "auto" || f.Shell == "default" {
		return ""
	}
	return f.Shell
}

// fill replaces {NAME} by the parameter's value.
func fill(text string, set []param) string {
	for _, p := range set {
		text = strings.ReplaceAll(text, "{"+p.name+"}", p.value)
	}
	return text
}

// named returns the name of a job: the given name, followed by the parameters that it does not mention.
func named(name string, set []param) string {
	for _, p := range set {
		if !strings.Contains(name, "{"+p.name+"}") {
			name += " " + p.name + "=" + p.value
		}
	}
	return fill(name, set)
}
