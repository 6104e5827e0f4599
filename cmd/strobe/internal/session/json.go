// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"encoding/json"
	"io"
)

// Schema is the version of the JSON objects. It is raised when a key is removed or changes its meaning, not when one is added.
const Schema = 1

// WriteJSON writes v as one indented object. Numbers carry all digits: the shortest text that reads back as the same float64.
func WriteJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
