// SPDX-License-Identifier: BSD-3-Clause

package guide

import (
	"embed"
	"strings"
)

// order is that of the list.
var order = [...]string{"slow-sometimes", "slow-always", "slower-since", "faster", "machine", "numbers", "instrument", "ci"}

// The pages are Markdown, with a title and blocks of commands and of Go. The tests of the documents run them.
//
//go:embed topics/*.md
var pages embed.FS

// A Topic is one page.
type Topic struct {
	Name     string
	Question string // its title
	Markdown string // the rest
}

// Topics returns all pages, in the order of the list.
func Topics() []Topic {
	all := make([]Topic, len(order))
	for i, name := range order {
		page, err := pages.ReadFile("topics/" + name + ".md")
		if err != nil {
			panic(err) // the tests read every page
		}
		title, rest, _ := strings.Cut(strings.ReplaceAll(string(page), "\r\n", "\n"), "\n")
		all[i] = Topic{name, strings.TrimPrefix(title, "# "), withoutComments(strings.TrimSpace(rest)) + "\n"}
	}
	return all
}

// withoutComments returns a page without the comments that are for its tests.
func withoutComments(page string) string {
	for {
		before, rest, found := strings.Cut(page, "<!--")
		_, after, ended := strings.Cut(rest, "-->\n")
		if !found || !ended {
			return page
		}
		page = before + after
	}
}

// text returns the page for a terminal: blocks are indented, and quotes around code are left out.
func (t Topic) text() string {
	var b strings.Builder
	block := false
	for line := range strings.Lines(t.Markdown) {
		switch {
		case strings.HasPrefix(line, "```"):
			block = !block
		case block && line != "\n":
			b.WriteString("    " + strings.ReplaceAll(line, "\t", "    "))
		case block:
			b.WriteString(line)
		default:
			b.WriteString(strings.ReplaceAll(line, "`", ""))
		}
	}
	return b.String()
}

// commands returns what the page says to run, in order.
func (t Topic) commands() []string {
	var all []string
	for line := range strings.Lines(t.Markdown) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			all = append(all, strings.TrimSpace(command))
		}
	}
	return all
}

// find returns the topic of a name.
func find(name string) (t Topic, ok bool) {
	for _, t := range Topics() {
		if t.Name == name {
			return t, true
		}
	}
	return Topic{}, false
}
