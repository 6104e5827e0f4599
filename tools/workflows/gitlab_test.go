// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package workflows

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v2"
)

// A quality is an entry of GitLab's code quality report.
type quality struct {
	Description, Fingerprint, Severity string
	CheckName                          string `json:"check_name"`
	Location                           struct {
		Path  string
		Lines struct{ Begin int }
	}
}

// gitLab runs the script of the job, without what it installs before, in a clone.
func gitLab(t *testing.T, clone string, env ...string) (r *Runner, exit int, report []quality) {
	t.Helper()
	var file struct{ Gate struct{ Script []string } }
	if err := yaml.Unmarshal([]byte(read(t, "docs/workflows/gitlab-ci.yml")), &file); err != nil {
		t.Fatal(err)
	}
	r = &Runner{Workspace: clone, Temp: t.TempDir(), Contexts: Contexts{}, Env: append([]string{"GIT_CONFIG_GLOBAL=" + os.DevNull}, env...)}
	exit, err := r.Run([]Step{{Shell: "bash", Run: strings.Join(file.Gate.Script, "\n")}})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("exit %d\n%s", exit, r.Log.String())
	if err := json.Unmarshal([]byte(note(clone, "strobe-gate/quality.json")), &report); err != nil {
		t.Errorf("code quality: %v", err)
	}
	return r, exit, report
}

func TestTheJobForGitLabReportsWhatDidNotPass(t *testing.T) {
	needs(t, "bash", "git", "jq")
	origin, names := history(t)
	const zeros = "0000000000000000000000000000000000000000"
	const found = `{"benchmarks": [{"package": "m/p", "name": "A", "file": "p/p_test.go", "line": 7, "outcome": "failed", "sentence": "p.A is \"slow\""},
		{"package": "m/p", "name": "B", "file": "p/p_test.go", "line": 9, "outcome": "passed", "sentence": "fast"},
		{"package": "m/p", "name": "C", "file": "p/p_test.go", "line": 11, "outcome": "undecided", "sentence": "unclear"}]}`
	for name, c := range map[string]struct{ request, before, base, code, json string }{
		"request":      {names["before"], zeros, names["before"], "1", found},
		"push":         {"", names["three"], names["three"], "1", found},
		"new branch":   {"", zeros, names["before"], "3", found},
		"schedule":     {"", "", names["before"], "0", `{"benchmarks": []}`},
		"not measured": {"", "", names["before"], "2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			clone, stub := checkOut(t, origin, names["main"], "main", 0), t.TempDir()
			write(t, 0o777, `#!/bin/sh
[ "$1 $3 $4 $5" = "gate ./... --json --markdown" ] && [ -z "$(git status --porcelain)" ] || exit 99
git merge-base HEAD "$2" > "$STUB/base"
printf '%s' "$JSON"
[ "$CODE" = 2 ] || echo "### Report" > "$6"
exit "$CODE"
`, stub, "strobe")
			r, exit, report := gitLab(t, clone, "STUB="+stub, "CODE="+c.code, "JSON="+c.json, "CI_MERGE_REQUEST_DIFF_BASE_SHA="+c.request, "CI_COMMIT_BEFORE_SHA="+c.before,
				"PATH="+stub+string(os.PathListSeparator)+os.Getenv("PATH"))
			if written(float64(exit)) != c.code || note(stub, "base") != c.base || strings.Contains(r.Log.String(), "### Report") != (c.code != "2") {
				t.Errorf("exit %d, base %s", exit, note(stub, "base"))
			}
			if c.json != found {
				if len(report) != 0 {
					t.Errorf("%+v", report)
				}
				return
			}
			if len(report) != 2 || report[0].Severity != "major" || report[1].Severity != "info" || report[0].Description != `p.A is "slow"` || report[0].Location.Path != "p/p_test.go" ||
				report[0].Location.Lines.Begin != 7 || report[0].Fingerprint == report[1].Fingerprint || report[0].CheckName != "strobe gate" {
				t.Errorf("%+v", report)
			}
			if _, err := os.Stat(filepath.Join(clone, "strobe-gate", "report.json")); err != nil {
				t.Error(err)
			}
		})
	}
}
