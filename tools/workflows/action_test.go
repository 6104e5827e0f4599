// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package workflows

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// stubs are a go command that "builds" a strobe which records its arguments. They write their records to $STUB.
var stubs = map[string]string{
	"go": `env > "$STUB/go.env"; [ "$1 $2 $4" = "build -o ./cmd/strobe" ] && [ -d cmd/strobe ] && mkdir -p "$3" && cp "$STUB/strobe" "$3"`,
	"strobe": `pwd > "$STUB/folder"; env > "$STUB/env"
for a; do printf '%s\0' "$a"; done > "$STUB/args"
[ "$1 $2 $3 $4" = "gate --json --annotate --markdown" ] || exit 99
git merge-base HEAD "$6" > "$STUB/base"
code=$(cat "$STUB/code")
if [ $code != 2 ]; then echo "### Report" > "$5"; echo '{}'; fi
exit $code`,
}

// runAction runs the steps of the action in a clone, with a strobe that ends with a code.
func runAction(t *testing.T, a Action, clone string, of Contexts, code string, env ...string) (r *Runner, stub string, exit int) {
	t.Helper()
	stub = t.TempDir()
	for name, script := range stubs {
		write(t, 0o777, "#!/bin/sh\n"+script+"\n", stub, name)
	}
	write(t, 0o666, code, stub, "code")
	path, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	of["github"].(map[string]any)["action_path"] = path
	r = &Runner{Workspace: clone, Temp: t.TempDir(), Contexts: of, Env: append([]string{"STUB=" + stub, "PATH=" + stub + string(os.PathListSeparator) + os.Getenv("PATH"),
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GITHUB_STEP_SUMMARY=" + filepath.Join(stub, "summary")}, env...)}
	if exit, err = r.Run(a.Runs.Steps); err != nil {
		t.Fatal(err)
	}
	t.Logf("exit %d\n%s", exit, r.Log.String())
	return r, stub, exit
}

// note returns what a stub has recorded; "" if it was not called.
func note(stub, name string) string {
	text, _ := os.ReadFile(filepath.Join(stub, name))
	return strings.TrimSpace(string(text))
}

// The base of every event is a commit that the checkout has or can fetch, and never HEAD.
func TestTheActionFindsTheBaseOfAnEvent(t *testing.T) {
	needs(t, "bash", "git", "xargs")
	a := action(t)
	origin, names := history(t)
	for name, c := range map[string]struct {
		payload, baseRef, refName string
		base                      string // input
		commit, branch            string // checked out
		want, called              string // the commit of the base, and what it is called
		error                     bool
	}{
		"request":                            {"pull_request", "main", "7/merge", "", "merge", "", "before", "origin/main", false},
		"request, its own commit":            {"pull_request", "main", "7/merge", "", "side", "", "fork", "origin/main", false},
		"request, base given":                {"pull_request", "main", "7/merge", "old", "merge", "", "oldParent", "origin/old", false},
		"request, base is a commit":          {"pull_request", "main", "7/merge", names["three"], "merge", "", "three", "", false},
		"request, base before HEAD":          {"pull_request", "main", "7/merge", "HEAD~2", "side", "", "second", "HEAD~2", false},
		"request, base unknown":              {"pull_request", "main", "7/merge", "no-such", "merge", "", "", "", true},
		"request, base is a flag":            {"pull_request", "main", "7/merge", "--upload-pack=x", "merge", "", "", "", true},
		"request, base unrelated":            {"pull_request", "main", "7/merge", "alone", "merge", "", "", "", true},
		"merge queue":                        {"merge_group", "", "gh-readonly-queue/main/pr-7", "", "merge", "queue", "before", "", false},
		"push":                               {"push", "", "main", "", "main", "main", "before", "", false},
		"push, base is the branch":           {"push", "", "main", "main", "main", "main", "before", "HEAD^", false},
		"push after the history was changed": {"push", "", "main", "", "old", "main", "oldParent", "", false},
		"push of a new branch":               {"push_new_branch", "", "change", "", "side", "change", "fork", "origin/main", false},
		"push of a new branch without work":  {"push_new_branch", "", "fresh", "", "fresh", "fresh", "freshParent", "HEAD^", false},
		"schedule":                           {"schedule", "", "main", "", "main", "main", "before", "HEAD^", false},
		"first commit":                       {"push_first", "", "main", "", "first", "main", "", "", false},
	} {
		for depth := range 2 {
			t.Run(name+[]string{", all", ", shallow"}[depth], func(t *testing.T) {
				clone := checkOut(t, origin, names[c.commit], c.branch, depth)
				of := contexts(t, c.payload, names, map[string]any{"base_ref": c.baseRef, "ref_name": c.refName}, a, map[string]string{"base": c.base, "working-directory": "sub"})
				r, stub, exit := runAction(t, a, clone, of, "0")
				args := strings.Split(note(stub, "args"), "\x00")
				switch {
				case c.error:
					if exit != 2 || note(stub, "args") != "" || !strings.Contains(r.Log.String(), "::error title=strobe gate::") {
						t.Errorf("exit %d, %q", exit, args)
					}
				case c.want == "":
					out, err := r.Outputs(a)
					if err != nil || exit != 3 || note(stub, "args") != "" || out["outcome"] != "undecided" || out["json"] != "" || !strings.Contains(note(stub, "summary"), "first commit") {
						t.Errorf("exit %d, %q, %q, %v", exit, args, out, err)
					}
				default:
					if exit != 0 || note(stub, "base") != names[c.want] || c.called != "" && args[5] != c.called {
						t.Errorf("exit %d, base %s, want %s, called %q", exit, note(stub, "base"), names[c.want], args)
					}
				}
				if name == "request, its own commit" && depth == 1 && git(t, clone, "rev-parse", "--is-shallow-repository") != "true" {
					t.Error("all of the history was fetched for 150 commits of 1530")
				}
			})
		}
	}
}

// Inputs of a workflow reach strobe unchanged, and are never executed.
func TestTheActionPassesItsInputsOn(t *testing.T) {
	needs(t, "bash", "git", "xargs")
	a := action(t)
	origin, names := history(t)
	clone := checkOut(t, origin, names["merge"], "", 2)
	request := map[string]any{"base_ref": "main", "ref_name": "7/merge"}
	for name, c := range map[string]struct {
		inputs map[string]string
		want   []string
	}{
		"none":     {nil, []string{"./..."}},
		"packages": {map[string]string{"packages": "./a  ./b/..."}, []string{"./a", "./b/..."}},
		"quotes": {map[string]string{"flags": "--bench 'Decode|Big File' --gate \"Big File=3%\"\n--max-time\t10m -- -tags a\\ b -ldflags='-s -w'\n"},
			[]string{"./...", "--bench", "Decode|Big File", "--gate", "Big File=3%", "--max-time", "10m", "--", "-tags", "a b", "-ldflags=-s -w"}},
		"a shell's words": {map[string]string{"flags": "$(touch x) `touch x` ; touch x && * ~ $HOME > x '$(touch x)' ${PATH} # x"},
			[]string{"./...", "$(touch", "x)", "`touch", "x`", ";", "touch", "x", "&&", "*", "~", "$HOME", ">", "x", "$(touch x)", "${PATH}", "#", "x"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, stub, exit := runAction(t, a, clone, contexts(t, "pull_request", names, request, a, c.inputs), "0")
			args := strings.Split(strings.TrimSuffix(note(stub, "args"), "\x00"), "\x00")
			if exit != 0 || !slices.Equal(args[6:], c.want) {
				t.Errorf("exit %d, %q, want %q", exit, args, c.want)
			}
			if dir := note(stub, "folder"); filepath.Base(dir) != "clone" {
				t.Errorf("it ran in %s", dir)
			}
			if _, err := os.Stat(filepath.Join(clone, "x")); err == nil {
				t.Error("an input was run")
			}
		})
	}
	for name, inputs := range map[string]map[string]string{"open quote": {"flags": "--bench 'A"}, "undecided": {"undecided": "ignore"}, "folder": {"working-directory": "sub/none"}} {
		if name == "folder" {
			continue // the runner reports this itself
		}
		if _, stub, exit := runAction(t, a, clone, contexts(t, "pull_request", names, request, a, inputs), "0"); exit == 0 || note(stub, "args") != "" {
			t.Errorf("%s: exit %d", name, exit)
		}
	}
	_, stub, exit := runAction(t, a, clone, contexts(t, "pull_request", names, request, a, map[string]string{"working-directory": "sub"}), "0",
		"GOFLAGS=-mod=vendor", "GOWORK=/elsewhere/go.work", "GOTOOLCHAIN=local")
	if exit != 0 || filepath.Base(note(stub, "folder")) != "sub" {
		t.Errorf("exit %d, in %s", exit, note(stub, "folder"))
	}
	if env := strings.Split(note(stub, "go.env"), "\n"); slices.Contains(env, "GOFLAGS=-mod=vendor") || slices.Contains(env, "GOWORK=/elsewhere/go.work") || !slices.Contains(env, "GOTOOLCHAIN=auto") {
		t.Errorf("strobe is built with %q", env)
	}
	if env := strings.Split(note(stub, "env"), "\n"); !slices.Contains(env, "GOFLAGS=-mod=vendor") || !slices.Contains(env, "GOWORK=/elsewhere/go.work") || !slices.Contains(env, "GOTOOLCHAIN=local") {
		t.Errorf("the module is measured with %q", env)
	}
	if _, stub, exit := runAction(t, a, clone, contexts(t, "pull_request", names, request, a, nil), "0", "GITHUB_EVENT_NAME=pull_request_target"); exit != 2 || note(stub, "go.env") != "" {
		t.Errorf("pull_request_target: exit %d", exit)
	}
}

func TestTheActionSaysWhatItFound(t *testing.T) {
	needs(t, "bash", "git", "xargs")
	a := action(t)
	origin, names := history(t)
	clone := checkOut(t, origin, names["merge"], "", 2)
	for _, c := range []struct{ code, undecided, outcome, exit string }{
		{"0", "fail", "passed", "0"}, {"1", "fail", "failed", "1"}, {"2", "fail", "error", "2"}, {"3", "fail", "undecided", "3"}, {"3", "pass", "undecided", "0"},
		{"4", "pass", "broken", "4"}, {"1", "pass", "failed", "1"}, {"5", "fail", "error", "5"}, {"130", "fail", "error", "130"},
	} {
		of := contexts(t, "pull_request", names, map[string]any{"base_ref": "main", "ref_name": "7/merge"}, a, map[string]string{"undecided": c.undecided})
		r, _, exit := runAction(t, a, clone, of, c.code)
		out, err := r.Outputs(a)
		if err != nil || c.exit != written(float64(exit)) || out["outcome"] != c.outcome || out["exit-code"] != c.code {
			t.Errorf("%+v: exit %d, %q, %v", c, exit, out, err)
		}
		for file, want := range map[string]string{"pull-request": "7", "outcome": c.outcome} {
			if got := note(out["folder"], file); got != want {
				t.Errorf("%+v: %s has %q", c, file, got)
			}
		}
		if c.code == "2" {
			if out["json"]+out["markdown"] != "" || note(out["folder"], "report.json") != "" {
				t.Errorf("%+v: %q", c, out)
			}
			continue
		}
		if out["json"] != filepath.Join(out["folder"], "report.json") || note(out["folder"], "report.json") != "{}" || out["markdown"] != filepath.Join(out["folder"], "report.md") ||
			!strings.Contains(r.Log.String(), "### Report") {
			t.Errorf("%+v: %q, %s", c, out, r.Log.String())
		}
	}
}
