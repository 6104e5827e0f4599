// SPDX-License-Identifier: BSD-3-Clause

// Package report writes a report on frame-time captures as one page of HTML.
package report

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/markup"
	"github.com/strobe-go/strobe/internal/page"
)

//go:embed frames.html
var body string

//go:embed frames.js
var script string

//go:embed frames.css
var style string

// view is what the body shows.
type view struct {
	Page
	Captures    []shown
	Groups      []shownGroup
	Tables      []table
	Differences []differences
	Folded      bool // there are too many differences to show all
}

// shown is a capture as the page names it.
type shown struct {
	Capture
	Label  string // its name, with what distinguishes it from the others
	File   string // without folders unless they are wanted
	Colour int
}

// shownGroup is a group as the page shows it.
type shownGroup struct {
	Group
	Colour int
	Runs   []shown
}

// named names the captures of a page: by their group, by their process, or by their file where several have one process.
func (p Page) named() (out []shown) {
	names, files := map[string]int{}, map[string]int{}
	for _, c := range p.Captures {
		names[c.Name()]++
		files[last(c.File, 1)]++
	}
	for i, c := range p.Captures {
		s := shown{Capture: c, Label: c.Name(), File: c.File, Colour: i}
		if !p.Paths {
			s.File = last(c.File, 1)
		}
		switch file := last(c.File, 1); {
		case names[s.Label] == 1:
		case files[file] == 1:
			s.Label = file
		case last(c.File, 2) != file:
			s.Label = last(c.File, 2)
		}
		for k, g := range p.Groups {
			if at := slices.Index(g.Members, i); at >= 0 {
				s.Label, s.Colour = fmt.Sprintf("%s, run %d", g.Name, at+1), k
			}
		}
		out = append(out, s)
	}
	return out
}

// last returns the last n elements of a path.
func last(path string, n int) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' || path[i] == '\\' {
			if n--; n == 0 {
				return path[i+1:]
			}
		}
	}
	return path
}

// Write writes the page. Names from a capture are always shown as text.
func Write(w io.Writer, p Page) error {
	captures := p.named()
	v := view{Page: p, Captures: captures, Tables: []table{tableOf(p)}}
	for k, g := range p.Groups {
		s := shownGroup{Group: g, Colour: k}
		for _, i := range g.Members {
			s.Runs = append(s.Runs, captures[i])
		}
		v.Groups = append(v.Groups, s)
	}
	for _, c := range p.Comparisons {
		v.Differences = append(v.Differences, differencesOf(captures, c))
	}
	for _, c := range p.GroupComparisons {
		v.Differences = append(v.Differences, groupDifferencesOf(p, c))
	}
	v.Folded = len(v.Differences) > 3
	text, err := markup.Of(body, v)
	if err != nil {
		return err
	}
	return page.Write(w, page.Page{
		Title: "Frame times: " + title(p), Version: p.Version, Body: text, Data: dataOf(p, captures), Style: style, Script: script,
	})
}

func title(p Page) string {
	var names []string
	for _, g := range p.Groups {
		names = append(names, g.Name)
	}
	if len(names) > 0 {
		return strings.Join(names, ", ")
	}
	for _, c := range p.Captures {
		if len(names) == 3 {
			return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", len(p.Captures)-3)
		}
		names = append(names, c.Name())
	}
	return strings.Join(names, ", ")
}
