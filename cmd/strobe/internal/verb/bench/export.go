// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// An export is a file to write.
type export struct {
	file   string
	format func(w io.Writer, b *measurement, interrupted bool) error
}

var exportNames = [...]string{"json", "csv", "summary", "md", "asciidoc", "org", "gobench", "html"}

// formatOf returns the function that writes a format, nil if there is none.
func formatOf(name string) func(io.Writer, *measurement, bool) error {
	switch name {
	case "json", "hyperfine":
		return exportJSON
	case "csv":
		return exportCSV
	case "summary":
		return exportSummary
	case "asciidoc", "adoc":
		return exportASCIIDoc
	case "org", "orgmode":
		return exportOrg
	case "md", "markdown":
		return exportMarkdown
	case "gobench", "txt":
		return exportGo
	case "html":
		return exportHTML
	}
	return nil
}

// exports parses FORMAT=FILE, FILE whose name ends in the format, or FORMAT alone, which implies a file name. It checks
// that the files can be written before anything is measured.
func (f *Flags) exports() (all []export, err error) {
	texts := f.Export
	for _, named := range []struct {
		format string
		files  []string
	}{{"json", f.ExportJSON}, {"summary", f.ExportCSV}, {"md", f.ExportMarkdown}, {"asciidoc", f.ExportASCIIDoc}, {"org", f.ExportOrgmode}, {"html", f.ExportHTML}} {
		for _, file := range named.files {
			texts = append(texts, named.format+"="+file)
		}
	}
	for _, text := range texts {
		name, file, ok := strings.Cut(text, "=")
		switch {
		case ok && formatOf(name) != nil:
		case formatOf(text) != nil:
			name, file = text, "strobe-bench."+map[string]string{"gobench": "txt", "markdown": "md", "hyperfine": "json", "summary": "csv", "asciidoc": "adoc", "orgmode": "org"}[text]
			if strings.HasSuffix(file, ".") {
				file += text
			}
		default:
			name, file = strings.TrimPrefix(filepath.Ext(text), "."), text
		}
		format := formatOf(name)
		if format == nil || file == "" {
			return nil, fmt.Errorf("--export: %q: give FORMAT=FILE, or a file that ends in its format; formats are %s", text, strings.Join(exportNames[:], ", "))
		}
		if err := session.CanWrite(file); err != nil {
			return nil, fmt.Errorf("--export: %w", err)
		}
		all = append(all, export{file, format})
	}
	return all, nil
}
