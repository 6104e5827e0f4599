// SPDX-License-Identifier: BSD-3-Clause

// Package report writes frame-time captures as one page of HTML that needs nothing else: no network, no other file.
package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/strobe-go/strobe/frames"
)

// A Page is what there is to show.
type Page struct {
	Captures    []Capture
	Comparisons []Comparison
	Version     string // of the command that writes the page
}

// A Capture is one with what it says.
type Capture struct {
	frames.Capture
	Report frames.Report
}

// A Comparison is between two captures, named by their place in the list.
type Comparison struct {
	Base, Other int
	frames.Comparison
}

// Name returns what a capture is called: its process, or else its file.
func (c Capture) Name() string {
	switch name := c.Process; {
	case name == "":
		return c.File[strings.LastIndexAny(c.File, `/\`)+1:]
	case c.PID != 0:
		return fmt.Sprintf("%s (%d)", name, c.PID)
	default:
		return name
	}
}

// Seconds returns how long all frames took.
func (c Capture) Seconds() float64 {
	sum := 0.0
	for _, x := range c.Frames {
		sum += x
	}
	return sum / 1000
}

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

//go:embed page.js
var pageJS string

// view is what the template sees.
type view struct {
	Page
	Title       string
	Policy      string // what the page may load and run: its own style and script
	CSS         template.CSS
	JS          template.JS
	Data        data
	Tables      []table
	Differences []differences
}

// Write writes the page. Whatever a capture says about itself is shown as text and nothing else.
func Write(w io.Writer, p Page) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"class": class,
	}).Parse(pageHTML)
	if err != nil {
		return err
	}
	v := view{
		Page:   p,
		Title:  title(p),
		Policy: fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", hash(pageCSS), hash(pageJS)),
		CSS:    template.CSS(pageCSS),
		JS:     template.JS(pageJS),
		Data:   dataOf(p),
		Tables: []table{tableOf(p)},
	}
	for _, c := range p.Comparisons {
		v.Differences = append(v.Differences, differencesOf(p, c))
	}
	return t.Execute(w, v)
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func title(p Page) string {
	var names []string
	for _, c := range p.Captures {
		if len(names) == 3 {
			return strings.Join(names, ", ") + fmt.Sprintf(" and %d more", len(p.Captures)-3)
		}
		names = append(names, c.Name())
	}
	return strings.Join(names, ", ")
}

// colours is how many captures look different by colour; those beyond are dashed.
const colours = 6

// class returns the classes of whatever belongs to a capture.
func class(i int) string { return fmt.Sprintf("c%d d%d", i%colours, i/colours%3) }
