// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package workflows

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeAPI answers gh with files by method and path, and records the requests.
const fakeAPI = `#!/bin/sh
[ "$1" = api ] && [ -n "$GH_TOKEN" ] || exit 99
shift
method=GET url= input=
while [ $# -gt 0 ]; do
	case $1 in
	--method) method=$2; shift ;;
	--input) input=$2; shift ;;
	--paginate) ;;
	-*) exit 98 ;;
	*) url=$1 ;;
	esac
	shift
done
echo "$method $url" >> "$STUB/asked"
[ -z "$input" ] || cp "$input" "$STUB/body"
cat "$STUB/$(echo "$method $url" | tr ' /?=&' -----)"
`

// The answers of the API to what the workflow asks.
const (
	askArtifacts = "GET repos/owner/m/actions/runs/5/artifacts?name=strobe-gate"
	askZip       = "GET repos/owner/m/actions/artifacts/31/zip"
	askRequest   = "GET repos/owner/m/pulls/7"
	askComments  = "GET repos/owner/m/issues/7/comments?per_page=100"
	askNew       = "POST repos/owner/m/issues/7/comments"
	askChange    = "PATCH repos/owner/m/issues/comments/102"

	artifacts = `{"total_count": 3, "artifacts": [{"id": 30, "size_in_bytes": 10, "expired": false}, {"id": 31, "size_in_bytes": 900, "expired": false}, {"id": 32, "size_in_bytes": 10, "expired": true}]}`
	request   = `{"number": 7, "state": "open", "head": {"sha": "0123456789abcdef0123456789abcdef01234567", "repo": {"id": 99}}}`
	report    = `{"benchmarks": [{"package": "example.com/m/p", "name": "A/size=1", "outcome": "failed", "ratio": {"center": 1.4996, "lo": 1.4, "hi": 1.5, "level": 0.99}, "long": {"ratio": {"center": 1.6, "lo": 1.3, "level": 0.99}}}, {"package": "example.com/m/p", "name": "B", "outcome": "passed", "ratio": {"center": 1, "lo": 0.99, "hi": 1.01, "level": 0.99}}, {"package": "example.com/m/p", "name": "C", "outcome": "undecided", "ratio": {"center": 0.98, "level": 0.99}}]}`
)

// archive makes the archive of an artifact.
func archive(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// comment runs the job that comments, with these answers of the API, and returns what it asked and the comment that it wrote.
func comment(t *testing.T, answers map[string]string) (asked, body string, exit int) {
	t.Helper()
	var w Workflow
	if err := Parse("gate-comment.yml", read(t, "docs/workflows/gate-comment.yml"), &w); err != nil {
		t.Fatal(err)
	}
	of := contexts(t, "workflow_run", nil, map[string]any{"repository": "owner/m", "token": "t"}, Action{}, nil)
	job := w.Jobs["comment"]
	if v, err := Evaluate(job.If, of); err != nil || !isTrue(v) {
		t.Fatalf("%v, %v", v, err)
	}
	stub := t.TempDir()
	write(t, 0o777, fakeAPI, stub, "gh")
	for ask, answer := range answers {
		write(t, 0o666, answer, stub, strings.NewReplacer(" ", "-", "/", "-", "?", "-", "=", "-", "&", "-").Replace(ask))
	}
	r := &Runner{Workspace: t.TempDir(), Temp: t.TempDir(), Contexts: of, Env: []string{"STUB=" + stub, "PATH=" + stub + string(os.PathListSeparator) + os.Getenv("PATH")}}
	exit, err := r.Run(job.Steps)
	if err != nil {
		t.Fatal(err)
	}
	var object struct{ Body string }
	if text := note(stub, "body"); text != "" {
		if err := json.Unmarshal([]byte(text), &object); err != nil {
			t.Error(err)
		}
	}
	t.Logf("exit %d\n%s%s\n%s", exit, note(stub, "asked"), r.Log.String(), object.Body)
	return note(stub, "asked"), object.Body, exit
}

func TestARequestOfAForkGetsOneComment(t *testing.T) {
	needs(t, "bash", "jq", "unzip")
	const others = `[{"id": 101, "user": {"login": "somebody"}, "body": "<!-- strobe-gate --> mine"}, {"id": 103, "user": {"login": "github-actions[bot]"}, "body": "another <!-- strobe-gate -->"}]`
	const own = `[{"id": 102, "user": {"login": "github-actions[bot]"}, "body": "<!-- strobe-gate -->\nold"}]`
	answers := map[string]string{askArtifacts: artifacts, askRequest: request, askNew: "{}", askChange: "{}",
		askZip: archive(t, map[string]string{"pull-request": "7\n", "outcome": "failed\n", "report.json": report, "report.md": "x"})}
	for comments, want := range map[string]string{"[]": askNew, others: askNew, others + own: askChange} {
		answers[askComments] = comments
		asked, body, exit := comment(t, answers)
		if exit != 0 || asked != strings.Join([]string{askArtifacts, askZip, askRequest, askComments, want}, "\n") {
			t.Errorf("exit %d, asked\n%s", exit, asked)
		}
		if body != `<!-- strobe-gate -->
### Performance: failed

| package | benchmark | short blocks | long runs | verdict |
|---|---|---|---|---|
| `+"`example.com/m/p` | `A/size=1`"+` | +50 [+40, +50] % | +60 [+30, ?] % | failed |
| `+"`example.com/m/p` | `C`"+` | -2 [?, ?] % |  | undecided |

3 compared, 2 of them not passed. [The whole report](https://github.com/owner/m/actions/runs/5) of 0123456789abcdef0123456789abcdef01234567.
` {
			t.Errorf("%s", body)
		}
	}
}

// No comment is written unless the request is that of the run.
func TestNothingIsSaidOnAnotherRequest(t *testing.T) {
	needs(t, "bash", "jq", "unzip")
	with := func(number string) map[string]string {
		return map[string]string{"pull-request": number, "outcome": "passed", "report.json": report}
	}
	for name, c := range map[string]struct {
		artifacts, request string
		files              map[string]string
		fails              bool
	}{
		"newer commits":   {artifacts, strings.Replace(request, "0123", "3210", 1), with("7"), false},
		"another fork":    {artifacts, strings.Replace(request, "99", "98", 1), with("7"), false},
		"no fork":         {artifacts, `{"number": 7, "state": "open", "head": {"sha": "0123456789abcdef0123456789abcdef01234567", "repo": null}}`, with("7"), false},
		"closed":          {artifacts, strings.Replace(request, "open", "closed", 1), with("7"), false},
		"not there":       {artifacts, "", with("8"), true},
		"no number":       {artifacts, request, with(""), true},
		"a path":          {artifacts, request, with("../issues/7"), true},
		"two numbers":     {artifacts, request, with("7\n8"), true},
		"nought":          {artifacts, request, with("07"), true},
		"large":           {artifacts, request, with(strings.Repeat("7", 1000)), true},
		"no file":         {artifacts, request, map[string]string{"x/pull-request": "7", "../pull-request": "7"}, true},
		"no archive":      {artifacts, request, nil, true},
		"no artifact":     {`{"total_count": 0, "artifacts": []}`, request, with("7"), false},
		"a large archive": {strings.Replace(artifacts, "900", "1000001", 1), request, with("7"), true},
		"no JSON":         {artifacts, request, map[string]string{"pull-request": "7", "outcome": "passed", "report.json": `{"benchmarks": [`}, true},
		"too much JSON":   {artifacts, request, map[string]string{"pull-request": "7", "outcome": "passed", "report.json": `{"x": "` + strings.Repeat("x", 50e6) + `"}`}, true},
		"no benchmarks":   {artifacts, request, map[string]string{"pull-request": "7", "outcome": "passed", "report.json": `{"benchmarks": "x"}`}, true},
	} {
		t.Run(name, func(t *testing.T) {
			answers := map[string]string{askArtifacts: c.artifacts, askComments: "[]", askNew: "{}", askZip: "no archive"}
			if c.request != "" {
				answers[askRequest] = c.request
			}
			if c.files != nil {
				answers[askZip] = archive(t, c.files)
			}
			asked, _, exit := comment(t, answers)
			if number := c.files["pull-request"]; number != "7" && number != "8" && strings.Contains(asked, "/pulls/") {
				t.Errorf("%q is taken for a number: asked\n%s", number, asked)
			}
			if exit != 0 != c.fails || strings.Contains(asked, "POST") || strings.Contains(asked, "PATCH") {
				t.Errorf("exit %d, asked\n%s", exit, asked)
			}
		})
	}
}

// The artifact of a request is data: nothing of it is interpreted as Markdown in the comment, whose length is bounded.
func TestACommentHoldsNothingThatARequestWrote(t *testing.T) {
	needs(t, "bash", "jq", "unzip")
	rows := []string{
		`{"package": "@owner/team", "name": "A` + "`" + `](https://example.com) <img src=x> | **b** \n# c @d", "outcome": "failed<b>", "ratio": {"center": "<b>", "lo": [1], "hi": {"x": "@d"}}, "long": "@d"}`,
		`{"package": {"x": "@d"}, "name": null, "outcome": null, "ratio": {"center": 1e308, "lo": -1e308, "hi": true}, "long": {"ratio": ["@d"]}}`,
		`{"name": "` + strings.Repeat("x", 5000) + `", "outcome": "undecided"}`, `"@d"`, `7`, `[]`, `null`,
	}
	for i := range 3000 {
		rows = append(rows, fmt.Sprintf(`{"package": "p", "name": "%d", "outcome": "failed"}`, i))
	}
	_, body, exit := comment(t, map[string]string{askArtifacts: artifacts, askRequest: request, askComments: "[]", askNew: "{}", askZip: archive(t, map[string]string{
		"pull-request": "7", "outcome": "passed\n@d <b>", "report.json": `{"benchmarks": [` + strings.Join(rows, ",") + `]}`, "../../x": "x", "/tmp/x": "x"})})
	if exit != 0 || len(body) > 20000 || strings.Count(body, "\n") > 60 || !strings.Contains(body, "3003 compared") {
		t.Errorf("exit %d, %d bytes:\n%s", exit, len(body), body)
	}
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		own := line == "<!-- strobe-gate -->" || line == "### Performance: unknown" || strings.Contains(line, "[The whole report](https://github.com/owner/m/actions/runs/5)")
		if own {
			continue
		}
		outside := ""
		for k, part := range strings.Split(line, "`") { // the odd ones are code
			if k%2 == 0 {
				outside += part
			}
		}
		if strings.Count(line, "`")%2 != 0 || strings.ContainsAny(line, "@<>*#\\(") || len(line) > 300 || i > 5 && line != "" && strings.Count(line, "|") != 6 {
			t.Errorf("line %d: %s (%s)", i, line, outside)
		}
	}
}

// The comment is made of what the action leaves in its folder.
func TestTheArtifactIsTheFolderOfTheAction(t *testing.T) {
	var w Workflow
	if err := Parse("gate.yml", read(t, "docs/workflows/gate.yml"), &w); err != nil {
		t.Fatal(err)
	}
	steps := w.Jobs["gate"].Steps
	upload := steps[len(steps)-1]
	of := Contexts{"github": map[string]any{"event_name": "pull_request"}, "steps": map[string]any{"gate": map[string]any{"outputs": map[string]any{"folder": "/f"}}}}
	path, err := Interpolate(upload.With["path"], of)
	v, wrong := Evaluate(upload.If, of)
	if err != nil || wrong != nil || path != "/f" || !isTrue(v) || upload.With["name"] != "strobe-gate" || !strings.HasPrefix(upload.Uses, "actions/upload-artifact@") {
		t.Errorf("%+v: %s, %v, %v, %v", upload, path, v, err, wrong)
	}
	if text := read(t, filepath.ToSlash("docs/workflows/gate-comment.yml")); !strings.Contains(text, "workflows: ["+w.Name+"]") {
		t.Error("the workflow that comments does not wait for the one that measures")
	}
}
