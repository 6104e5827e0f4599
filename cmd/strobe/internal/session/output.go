// SPDX-License-Identifier: BSD-3-Clause

package session

import "io"

// An Output is a writer that never fails: it remembers the first error of the writer below it and drops what comes after. So a
// verb goes on to its verdict, and to its exit code, when nobody reads what it prints.
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
