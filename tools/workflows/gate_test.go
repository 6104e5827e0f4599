// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package workflows

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The action builds strobe and measures with it, in a shallow clone of a module in a subfolder, with flags for its go commands that
// strobe could not be built with. What it leaves becomes a comment, and code quality.
func TestARequestThatIsSlowerFails(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command and measures")
	}
	needs(t, "bash", "git", "go", "jq", "unzip", "xargs")
	origin := filepath.Join(t.TempDir(), "origin")
	git(t, ".", "init", "-q", "-b", "main", origin)
	commit := func(calls string) {
		write(t, 0o666, "module example.com/m\n\ngo 1.24\n", origin, "sub/go.mod")
		write(t, 0o666, "", origin, "sub/vendor/modules.txt")
		write(t, 0o666, "package p\n\nvar Sum int\n\nfunc Work() {\n\tfor i := range "+calls+" {\n\t\tSum ^= i\n\t}\n}\n", origin, "sub/p/p.go")
		write(t, 0o666, "package p\n\nimport \"testing\"\n\nfunc BenchmarkA(b *testing.B) {\n\tfor b.Loop() {\n\t\tWork()\n\t}\n}\n", origin, "sub/p/p_test.go")
		git(t, origin, "add", "-A", "-f")
		git(t, origin, "commit", "-q", "-m", calls)
	}
	commit("1000")
	git(t, origin, "checkout", "-q", "-b", "change")
	commit("10000")
	names := map[string]string{"side": git(t, origin, "rev-parse", "change"), "before": git(t, origin, "rev-parse", "main"), "former": git(t, origin, "rev-parse", "main")}
	clone := checkOut(t, origin, names["side"], "", 1)
	path, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	a := action(t)
	of := contexts(t, "pull_request", names, map[string]any{"base_ref": "main", "ref_name": "7/merge", "action_path": path}, a,
		map[string]string{"working-directory": "sub", "flags": "--layouts=0 --level=80% --run=5ms --bench 'A|No such'"})
	summary := filepath.Join(t.TempDir(), "summary")
	r := &Runner{Workspace: clone, Temp: t.TempDir(), Contexts: of, Env: []string{"GIT_CONFIG_GLOBAL=" + os.DevNull, "GITHUB_STEP_SUMMARY=" + summary, "GOFLAGS=-mod=vendor", "GOWORK=off"}}
	exit, err := r.Run(a.Runs.Steps)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("exit %d\n%s", exit, r.Log.String())
	out, err := r.Outputs(a)
	text, _ := os.ReadFile(summary)
	if err != nil || exit != 1 || out["outcome"] != "failed" || !strings.Contains(string(text), "### Performance: failed") || !strings.Contains(string(text), "| example.com/m/p | A |") {
		t.Errorf("exit %d, %v, %q, %s", exit, err, out, text)
	}
	file := "sub/p/p.go" // of the function that does more, or of the benchmark if the machine is too busy to tell the function
	if !strings.Contains(string(text), "since p.Work: +") && strings.Contains(string(text), "waited for a processor for") {
		file = "sub/p/p_test.go"
	}
	if !strings.Contains(r.Log.String(), "::error file="+file+",line=5,title=strobe gate::p.A costs +") {
		t.Error("nothing is marked")
	}
	left := map[string]string{}
	for _, name := range []string{"pull-request", "outcome", "report.json", "report.md"} {
		left[name] = note(out["folder"], name)
	}
	if _, body, exit := comment(t, map[string]string{askArtifacts: artifacts, askRequest: request, askComments: "[]", askNew: "{}", askZip: archive(t, left)}); exit != 0 ||
		!strings.Contains(body, "Performance: failed\n\n|") || !strings.Contains(body, "| `example.com/m/p` | `A` | +") || !strings.Contains(body, "] % |") {
		t.Errorf("exit %d, %s", exit, body)
	}
	stub := t.TempDir()
	write(t, 0o777, "#!/bin/sh\nprintf '%s' \"$JSON\"\nexit 1\n", stub, "strobe")
	if _, exit, report := gitLab(t, t.TempDir(), "JSON="+left["report.json"], "PATH="+stub+string(os.PathListSeparator)+os.Getenv("PATH")); exit != 1 || len(report) != 1 ||
		report[0].Location.Path != file || report[0].Location.Lines.Begin != 5 || report[0].Severity != "major" {
		t.Errorf("exit %d, %+v", exit, report)
	}
}
