// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A step is what an action runs in a shell.
type step struct {
	script string
	env    map[string]string // as written, with expressions
}

// steps returns the steps of action.yml, and the default values of its inputs.
func steps(t *testing.T) (all []step, inputs map[string]string) {
	t.Helper()
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	inputs = map[string]string{}
	head, body, ok := strings.Cut(string(text), "  steps:\n")
	if !ok {
		t.Fatal("action.yml has no steps")
	}
	for _, m := range regexp.MustCompile(`(?m)^  (\w+):\n(?:    description: .*\n)    default: (.*)$`).FindAllStringSubmatch(head, -1) {
		inputs[m[1]] = strings.Trim(m[2], `"`)
	}
	for _, part := range strings.Split(body, "    - name: ")[1:] {
		s := step{env: map[string]string{}}
		script, env, _ := strings.Cut(part, "      env:\n")
		if _, script, ok = strings.Cut(script, "      run: |\n"); !ok || !strings.Contains(part, "shell: bash") {
			t.Fatalf("a step without a script for bash: %s", part)
		}
		for line := range strings.Lines(script) {
			s.script += strings.TrimPrefix(line, "        ")
		}
		for line := range strings.Lines(env) {
			if name, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
				s.env[name] = value
			}
		}
		all = append(all, s)
	}
	return all, inputs
}

// The steps run as a runner runs them, in a shallow clone of a repository whose second commit is slower.
func TestTheStepsOfTheActionGateARequest(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command and measures")
	}
	for _, tool := range []string{"bash", "git", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("the action wants ", tool, ": ", err)
		}
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	origin, clone, summary := filepath.Join(temp, "origin"), filepath.Join(temp, "clone"), filepath.Join(temp, "summary")
	shell := func(dir, script string, env ...string) (string, int) {
		t.Helper()
		cmd := exec.Command("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script)
		cmd.Dir = dir
		cmd.Env = append(append(os.Environ(), "RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY="+summary, "GIT_CONFIG_GLOBAL="+os.DevNull, "GOFLAGS=", "GOWORK=off"), env...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		cmd.Run()
		return out.String(), cmd.ProcessState.ExitCode()
	}
	if out, code := shell(temp, `git init -q -b trunk origin && cd origin && mkdir p
		printf 'module example.com/m\n\ngo 1.24\n' > go.mod
		printf 'package p\n\nvar Sink any\n\nfunc Work() { Sink = make([]byte, 1000) }\n' > p/p.go
		printf 'package p\n\nimport "testing"\n\nfunc BenchmarkA(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tWork()\n\t}\n}\n' > p/p_test.go
		commit() { git add -A; git -c user.name=a -c user.email=a@example.com commit -q -m "$1"; }
		commit one; git checkout -q -b change; sed -i.bak 's/1000/100000/' p/p.go; rm p/p.go.bak; commit two
		git clone -q --depth=1 --branch change "file://$PWD" ../clone`); code != 0 {
		t.Fatal(out)
	}
	all, inputs := steps(t)
	inputs["base"], inputs["flags"] = "trunk", "--max-time=5m --layouts=0 --level=80%"
	code := 0
	for _, s := range all {
		if code != 0 {
			t.Fatalf("a step before the last ends with %d", code)
		}
		var env []string
		for name, value := range s.env {
			value = strings.ReplaceAll(value, "${{ github.action_path }}", root)
			for input, given := range inputs {
				value = strings.ReplaceAll(value, "${{ inputs."+input+" }}", given)
			}
			if strings.Contains(value, "${{") {
				t.Errorf("%s: %s is not known", name, value)
			}
			env = append(env, name+"="+value)
		}
		var out string
		out, code = shell(clone, s.script, env...)
		t.Logf("exit %d\n%s", code, out)
	}
	report, _ := os.ReadFile(summary)
	if code != 1 || !strings.Contains(string(report), "### Performance: failed") || !strings.Contains(string(report), "| example.com/m/p | A |") {
		t.Errorf("exit %d, %s (from %s)", code, report, origin)
	}
}
