// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/json"
	"io"
)

// schema is the version of the JSON objects: raised when a key changes its meaning or goes, not when one is added.
const schema = 1

// writeJSON writes v, one object, indented for people. Numbers carry all their digits: the shortest text that reads back
// as the same float64.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
