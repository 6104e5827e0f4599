// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const goodWorkflow = `# A comment.
name: good
on: [push]
permissions:
  contents: read
concurrency:
  group: good
jobs:
  one:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@0123456789012345678901234567890123456789 # v1.2.3
        with:
          persist-credentials: false
      - run: echo one
  two:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
      - name: Two
        run: |
          echo two

          echo three
`

func TestFaultsOfWorkflowsAreFound(t *testing.T) {
	for _, c := range []struct{ old, new, says string }{
		{"", "", ""},
		{"contents: read", "contents: write", "permissions"},
		{"contents: read\n", "contents: read\n  issues: write\n", "permissions"},
		{"    timeout-minutes: 5\n    steps:\n      - uses", "    timeout-minutes: 5\n    permissions:\n      contents: write\n    steps:\n      - uses", "permissions"},
		{"on: [push]\npermissions:\n  contents: read\n", "on:\n  push:\n    tags: ['v*']\npermissions: {}\n", ""},
		{"on: [push]\npermissions:\n  contents: read\n", "on:\n  push:\n    tags: ['v*']\n  pull_request:\npermissions: {}\n", "permissions"},
		{"on: [push]\npermissions:\n  contents: read\n", "on: [push]\npermissions: {}\n", "permissions"},
		{"concurrency:\n  group: good\n", "", "concurrency"},
		{"[push]", "[pull_request_target]", "more rights"},
		{"echo one", "echo ${{ github.ref }}", "expression"},
		{"@0123456789012345678901234567890123456789 # v1.2.3", "@v1", "no commit"},
		{" # v1.2.3", "", "no commit"},
		{"persist-credentials: false", "fetch-depth: 0", "token"},
		{"    timeout-minutes: 5\n    steps:\n      - name", "    steps:\n      - name", "two has no time limit"},
		{"run: |", "run: >", "not understood"},
		{"\njobs:\n", "\njob:\n", "no job"},
	} {
		text := strings.Replace(goodWorkflow, c.old, c.new, 1)
		faults := CheckWorkflow("w.yml", text)
		found := slices.ContainsFunc(faults, func(err error) bool { return strings.Contains(err.Error(), c.says) })
		if c.says == "" && faults != nil || c.says != "" && (!found || text == goodWorkflow) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, faults, c.says)
		}
	}
	jobs := Jobs(goodWorkflow)
	if len(jobs) != 2 || !slices.Equal(jobs[0].Scripts, []string{"echo one"}) || !slices.Equal(jobs[1].Scripts, []string{"echo two\n\necho three\n"}) {
		t.Errorf("jobs %+v", jobs)
	}
}

func TestWorkflowsKeepToTheRules(t *testing.T) {
	for name, text := range workflows(t) {
		for _, fault := range CheckWorkflow(name, text) {
			t.Error(fault)
		}
	}
}

// TestTheScriptsOfWorkflowsRun runs the scripts as a runner does. In their folder, check and gh only record their arguments, and go
// knows a release candidate and makes the files of a release, which the rehearsal makes in earnest.
func TestTheScriptsOfWorkflowsRun(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("the scripts of the workflows want bash and programs beside it: ", err)
	}
	text, err := os.ReadFile(filepath.Join(root, "check"))
	if err != nil {
		t.Fatal(err)
	}
	steps, err := StepsOf(string(text))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	asked, env := filepath.Join(dir, "asked"), filepath.Join(dir, "env")
	for name, script := range map[string]string{
		"check": `echo "$@" >>asked`,
		"sudo":  "", // installs nothing
		"gh":    `for f; do case $f in *.gz | SHA256SUMS | NOTES.md) [ -s "$f" ] || exit 1 ;; esac; done; echo "$@" >"$GH"`,
		"go": `case "$*" in
			"list -m -versions go") echo go 1.9 1.26.8 1.27.3 1.28rc1 ;;
			"-C tools run ./release -binaries $RUNNER_TEMP/release v1.2.3") mkdir -p "$6" && cd "$6" && for f in SHA256SUMS NOTES.md strobe_a.tar.gz; do echo x >$f; done ;;
			*) exit 1 ;;
			esac`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range workflows(t) {
		for _, job := range Jobs(text) {
			os.Remove(asked)
			for _, script := range job.Scripts {
				cmd := exec.Command(bash, "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "GITHUB_ENV="+env,
					"GH="+asked, "RUNNER_TEMP="+dir, "GITHUB_REF_NAME=v1.2.3", "GITHUB_REPOSITORY=strobe-go/strobe")
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%s, job %s: %v\n%s%s", name, job.Name, err, script, out)
				}
			}
			got, err := os.ReadFile(asked)
			if err != nil {
				t.Errorf("%s, job %s: %v", name, job.Name, err)
			}
			if strings.HasSuffix(name, "release.yml") {
				if want := "release create v1.2.3 --repo strobe-go/strobe --verify-tag --title strobe v1.2.3 --notes-file NOTES.md SHA256SUMS strobe_a.tar.gz\n"; string(got) != want {
					t.Errorf("%s publishes %q, want %q", name, got, want)
				}
				continue
			}
			for line := range strings.Lines(string(got)) {
				for _, step := range strings.Fields(line) {
					if !steps[step] {
						t.Errorf("%s, job %s: check has no step %s", name, job.Name, step)
					}
				}
			}
		}
	}
	if got, _ := os.ReadFile(env); string(got) != "GOTOOLCHAIN=go1.28rc1\n" {
		t.Errorf("the job that looks ahead chose %q", got)
	}
}

// workflows returns the texts of the workflows by path.
func workflows(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name, text := range allDocuments(t, []string{".github/workflows/*"}) {
		all[name] = text
	}
	if len(all) == 0 {
		t.Fatal("there are no workflows")
	}
	return all
}
