// SPDX-License-Identifier: BSD-3-Clause

// Package page writes self-contained HTML pages, which need no network and no other file. Frame-time reports, benchmark
// reports and the live page share its colours, scales, axes and number formats, in page.css and page.js.
//
// A page consists of a body and of a script, which draws the plots with the functions in the global "page" of page.js. The
// content security policy of the page allows only its own style and script, by their hashes.
//
// The package does not use html/template, which would more than double a program that links it: the library writes pages too.
package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// HTML is markup, in which all text is escaped.
type HTML string

// Text returns text as markup that shows it.
func Text(text string) HTML { return HTML(html.EscapeString(text)) }

// A Page is what to write.
type Page struct {
	Title   string
	Version string // of the program that writes the page; may be empty
	Body    HTML
	ID      string // of the element with Data; empty means "data"
	Data    any    // data for the script, which reads it from the element; it must marshal to JSON
	Style   string // additional CSS; may be empty
	Script  string // code that draws the plots; may be empty
	Connect bool   // the script asks the server of the page for more
}

//go:embed page.html
var shell string

//go:embed page.css
var style string

//go:embed page.js
var script string

//go:embed lanes.js
var lanes string

// Style returns page.css, for a server whose pages load it as a file.
func Style() string { return style }

// Script returns page.js, for a server whose pages load it as a file. It must run before scripts that use its global "page".
func Script() string { return script }

// Lanes returns lanes.js, to begin a script with that draws rows of boxes: page.lanes.
func Lanes() string { return lanes }

// Write writes the page. Title, Version and Data are shown as text and never become part of the page's code.
func Write(w io.Writer, p Page) error {
	data, err := json.Marshal(p.Data) // escapes what would end the element
	if err != nil {
		return err
	}
	id := p.ID
	if id == "" {
		id = "data"
	}
	promise := "This file needs no network and sends nothing."
	if p.Connect {
		promise = "It asks only the program that serves it."
	}
	css, js := style+p.Style, script+p.Script
	_, err = strings.NewReplacer("{{promise}}", promise, "{{title}}", html.EscapeString(p.Title), "{{writer}}", html.EscapeString(strings.TrimSpace("strobe "+p.Version)),
		"{{policy}}", html.EscapeString(policy(css, js, p.Connect)), "{{style}}", css, "{{body}}", string(p.Body), "{{id}}", html.EscapeString(id), "{{data}}", string(data),
		"{{script}}", js).WriteString(w, shell)
	return err
}

// policy allows the page its own style and script, its own server if it connects, and nothing else.
func policy(css, js string, connect bool) string {
	own := ""
	if connect {
		own = " connect-src 'self';"
	}
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s';%s base-uri 'none'; form-action 'none'", hash(css), hash(js), own)
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Class returns the CSS classes that give series i, from 0, its colour. There are six colours; further series have dashed and
// then dotted lines.
func Class(i int) string {
	const colours = 6
	return fmt.Sprintf("c%d d%d", i%colours, i/colours%3)
}

// Floats packs numbers as little-endian float32 in base64, which page.floats reads.
func Floats(x []float64) string {
	b := make([]byte, 0, 4*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
	}
	return base64.StdEncoding.EncodeToString(b)
}

// Rounded rounds x to eight significant digits, more than a plot shows, so that the data of a page stays short.
func Rounded(x float64) float64 {
	if x == 0 {
		return 0
	}
	scale := math.Pow(10, 8-math.Ceil(math.Log10(math.Abs(x))))
	return math.Round(x*scale) / scale
}
