// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package workflows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// write writes a file into a folder, which it makes.
func write(t *testing.T, mode os.FileMode, text string, name ...string) string {
	t.Helper()
	file := filepath.Join(name...)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return file
}

// needs skips a test if a program that its scripts call is missing.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skip("the scripts want ", p, ": ", err)
		}
	}
}

// git runs git in a folder, without the settings of the machine.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	return strings.TrimSpace(string(gitWith(t, dir, "", args...)))
}

func gitWith(t *testing.T, dir, input string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(input)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, errors.String())
	}
	return out
}

// action reads action.yml.
func action(t *testing.T) (a Action) {
	t.Helper()
	if err := Parse("action.yml", read(t, "action.yml"), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// contexts returns those of an event whose payload is a file of testdata, in which names such as $main are replaced, and of the inputs
// of the action, where they are not the default.
func contexts(t *testing.T, payload string, names map[string]string, github map[string]any, a Action, inputs map[string]string) Contexts {
	t.Helper()
	text := os.Expand(read(t, "tools/workflows/testdata/"+payload+".json"), func(name string) string {
		if names[name] == "" {
			t.Fatalf("%s names %s", payload, name)
		}
		return names[name]
	})
	var event map[string]any
	if err := json.Unmarshal([]byte(text), &event); err != nil {
		t.Fatal(err)
	}
	all := map[string]any{"event": event}
	for name, v := range github {
		all[name] = v
	}
	given := map[string]any{}
	for name, in := range a.Inputs {
		given[name] = in.Default
	}
	for name, v := range inputs {
		if _, ok := given[name]; !ok {
			t.Fatalf("the action has no input %s", name)
		}
		given[name] = v
	}
	return Contexts{"github": all, "inputs": given}
}

// history makes a repository with a long history: main has 1400 commits; side is the last of 130 on the 150th before its end; merge
// is the one that GitHub makes of both, before the last commit of main was pushed; and old is main of another time.
func history(t *testing.T) (dir string, names map[string]string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "origin")
	git(t, ".", "init", "-q", "-b", "main", dir)
	var stream strings.Builder
	commit := func(branch string, mark int, parents ...int) {
		fmt.Fprintf(&stream, "commit refs/heads/%s\nmark :%d\ncommitter a <a@example.com> %d +0000\ndata 1\n.\n", branch, mark, 1e9+mark)
		for i, p := range parents {
			fmt.Fprintf(&stream, "%s :%d\n", []string{"from", "merge"}[i], p)
		}
		fmt.Fprintf(&stream, "M 644 inline sub/n\ndata %d\n%d\n", len(fmt.Sprint(mark)), mark)
	}
	commit("main", 1)
	for mark := 2; mark <= 1400; mark++ {
		commit("main", mark, mark-1)
	}
	commit("change", 1401, 1250)
	for mark := 1402; mark <= 1530; mark++ {
		commit("change", mark, mark-1)
	}
	commit("queue", 1531, 1399, 1530)
	commit("old", 1532, 1398)
	commit("alone", 1533)
	gitWith(t, dir, stream.String(), "fast-import", "--quiet")
	git(t, dir, "branch", "fresh", "main~5")
	names = map[string]string{}
	for name, rev := range map[string]string{"main": "main", "before": "main~1", "three": "main~3", "first": "alone", "fork": "main~150", "former": "change~1", "second": "change~2", "side": "change",
		"merge": "queue", "old": "old", "fresh": "fresh", "freshParent": "fresh~1", "oldParent": "old~1"} {
		names[name] = git(t, dir, "rev-parse", rev)
	}
	return dir, names
}

// checkOut makes a clone as actions/checkout does: of one commit, and with a depth above 0 of no more of its history; with 0, of all
// branches.
func checkOut(t *testing.T, origin, sha, branch string, depth int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "clone")
	git(t, ".", "init", "-q", "-b", "main", dir)
	git(t, dir, "remote", "add", "origin", "file://"+origin)
	args := []string{"fetch", "-q", "--no-tags"}
	if depth > 0 {
		args = append(args, fmt.Sprint("--depth=", depth), "origin")
	} else {
		git(t, dir, append(args, "origin", "+refs/heads/*:refs/remotes/origin/*")...)
		args = append(args, "origin")
	}
	if branch == "" { // a request
		git(t, dir, append(args, "+"+sha+":refs/remotes/pull/7/merge")...)
		git(t, dir, "checkout", "-q", "--force", "refs/remotes/pull/7/merge")
	} else {
		git(t, dir, append(args, "+"+sha+":refs/remotes/origin/"+branch)...)
		git(t, dir, "checkout", "-q", "--force", "-B", branch, "refs/remotes/origin/"+branch)
	}
	return dir
}
