// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A repository of fourteen commits, of which one makes its benchmark three times as slow and the one before that, but one, does not
// build. The benchmark is built, in one layout, and its time is measured; the example in docs/bisect.md has several.
func TestBisectFindsACommitInARepository(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures several commits")
	}
	for _, tool := range []string{"git", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("makes a repository and builds its benchmark: ", err)
		}
	}
	keys := newJSONReader(t).keys("bisect")
	t.Chdir(t.TempDir())
	temp := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temp)
	}
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	git := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-c", "user.name=A. Name", "-c", "user.email=a@example.com"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	const slow, broken = 9, 7
	for i := range 14 {
		n, rest := "n", ""
		if i >= slow {
			n = "3*n"
		}
		if i == broken {
			rest = "\nvar _ = undefined\n"
		}
		for name, text := range map[string]string{
			"go.mod":      "module example.com/sum\n\ngo 1.24\n",
			"sum.go":      fmt.Sprintf("package sum\n\nfunc Sum(n int) (s int) {\n\tfor i := range %s {\n\t\ts ^= i*i + %d\n\t}\n\treturn s\n}\n%s", n, i, rest),
			"sum_test.go": "package sum\n\nimport \"testing\"\n\nfunc BenchmarkSum(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tSum(2000)\n\t}\n}\n",
		} {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		git("add", "-A")
		git("commit", "-q", "-m", fmt.Sprintf("change %d", i))
	}
	out, errout, code := strobe(t, "bisect", "HEAD~13..HEAD", "--gate=50%", "--layouts=0", "--run=2ms", "--json")
	var o struct {
		Culprit   string
		Confirmed bool
		Changes   []struct {
			Subject string
			Ratio   struct{ Lo float64 }
		}
		Skipped []struct{ Why string }
	}
	if err := json.Unmarshal([]byte(out), &o); err != nil {
		t.Fatalf("exit %d, %v, %s%s", code, err, out, errout)
	}
	if code != 0 || !o.Confirmed || o.Culprit != git("rev-parse", fmt.Sprintf("HEAD~%d", 13-slow)) || len(o.Changes) != 1 || o.Changes[0].Subject != "change 9" || !(o.Changes[0].Ratio.Lo > 1.5) {
		t.Errorf("exit %d, %s%s", code, out, errout)
	}
	for _, s := range o.Skipped {
		if !strings.Contains(s.Why, "undefined") {
			t.Errorf("skipped because %s", s.Why)
		}
	}
	var all any
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		t.Fatal(err)
	}
	if missing := check(all, "", keys); len(missing) > 0 {
		t.Errorf("%s", strings.Join(missing, "\n"))
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "strobe-*")); len(left) > 0 || git("status", "--porcelain") != "" || strings.Contains(git("worktree", "list"), "\n") {
		t.Errorf("left are %q, %s, %s", left, git("status", "--porcelain"), git("worktree", "list"))
	}
}
