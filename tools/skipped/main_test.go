// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const tests = `package p

import "testing"

func TestA(t *testing.T) { t.Log("quiet"); t.Skip("frobnicate is not in PATH") }
func TestB(t *testing.T) { t.Parallel(); t.Run("sub", func(t *testing.T) { t.Skipf("frobnicate %s", "is not\nin PATH") }) }
func TestC(t *testing.T) { t.Log("no word of this") }
func TestD(t *testing.T) { t.SkipNow() }
func TestE(t *testing.T) { t.Skip("a part of another test: runs in its process") }
func TestG(t *testing.T) { t.Skip("a part of another step: ./check emulated runs this") }
`

// module writes a module of these files and returns its folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module m\n\ngo 1.24\n"
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run runs a command in a folder, without the variables that check may have set for this test.
func run(t *testing.T, dir string, env []string, words ...string) (out string, err error) {
	t.Helper()
	if _, err := exec.LookPath(words[0]); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), "GOFLAGS=", "GOWORK=off", "STRICT="), env...)
	b, err := cmd.CombinedOutput()
	return string(b), err
}

func TestSkippedTestsAreListedByReason(t *testing.T) {
	for _, c := range []struct {
		name, more string
		failed     bool
		wants      []string
	}{
		{"passes", "", false, []string{"ok  \tm/p"}},
		{"fails", "func TestF(t *testing.T) { t.Error(\"wrong sum\") }\n", true, []string{"wrong sum", "--- FAIL: TestF", "FAIL\tm/p"}},
		{"panics", "func TestF(t *testing.T) { panic(\"boom\") }\n", true, []string{"panic: boom", "FAIL\tm/p"}},
		{"does not build", "func TestF(t *testing.T) { x }\n", true, []string{"undefined: x", "FAIL\tm/p [build failed]"}},
	} {
		dir := module(t, map[string]string{"p/p_test.go": tests + c.more})
		events, err := run(t, dir, nil, "go", "test", "-json", "./...")
		if (err != nil) != c.failed {
			t.Fatalf("%s: %v, %s", c.name, err, events)
		}
		var out bytes.Buffer
		r := &reader{out: &out, printed: map[[2]string][]string{}, tests: map[string][]string{}}
		file := filepath.Join(t.TempDir(), "skips")
		if err := r.read(strings.NewReader(events)); err != nil || r.failed != c.failed {
			t.Errorf("%s: %v, failed %v", c.name, err, r.failed)
		}
		if err := r.save(file); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.wants {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, out.String())
			}
		}
		for _, not := range []string{"no word", "quiet", "=== ", "PASS"} {
			if strings.Contains(out.String(), not) {
				t.Errorf("%s: %q in\n%s", c.name, not, out.String())
			}
		}
		const want = "p.TestA, p.TestB/sub: frobnicate is not in PATH\np.TestD: no reason given\n"
		if got, _ := os.ReadFile(file); c.name != "does not build" && c.name != "panics" && string(got) != want {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}

// Both scripts have the same function for downloads, which may fail for a while.
func TestDownloadsAreTriedAgain(t *testing.T) {
	for _, name := range []string{"../../check", "../../.ci/run"} {
		script, err := os.ReadFile(name)
		if err != nil {
			t.Skip("not in the repository: ", err)
		}
		_, rest, found := strings.Cut(string(script), "\nretry() {\n")
		body, _, ended := strings.Cut(rest, "\n}\n")
		if !found || !ended {
			t.Fatalf("%s has no function retry", name)
		}
		for _, c := range []struct {
			succeeds string
			tries    int
			failed   bool
		}{{"3", 3, false}, {"5", 5, false}, {"6", 5, true}} {
			out, err := run(t, ".", nil, "bash", "-c", "sleep() { :; }\nretry() {\n"+body+"\n}\ntried=0\ntry() { tried=$((tried + 1)); echo try $tried; [ $tried = "+c.succeeds+" ]; }\nretry try")
			if (err != nil) != c.failed || strings.Count("\n"+out, "\ntry ") != c.tries {
				t.Errorf("%s: %+v: %v\n%s", name, c, err, out)
			}
		}
	}
}

// The last lines of check name the skipped tests and the steps that were left out, with the reasons; skips in a short step do not
// count.
func TestCheckEndsWithWhatWasLeftOut(t *testing.T) {
	script, err := os.ReadFile("../../check")
	if err != nil {
		t.Skip("not in the repository: ", err)
	}
	source, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	tree := map[string]string{"check": string(script), "tools/go.mod": "module m/tools\n\ngo 1.24\n", "tools/skipped/main.go": string(source),
		"cmd/strobe/main.go": "package main\n\nfunc main() {}\n", "p/p_test.go": tests}
	_, list, _ := strings.Cut(string(script), "\nchecks=\"")
	list, _, _ = strings.Cut(list, "\"")
	for _, folder := range strings.Fields(list) {
		if name := strings.TrimPrefix(folder, "./"); name != "skipped" {
			tree["tools/"+name+"/"+name+".go"] = "package " + name + "\n"
		}
	}
	dir := module(t, tree)
	out, err := run(t, dir, []string{"CC=no-such-compiler"}, "bash", "./check", "test", "short", "race")
	_, end, _ := strings.Cut(out, "check took")
	if !regexp.MustCompile(`^ \d+ s, and [1-9]\d* s of processor time\n`).MatchString(end) {
		t.Errorf("no processor time of what builds three programs: %q", end)
	}
	if err != nil || !strings.Contains(end, "left out:\n    test: p.TestA, p.TestB/sub: frobnicate is not in PATH\n    test: p.TestD: no reason given\n    race: the race detector needs a C compiler") ||
		!strings.Contains(end, "no-such-compiler does not work here\n2 passed, 0 failed, 1 left out; tests were skipped for 2 reasons\n") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err = run(t, dir, []string{"CC=no-such-compiler", "STRICT=1"}, "bash", "./check", "race"); err == nil || !strings.Contains(out, "FAILED") {
		t.Errorf("a strict run leaves a step out: %v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "p", "p_test.go"), []byte(tests+"func TestF(t *testing.T) { t.Error(\"wrong sum\") }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err = run(t, dir, nil, "bash", "./check", "test"); err == nil || !strings.Contains(out, "wrong sum") || !strings.Contains(out, "failed: test\n") {
		t.Errorf("a test fails: %v\n%s", err, out)
	}
}

// A step that finds nothing to look at has no verdict.
func TestAStepThatFindsNothingFails(t *testing.T) {
	script, err := os.ReadFile("../../check")
	if err != nil {
		t.Skip("not in the repository: ", err)
	}
	tree := map[string]string{"check": string(script)}
	fails := func(steps ...string) {
		t.Helper()
		out, err := run(t, module(t, tree), nil, append([]string{"bash", "./check"}, steps...)...)
		if err == nil || !strings.Contains(out, "\nfailed: "+strings.Join(steps, " ")+"\n") {
			t.Errorf("%v\n%s", err, out)
		}
	}
	fails("fmt", "vet", "core", "oldest", "cross", "test", "short", "fuzz")

	// The packages are there, but nothing to build for other systems.
	list := regexp.MustCompile(`(?m)^core=\$\(echo (.*) (.*)/\{(.*)\}\)`).FindSubmatch(script)
	if list == nil {
		t.Fatal("check has no list of the core")
	}
	for _, name := range append(strings.Fields(string(list[1])), strings.Split(string(list[3]), ",")...) {
		if !slices.Contains(strings.Fields(string(list[1])), name) {
			name = string(list[2]) + "/" + name
		}
		tree[name+"/p.go"] = "package p\n"
	}
	tree["cmd/strobe/main.go"] = "package main\n\nfunc main() {}\n"
	tree["tools/go.mod"], tree["tools/arch/arch_test.go"] = "module m/tools\n\ngo 1.24\n", "package arch\n"
	fails("cross")

	// A name in the list of the core that is no longer that of a package.
	delete(tree, "clock/p.go")
	fails("core")
}
