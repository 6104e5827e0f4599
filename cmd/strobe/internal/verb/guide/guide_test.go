// SPDX-License-Identifier: BSD-3-Clause

package guide

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
)

func verb() cli.Verb {
	return cli.Verb{Name: "guide", Summary: "Says what to do next: a page for each situation.", Command: new(Command)}
}

func TestTheListNamesEachTopicWithItsQuestion(t *testing.T) {
	out, errout, code := clitest.Run(t, verb(), "", "guide")
	if code != 0 || errout != "" {
		t.Fatalf("exit %d, %q", code, errout)
	}
	clitest.Fits(t, out, 20, 80)
	for _, topic := range Topics() {
		if !strings.Contains(out, "\n"+topic.Name+" ") || !strings.Contains(out, topic.Question+"\n") || !strings.HasSuffix(topic.Question, "?") {
			t.Errorf("%s, %q, is not listed in\n%s", topic.Name, topic.Question, out)
		}
	}
	files, err := filepath.Glob("topics/*.md")
	if err != nil || len(files) != len(Topics()) {
		t.Errorf("%d files, %v: %d topics are listed", len(files), err, len(Topics()))
	}
}

func TestEachTopicIsAPage(t *testing.T) {
	for _, topic := range Topics() {
		out, errout, code := clitest.Run(t, verb(), "", "guide", topic.Name)
		if code != 0 || errout != "" || !strings.HasPrefix(out, topic.Question+"\n\n") {
			t.Errorf("%s: exit %d, %q, %q", topic.Name, code, errout, out)
		}
		if strings.Contains(out, "```") || strings.Contains(out, "<!--") || strings.Contains(out, "\n\n\n") {
			t.Errorf("%s is not for a terminal:\n%s", topic.Name, out)
		}
		if len(topic.commands()) == 0 && topic.Name != "instrument" {
			t.Errorf("%s has no command", topic.Name)
		}
		for _, command := range topic.commands() {
			if !strings.Contains(out, "    $ "+command+"\n") {
				t.Errorf("%s does not show %q", topic.Name, command)
			}
		}
		clitest.Fits(t, out, 60, 80)
	}
}

// Each topic that a page sends its reader to is there.
func TestTopicsLeadToTopics(t *testing.T) {
	for _, topic := range Topics() {
		for _, part := range strings.Split(topic.Markdown, "`strobe guide ")[1:] {
			name, _, _ := strings.Cut(part, "`")
			if _, ok := find(name); !ok {
				t.Errorf("%s leads to %q, which is no topic", topic.Name, name)
			}
		}
	}
}

func TestATopicMayBeWrittenAsWords(t *testing.T) {
	want, _, _ := clitest.Run(t, verb(), "", "guide", "slow-sometimes")
	if got, errout, code := clitest.Run(t, verb(), "", "guide", "Slow", "sometimes"); code != 0 || got != want {
		t.Errorf("exit %d, %s%s", code, got, errout)
	}
}

func TestAnUnknownTopicNamesTheNearest(t *testing.T) {
	for given, want := range map[string]string{
		"slow-allways": "slow-always", "slower": "slower-since", "number": "numbers", "mashine": "machine", "benchmarks": "ci", "noisy": "faster",
		"requests": "slow-sometimes", "": "instrument", strings.Repeat("x", 1<<16): "slow-sometimes",
	} {
		out, errout, code := clitest.Run(t, verb(), "", "guide", given)
		if code != 2 || out != "" || strings.Count(errout, "\n") != 1 {
			t.Errorf("%.20q: exit %d, %q, %.200q", given, code, out, errout)
		}
		if len(given) < 100 && !strings.Contains(errout, "the nearest is "+want+" ") {
			t.Errorf("%q: %s", given, errout)
		}
	}
}

func TestJSONHasThePageAndItsCommands(t *testing.T) {
	var o struct {
		Schema                int
		Topic, Question, Text string
		Commands              []string
		Topics                []struct{ Topic, Question string }
	}
	out, _, code := clitest.Run(t, verb(), "", "guide", "machine", "--json")
	if err := json.Unmarshal([]byte(out), &o); err != nil || code != 0 || o.Schema != 1 || o.Topic != "machine" || o.Commands[0] != "strobe probe" ||
		!strings.Contains(o.Text, "$ strobe probe\n") || len(o.Topics) != 0 {
		t.Errorf("exit %d, %v, %s", code, err, out)
	}
	out, _, code = clitest.Run(t, verb(), "", "guide", "--json")
	if err := json.Unmarshal([]byte(out), &o); err != nil || code != 0 || len(o.Topics) != len(Topics()) || o.Topics[0].Question == "" {
		t.Errorf("exit %d, %v, %s", code, err, out)
	}
}

func TestHelpFits(t *testing.T) { clitest.Help(t, verb(), 40) }
