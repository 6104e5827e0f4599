// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/strobe-go/strobe/internal/page"
)

const (
	mostBytes  = 300_000 // of a file
	mostParsed = 8 << 20 // of what may be one
)

//go:embed page/capture.css
var style string

//go:embed page/capture.js
var script string

// Write writes a report as one page of HTML, of at most 300 kB, which any browser shows and which asks for nothing: it contains
// the report in JSON, for Parse. If the evidence is too long for that, the page has the longest of its entries, and says how many
// are missing. A report that is too long without evidence is an error.
func Write(w io.Writer, r Report) error {
	for {
		var b bytes.Buffer
		if err := write(&b, r); err != nil {
			return err
		}
		if b.Len() <= mostBytes {
			_, err := w.Write(b.Bytes())
			return err
		}
		if r.Evidence == nil {
			return fmt.Errorf("capture: the report takes %d bytes without evidence, more than the %d of a file", b.Len(), mostBytes)
		}
		for size, goal := sizeOf(r.Evidence), sizeOf(r.Evidence)-(b.Len()-mostBytes); r.Evidence != nil && size > goal; size = sizeOf(r.Evidence) {
			r.Evidence = shorter(r.Evidence)
		}
	}
}

// sizeOf returns the size of evidence in a file.
func sizeOf(e *Evidence) int {
	text, err := json.Marshal(e)
	if err != nil { // writing says so
		return 0
	}
	return len(text)
}

func write(w io.Writer, r Report) error {
	return page.Write(w, page.Page{Title: r.Root + ": " + duration(r.Took), Body: bodyOf(r), ID: "capture", Data: r, Style: style, Script: page.Lanes() + script})
}

// The element with the report in JSON, as page.Write writes it. Nothing else can begin in this way: what is shown is escaped.
const (
	begins = `<script type="application/json" id="capture">`
	ends   = `</script>`
)

// Parse returns the report in a page that Write wrote. The error says in one line why there is none.
func Parse(file []byte) (Report, error) {
	if len(file) > mostParsed {
		return Report{}, fmt.Errorf("it is no capture: it has %d bytes", len(file))
	}
	_, text, found := bytes.Cut(file, []byte(begins))
	if !found {
		return Report{}, errors.New("it is no capture: it has no report")
	}
	text, _, found = bytes.Cut(text, []byte(ends))
	if !found {
		return Report{}, errors.New("its end is missing")
	}
	var schema struct {
		Schema int `json:"schema"`
	}
	var r Report
	err := json.Unmarshal(text, &schema)
	switch {
	case err != nil:
	case schema.Schema > Schema:
		return Report{}, fmt.Errorf("a newer version of strobe wrote it: its schema is %d, this one reads %d", schema.Schema, Schema)
	case schema.Schema < 1:
		return Report{}, errors.New("its report has no schema")
	default:
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		return Report{}, fmt.Errorf("its report is damaged: %w", err)
	}
	return r, nil
}
