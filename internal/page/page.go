// SPDX-License-Identifier: BSD-3-Clause

// Package page writes self-contained HTML pages, which need no network and no other file. Frame-time reports, benchmark
// reports and the live page share its colours, scales, axes and number formats, in page.css and page.js.
//
// A page consists of a body, a template of package html/template, and a script, which draws the plots with the functions
// that page.js puts into its global "page". The content security policy of the page allows only its own style and script,
// by their hashes.
package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
)

// A Page is what to write.
type Page struct {
	Title   string
	Version string // of the program that writes the page
	Body    string // template of what stands in the body; it has the function "class"
	View    any    // what the template shows
	Data    any    // what the script finds in page.data; it must marshal to JSON
	Style   string // CSS beside that of every page; may be empty
	Script  string // what draws the plots; may be empty
}

//go:embed page.html
var shell string

//go:embed page.css
var style string

//go:embed page.js
var script string

// Style returns page.css, for a server whose pages load it as a file.
func Style() string { return style }

// Script returns page.js, for a server whose pages load it as a file. It must run before what uses its global "page".
func Script() string { return script }

// Write writes the page. Whatever View and Data hold is shown as text and never becomes part of the page's code.
func Write(w io.Writer, p Page) error {
	t, err := template.New("page").Funcs(template.FuncMap{"class": Class}).Parse(shell)
	if err == nil {
		_, err = t.New("body").Parse(p.Body)
	}
	if err != nil {
		return err
	}
	css, js := style+p.Style, script+p.Script
	return t.Execute(w, struct {
		Page
		Policy string
		CSS    template.CSS
		JS     template.JS
	}{p, policy(css, js), template.CSS(css), template.JS(js)})
}

// policy allows the page its own style and script, and nothing else.
func policy(css, js string) string {
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", hash(css), hash(js))
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Class returns the classes that give whatever belongs to the thing number i, from 0, its colour. There are six colours; the
// things beyond have dashed and then dotted lines.
func Class(i int) string {
	const colours = 6
	return fmt.Sprintf("c%d d%d", i%colours, i/colours%3)
}
