// SPDX-License-Identifier: BSD-3-Clause

// Package report writes a report on frame-time captures as one page of HTML.
package report

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/strobe-go/strobe/internal/page"
)

//go:embed frames.html
var body string

//go:embed frames.js
var script string

// view is what the body shows.
type view struct {
	Page
	Tables      []table
	Differences []differences
}

// Write writes the page. Whatever a capture says about itself is shown as text and nothing else.
func Write(w io.Writer, p Page) error {
	v := view{Page: p, Tables: []table{tableOf(p)}}
	for _, c := range p.Comparisons {
		v.Differences = append(v.Differences, differencesOf(p, c))
	}
	return page.Write(w, page.Page{
		Title: "Frame times: " + title(p), Version: p.Version, Body: body, View: v, Data: dataOf(p), Script: script,
	})
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
