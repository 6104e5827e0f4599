// SPDX-License-Identifier: BSD-3-Clause

// Package flame writes a page with a flame graph of what a benchmark costs on two sides: one file of HTML that needs no network.
package flame

import (
	_ "embed"
	"io"

	"github.com/strobe-go/strobe/cmd/strobe/internal/markup"
	"github.com/strobe-go/strobe/cmd/strobe/internal/profdiff"
	"github.com/strobe-go/strobe/internal/page"
)

// A Page is what to write.
type Page struct {
	Title    string // name of the benchmark
	Base     string // what is called so
	New      string
	Sentence string         // the verdict
	Effort   string         // what the profiles rest on
	Tree     *profdiff.Node // costs in ns of a call
	Tables   []Table
	Version  string // of the program that writes the page
}

// A Table is shown below the graph.
type Table struct {
	Title  string
	Titles []string
	Rows   [][]string
}

//go:embed flame.html
var body string

//go:embed flame.js
var script string

//go:embed flame.css
var style string

// Write writes the page. Names of functions are shown as text and nothing else.
func Write(w io.Writer, p Page) error {
	text, err := markup.Of(body, p)
	if err != nil {
		return err
	}
	return page.Write(w, page.Page{Title: "What made " + p.Title + " slower", Version: p.Version, Body: text, Data: p.Tree, Style: style, Script: script})
}
