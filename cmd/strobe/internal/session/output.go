// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"bytes"
	"encoding/json"
	"io"
	"runtime/debug"

	"github.com/strobe-go/strobe/internal/plain"
)

// An Output is a writer that never fails: it records the first error of the underlying writer and discards everything after it. A
// verb therefore continues to its verdict and its exit code even if nothing reads its output.
type Output struct {
	W   io.Writer
	Err error // the first error
}

// Write implements io.Writer. It returns len(p) and no error.
func (o *Output) Write(p []byte) (int, error) {
	if o.Err == nil {
		_, o.Err = o.W.Write(p)
	}
	return len(p), nil
}

// Schema is the version of the JSON objects. It is raised when a key is removed or changes its meaning, not when one is added.
const Schema = 1

// WriteJSON writes v as one indented object. Numbers have the shortest text that reads back as the same float64. Characters that
// would control a terminal are escaped.
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

// Version returns the version of the module that the binary was built from.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown version)"
	}
	return info.Main.Version
}
