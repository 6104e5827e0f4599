// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/strobe-go/strobe/internal/plain"
)

// Schema is the version of the JSON objects. It is raised when a key is removed or changes its meaning, not when one is added.
const Schema = 1

// WriteJSON writes v as one indented object. Numbers carry all digits: the shortest text that reads back as the same float64.
// Characters that a terminal would obey are escaped.
func WriteJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(plain.AppendJSON(nil, b.Bytes()))
	return err
}
