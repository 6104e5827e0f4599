// SPDX-License-Identifier: BSD-3-Clause

// Package docs tests the documents: it runs the commands and compiles the Go code of README.md, docs/ and the package
// comments, compares the output shown with the actual output, and requires a source for each figure in the prose.
//
// CONTRIBUTING.md describes blocks and the comments above them.
package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A Block is a code block of a document.
type Block struct {
	File string // as given by the caller
	Line int    // of its first line of text
	Lang string // "sh", "go", or what the fence says
	Text string
	Ask  Ask

	Loose bool // Go: lower-case names may be undefined
}

// At returns "file:line".
func (b Block) At() string { return fmt.Sprintf("%s:%d", b.File, b.Line) }

// Ask holds the options in the comment above a block.
type Ask struct {
	Exit    int    // exit code of the last command
	Append  string // added to every command
	Pattern bool   // the output shown is an example: its words must be printed, its figures need not
	Skip    string // not run, for this reason
	Long    bool   // not run with -brief
	Same    string // the file, relative to the root, with the same text
	Given   string // Go declarations that the block uses, or commands that are run before those of the block
}

var askWords = regexp.MustCompile(`^(\w+)(?:=("[^"]*"|\S+))?\s*`)

// parseAsk reads the inside of <!-- docs: ... -->.
func parseAsk(text string) (Ask, error) {
	var a Ask
	head, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	for head = strings.TrimSpace(head); head != ""; {
		m := askWords.FindStringSubmatch(head)
		if m == nil {
			return a, fmt.Errorf("cannot read %q", head)
		}
		head = head[len(m[0]):]
		value := strings.Trim(m[2], `"`)
		var err error
		switch {
		case m[1] == "exit":
			a.Exit, err = strconv.Atoi(value)
		case m[1] == "append" && value != "":
			a.Append = value
		case m[1] == "pattern" && m[2] == "":
			a.Pattern = true
		case m[1] == "long" && m[2] == "":
			a.Long = true
		case m[1] == "skip" && value != "":
			a.Skip = value
		case m[1] == "file" && value != "":
			a.Same = value
		case m[1] == "given" && m[2] == "":
			a.Given = rest
		default:
			err = fmt.Errorf("cannot read %q", strings.TrimSpace(m[0]))
		}
		if err != nil {
			return a, err
		}
	}
	return a, nil
}

// Markdown returns the fenced blocks of a document.
func Markdown(file, text string) ([]Block, error) {
	var blocks []Block
	var ask Ask
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		switch {
		case strings.HasPrefix(line, "<!-- docs:"):
			start, comment := i, ""
			for !strings.Contains(lines[i], "-->") {
				if comment += lines[i] + "\n"; i+1 == len(lines) {
					return nil, fmt.Errorf("%s:%d: the comment has no end", file, start+1)
				}
				i++
			}
			before, _, _ := strings.Cut(lines[i], "-->")
			comment = strings.TrimPrefix(strings.TrimSpace(comment+before), "<!-- docs:")
			var err error
			if ask, err = parseAsk(comment); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, start+1, err)
			}
		case strings.HasPrefix(line, "```"):
			indent := lines[i][:strings.Index(lines[i], "`")]
			b := Block{File: file, Line: i + 2, Lang: language(line), Ask: ask}
			ask = Ask{}
			for i++; i < len(lines) && strings.TrimSpace(lines[i]) != "```"; i++ {
				b.Text += strings.TrimPrefix(lines[i], indent) + "\n"
			}
			if i == len(lines) {
				return nil, fmt.Errorf("%s:%d: the block has no end", file, b.Line-1)
			}
			blocks = append(blocks, b)
		case line != "" && !strings.HasPrefix(line, "<!--"):
			if ask != (Ask{}) {
				return nil, fmt.Errorf("%s:%d: no block follows the comment above", file, i+1)
			}
		}
	}
	return blocks, nil
}

// SameText compares a block with the file that its comment names. Licence and package comments above the package
// clause of a Go file do not count.
func (b Block) SameText(root string) error {
	if b.Ask.Same == "" {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(b.Ask.Same)))
	if err != nil {
		return fmt.Errorf("%s: %w", b.At(), err)
	}
	file := string(text)
	if filepath.Ext(b.Ask.Same) == ".go" {
		if at := strings.Index(file, "\npackage "); at >= 0 {
			file = file[at+1:]
		}
	}
	if strings.TrimSpace(file) != strings.TrimSpace(b.Text) {
		return fmt.Errorf("%s: differs from %s", b.At(), b.Ask.Same)
	}
	return nil
}

func language(fence string) string {
	word, _, _ := strings.Cut(strings.TrimLeft(fence, "`"), " ")
	switch word {
	case "sh", "shell", "bash", "console":
		return "sh"
	}
	return word
}
