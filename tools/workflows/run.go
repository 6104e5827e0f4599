// SPDX-License-Identifier: BSD-3-Clause

package workflows

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A Runner runs the scripts of steps like a GitHub runner: each in a shell of its own, with its environment, until one fails. It
// skips steps that use actions.
type Runner struct {
	Workspace string   // folder in which scripts begin
	Temp      string   // folder for what runners keep
	Env       []string // beside that of this process
	Contexts  Contexts // github, inputs and so on; the outputs of steps are added

	Log bytes.Buffer // what the scripts print
}

// Run runs the steps and returns the exit code of the first one that fails. A step with always() in its condition runs
// nevertheless.
func (r *Runner) Run(steps []Step) (code int, err error) {
	outputs := map[string]any{}
	r.Contexts["steps"] = outputs
	for i, s := range steps {
		if s.Run == "" || code != 0 && !strings.Contains(s.If, "always()") {
			continue
		}
		if s.If != "" {
			v, err := Evaluate(s.If, r.Contexts)
			if err != nil {
				return 0, fmt.Errorf("step %q: %w", s.Name, err)
			}
			if !isTrue(v) {
				continue
			}
		}
		file := filepath.Join(r.Temp, fmt.Sprint("output", i))
		of, err := r.script(s, file)
		if err != nil {
			return 0, fmt.Errorf("step %q: %w", s.Name, err)
		}
		if code == 0 {
			code = of
		}
		values := map[string]any{}
		text, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			return 0, err
		}
		for line := range strings.Lines(string(text)) {
			name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			if !ok {
				return 0, fmt.Errorf("step %q: output %q has no =", s.Name, line)
			}
			values[name] = value
		}
		outputs[s.ID] = map[string]any{"outputs": values}
	}
	return code, nil
}

// script runs the script of a step, which writes its outputs into a file, and returns its exit code.
func (r *Runner) script(s Step, output string) (code int, err error) {
	os.Remove(output)
	args := []string{"-e", "-c", s.Run}
	if s.Shell == "bash" {
		args = append([]string{"--noprofile", "--norc", "-o", "pipefail"}, args...)
	}
	cmd := exec.Command("bash", args...)
	cmd.Env = append(append(os.Environ(), r.Env...), "RUNNER_TEMP="+r.Temp, "GITHUB_OUTPUT="+output)
	for name, value := range s.Env {
		if value, err = Interpolate(value, r.Contexts); err != nil {
			return 0, err
		}
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	if cmd.Dir, err = Interpolate(s.Folder, r.Contexts); err != nil {
		return 0, err
	}
	if !filepath.IsAbs(cmd.Dir) {
		cmd.Dir = filepath.Join(r.Workspace, cmd.Dir)
	}
	cmd.Stdout, cmd.Stderr = &r.Log, &r.Log
	if err := cmd.Run(); cmd.ProcessState == nil {
		return 0, err
	}
	return cmd.ProcessState.ExitCode(), nil
}

// Outputs returns the outputs of an action after its steps have run.
func (r *Runner) Outputs(a Action) (map[string]string, error) {
	all := map[string]string{}
	for name, o := range a.Outputs {
		value, err := Interpolate(o.Value, r.Contexts)
		if err != nil {
			return nil, err
		}
		all[name] = value
	}
	return all, nil
}
