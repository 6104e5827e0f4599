// SPDX-License-Identifier: BSD-3-Clause

package workflows

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// read returns the text of a file of the tree.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// version returns the one that the command requires of the library, which is that of the next release.
func version(t *testing.T) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)github\.com/strobe-go/strobe (v\S+)`).FindStringSubmatch(read(t, "cmd/strobe/go.mod"))
	if m == nil {
		t.Fatal("cmd/strobe requires no version of the library")
	}
	return m[1]
}

// Documents refer to a release of strobe, and to commits of other actions.
func TestWhatReadersCopyIsPinned(t *testing.T) {
	n := 0
	pinned := regexp.MustCompile(`uses: [\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	for _, name := range []string{"docs/gate.md", "docs/ci.md", "docs/workflows/gate.yml", "docs/workflows/gate-comment.yml", "docs/workflows/gitlab-ci.yml"} {
		for line := range strings.Lines(read(t, name)) {
			line = strings.TrimSpace(line)
			switch own := strings.Contains(line, "strobe-go/strobe") && strings.Contains(line, "@"); {
			case own:
				if n++; !strings.HasSuffix(line, "@"+version(t)) {
					t.Errorf("%s: %q is not %s", name, line, version(t))
				}
			case strings.Contains(line, "uses: ") && !strings.HasSuffix(name, ".md") && !pinned.MatchString(line):
				t.Errorf("%s: %q names no commit with its version", name, line)
			}
		}
	}
	if n < 3 {
		t.Errorf("only %d lines name strobe", n)
	}
}

// A workflow that measures may only read the repository, and one that may comment runs only its own script.
func TestTheExamplesHaveNoMoreRightsThanTheyNeed(t *testing.T) {
	var gate, comment Workflow
	for name, w := range map[string]*Workflow{"gate.yml": &gate, "gate-comment.yml": &comment} {
		body := read(t, "docs/workflows/"+name)
		if err := Parse(name, body, w); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(body, "pull_request_target") || strings.Contains(body, "secrets.") || !strings.Contains(body, "\nconcurrency:\n") {
			t.Errorf("%s: an event, a secret, or no concurrency", name)
		}
		for job, j := range w.Jobs {
			if j.Minutes == 0 {
				t.Errorf("%s: job %s has no time limit", name, job)
			}
			for _, s := range j.Steps {
				if strings.Contains(s.Run, "${{") {
					t.Errorf("%s: job %s has an expression in a script", name, job)
				}
			}
		}
	}
	for _, s := range gate.Jobs["gate"].Steps {
		if strings.HasPrefix(s.Uses, "actions/checkout@") && (s.With["persist-credentials"] != "false" || s.With["fetch-depth"] != "0") || s.Run != "" {
			t.Errorf("%+v", s)
		}
	}
	job := comment.Jobs["comment"]
	for what, c := range map[string][2]map[string]string{
		"gate.yml":                  {gate.Permissions, {"contents": "read"}},
		"the job of it":             {gate.Jobs["gate"].Permissions, nil},
		"gate-comment.yml":          {comment.Permissions, {}},
		"the job that may comments": {job.Permissions, {"actions": "read", "pull-requests": "write"}},
	} {
		if !maps.Equal(c[0], c[1]) || (c[0] == nil) != (c[1] == nil) {
			t.Errorf("%s has %v, want %v", what, c[0], c[1])
		}
	}
	for _, s := range job.Steps {
		if s.Uses != "" {
			t.Errorf("the job that may comment uses %s", s.Uses)
		}
	}
}

// No script of the action has an expression, which would put text of a request into it, and docs/ci.md has its inputs and outputs.
func TestTheActionIsDocumented(t *testing.T) {
	var a Action
	if err := Parse("action.yml", read(t, "action.yml"), &a); err != nil {
		t.Fatal(err)
	}
	for _, s := range a.Runs.Steps {
		if s.Shell != "bash" || s.Run == "" || strings.Contains(s.Run, "${{") {
			t.Errorf("step %s: shell %q, or an expression in its script", s.Name, s.Shell)
		}
	}
	page := read(t, "docs/ci.md")
	for title, want := range map[string][]string{"| input | default | means |": slices.Sorted(maps.Keys(a.Inputs)), "| output | is |": slices.Sorted(maps.Keys(a.Outputs))} {
		_, table, _ := strings.Cut(page, title)
		table, _, _ = strings.Cut(table, "\n\n")
		var got []string
		for _, m := range regexp.MustCompile("(?m)^\\| `([\\w-]+)` \\|").FindAllStringSubmatch(table, -1) {
			got = append(got, m[1])
		}
		if slices.Sort(got); len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("docs/ci.md, %s: %q, want %q", title, got, want)
		}
	}
}

func TestExpressionsHaveTheirValues(t *testing.T) {
	of := Contexts{"github": map[string]any{"event": map[string]any{"number": 7.0, "fork": true, "zero": 0.0}, "ref_name": "main"}, "inputs": map[string]any{"base-name": "x", "none": ""}}
	for expression, want := range map[string]any{
		"github.event.number": 7.0, "github.event.no.such": nil, "inputs.base-name": "x", "'it''s'": "it's", "1.5": 1.5, "always()": true,
		"inputs.none || github.event.zero || github.ref_name || 'y'": "main", "inputs.base-name && github.ref_name": "main", "inputs.none && 'y'": "",
		"github.ref_name == 'MAIN' && !github.event.fork": false, "!(inputs.none || github.event.number != 7)": true, "'a' || 'b' && inputs.none": "a",
	} {
		if v, err := Evaluate(expression, of); err != nil || v != want {
			t.Errorf("%s: %v, %v, want %v", expression, v, err, want)
		}
	}
	for _, expression := range []string{"", "a b", "a &&", "(a", "always", "'a", "a + b"} {
		if v, err := Evaluate(expression, of); err == nil {
			t.Errorf("%q: %v", expression, v)
		}
	}
	if v, err := Interpolate("${{ github.event.number }}/${{inputs.none}}${{ github.no }}", of); v != "7/" || err != nil {
		t.Errorf("%q, %v", v, err)
	}
	if v, err := Interpolate("${{ ( }}", of); err == nil {
		t.Errorf("%q", v)
	}
}
