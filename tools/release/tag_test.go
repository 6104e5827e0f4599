// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// checkout creates a small tree with two modules, committed on main and published to a bare repository. Its ./check is script.
func checkout(t *testing.T, script string) (root, bare string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("releases are made with git: ", err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("./check is a shell script, which Windows does not start")
	}
	for name, value := range map[string]string{"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b",
		"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"} {
		t.Setenv(name, value)
	}
	root = plant(t, map[string]string{
		"go.mod": modText("."), "cmd/strobe/go.mod": modText("cmd/strobe", "require "+library+" v0.1.0"),
		"check": "#!/bin/sh\n" + script, "CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2020-02-03\n\n- All of it.\n",
	})
	if err := os.Chmod(filepath.Join(root, "check"), 0o777); err != nil {
		t.Fatal(err)
	}
	bare = t.TempDir()
	mustGit(t, bare, "init", "--quiet", "--bare")
	mustGit(t, root, "init", "--quiet", "--initial-branch", branch)
	mustGit(t, root, "remote", "add", remote, bare)
	commit(t, root)
	mustGit(t, root, "push", "--quiet", remote, branch)
	return root, bare
}

func commit(t *testing.T, root string) {
	t.Helper()
	mustGit(t, root, "add", "--all")
	mustGit(t, root, "commit", "--quiet", "--allow-empty", "--message", "a change")
}

func mustGit(t *testing.T, root string, args ...string) string {
	t.Helper()
	out, err := git(root, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestAReleaseTagsTheCheckedCommitAndPublishesItOnce(t *testing.T) {
	tags := []string{"v0.1.0", "cmd/strobe/v0.1.0"}
	const strict = `test "$STRICT" = 1 && echo all is well`
	root, bare := checkout(t, strict)
	commit(t, root) // which is not published yet
	var out bytes.Buffer
	if err := release(root, "v0.1.0", false, &out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	first, second, command := strings.Index(text, "tagged v0.1.0\n"), strings.Index(text, "tagged cmd/strobe/v0.1.0\n"), "git push --atomic origin main v0.1.0 cmd/strobe/v0.1.0\n"
	if strings.Index(text, "all is well\n") != 0 || first < 0 || second < first || !strings.HasSuffix(text, command) {
		t.Errorf("it prints\n%s", text)
	}
	if got := mustGit(t, bare, "tag"); got != "" {
		t.Errorf("published without -push: %s", got)
	}
	if out, err := exec.Command("sh", "-c", "cd "+root+" && "+command).CombinedOutput(); err != nil {
		t.Fatalf("the command that it prints: %v\n%s", err, out)
	}
	for _, tag := range tags {
		if got, want := mustGit(t, bare, "rev-parse", tag+"^{commit}"), mustGit(t, root, "rev-parse", "HEAD"); got != want {
			t.Errorf("%s is %s, want %s", tag, got, want)
		}
	}

	root, bare = checkout(t, strict)
	commit(t, root)
	if err := release(root, "v0.1.0", true, &out); err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(mustGit(t, bare, "tag")); len(got) != 2 || !slices.Contains(got, tags[0]) || !slices.Contains(got, tags[1]) {
		t.Errorf("published are %q", got)
	}
	if got, want := mustGit(t, bare, "rev-parse", branch), mustGit(t, root, "rev-parse", "HEAD"); got != want {
		t.Errorf("main is %s, want %s", got, want)
	}
	mustGit(t, root, "tag", "--delete", tags[0], tags[1]) // the published tags remain
	if err := release(root, "v0.1.0", true, &out); err == nil || !strings.Contains(err.Error(), "the tag v0.1.0 exists") {
		t.Errorf("a second release gives %v", err)
	}
}

func TestAReleaseIsRefused(t *testing.T) {
	for what, c := range map[string]struct {
		check   string
		version string
		prepare func(root, bare string)
		says    string
	}{
		"another version":      {"exit 0", "v0.2.0", nil, "require v0.1.0 of the library, not v0.2.0"},
		"a failing check":      {"exit 1", "v0.1.0", nil, "./check: exit status 1"},
		"another branch":       {"exit 0", "v0.1.0", func(root, _ string) { mustGit(t, root, "switch", "--quiet", "--create", "side") }, `the branch is "side"`},
		"a changed file":       {"exit 0", "v0.1.0", func(root, _ string) { write(t, root, "go.mod", modText(".", "// changed")) }, "M go.mod"},
		"a file unknown":       {"exit 0", "v0.1.0", func(root, _ string) { write(t, root, "new.go", "package x") }, "?? new.go"},
		"a check that edits":   {"echo >>go.mod", "v0.1.0", nil, "the checkout changed while ./check ran"},
		"a check that commits": {"git commit --quiet --allow-empty --message x", "v0.1.0", nil, "the checkout changed while ./check ran"},
		"a tag here":           {"exit 0", "v0.1.0", func(root, _ string) { mustGit(t, root, "tag", "cmd/strobe/v0.1.0") }, "the tag cmd/strobe/v0.1.0 exists"},
		"a tag there":          {"exit 0", "v0.1.0", func(_, bare string) { mustGit(t, bare, "tag", "v0.1.0", branch) }, "the tag v0.1.0 exists"},
		"no changelog": {"exit 0", "v0.1.0", func(root, _ string) {
			write(t, root, "CHANGELOG.md", "# Changelog\n")
			commit(t, root)
		}, "CHANGELOG.md: it has no section ## [0.1.0]"},
		"a main that went on": {"exit 0", "v0.1.0", func(root, _ string) {
			commit(t, root)
			mustGit(t, root, "push", "--quiet", remote, branch)
			mustGit(t, root, "reset", "--quiet", "--hard", "HEAD~1")
		}, "main of origin has commits that are not here"},
	} {
		root, bare := checkout(t, c.check)
		if c.prepare != nil {
			c.prepare(root, bare)
		}
		tags := mustGit(t, root, "tag")
		var out bytes.Buffer
		err := release(root, c.version, true, &out)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s gives %v, want %q", what, err, c.says)
		}
		if got := mustGit(t, root, "tag"); got != tags {
			t.Errorf("%s leaves the tags %q", what, got)
		}
	}
}

func TestAChangelogHasADatedSectionAndNothingUnreleased(t *testing.T) {
	today := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	for text, says := range map[string]string{
		"## [Unreleased]\n\n## [1.2.3] - 2026-02-03\n\n- x\n\n## [1.2.2] - 2025-01-01\n": "",
		"## [1.2.3] - 2026-02-02\n### Added\n- x\n":                                      "",
		"## [1.2.3]\n- x\n":                                         "write ## [1.2.3] - 2026-02-03",
		"## [1.2.3] - soon\n- x\n":                                  "write ## [1.2.3] - 2026-02-03",
		"## [1.2.3] - 2026-02-04\n- x\n":                            "future",
		"## [1.2.3] - 2026-02-03\n\n## [1.2.2] - 2025-01-01\n- x\n": "says nothing",
		"## [Unreleased]\n- y\n\n## [1.2.3] - 2026-02-03\n\n- x\n":  "has unreleased changes",
		"## [1.2.2] - 2025-01-01\n- x\n":                            "it has no section ## [1.2.3] - 2026-02-03",
		"":                                                          "it has no section",
	} {
		found, err := section(text, "v1.2.3", today)
		if err == nil && !strings.HasSuffix(found, "- x") {
			t.Errorf("%q: the section is %q", text, found)
		}
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%q gives %v, want %q", text, err, says)
		}
	}
}
