// SPDX-License-Identifier: BSD-3-Clause

// Package markup fills templates with the body of a page.
package markup

import (
	"html/template"
	"strings"

	"github.com/strobe-go/strobe/internal/page"
)

// Of executes a template of package html/template, which can use the function "class", page.Class. The contents of view are shown
// as text.
func Of(body string, view any) (page.HTML, error) {
	t, err := template.New("body").Funcs(template.FuncMap{"class": page.Class}).Parse(body)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, view)
	return page.HTML(b.String()), err
}
