// SPDX-License-Identifier: BSD-3-Clause

package guide

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the skill from the guide")

// The skill is made from the guide: its text is here, with a line that the table of topics replaces, and the pages are the same.
//
//go:embed testdata/skill.md
var skillText string

const skillDir = "../../../../../skills/strobe"

// skill returns the files of the skill.
func skill() map[string]string {
	files := map[string]string{}
	table := "| situation | page |\n|---|---|\n"
	for _, topic := range Topics() {
		file := "references/" + topic.Name + ".md"
		table += fmt.Sprintf("| %s | [%s](%s), or `strobe guide %s` |\n", topic.Question, topic.Name, file, topic.Name)
		files[file] = "# " + topic.Question + "\n\n" + topic.Markdown
	}
	files["SKILL.md"] = strings.Replace(strings.ReplaceAll(skillText, "\r\n", "\n"), "TOPICS\n", table, 1)
	return files
}

func TestTheSkillSaysWhatTheGuideSays(t *testing.T) {
	files := skill()
	for name, want := range files {
		path := filepath.Join(skillDir, filepath.FromSlash(name))
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil || string(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n"))) != want {
			t.Errorf("%s is not what the guide says: %v (go test -run Skill -update in cmd/strobe/internal/verb/guide rewrites it)", path, err)
		}
	}
	found, err := filepath.Glob(filepath.Join(skillDir, "references", "*"))
	if err != nil || len(found)+1 != len(files) {
		t.Errorf("%d pages, %v, for %d topics", len(found), err, len(Topics()))
	}
}

// The rules for the front matter are those of agentskills.io.
func TestTheSkillHasItsFrontMatter(t *testing.T) {
	text := skill()["SKILL.md"]
	m := regexp.MustCompile(`^---\nname: (.*)\ndescription: (.*)\n(?:[a-z-]+: .*\n)*---\n\n# `).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no front matter: %.300q", text)
	}
	if name := m[1]; !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(name) || len(name) > 64 || name != filepath.Base(skillDir) {
		t.Errorf("the name is %q", name)
	}
	if n := len(m[2]); n > 1024 || strings.Contains(m[2], ": ") {
		t.Errorf("the description has %d characters, and may have 1024, and no colon: %s", n, m[2])
	}
	if n := strings.Count(text, "\n"); n > 100 {
		t.Errorf("%d lines: what is needed only sometimes belongs into a page", n)
	}
}
