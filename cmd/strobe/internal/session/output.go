// SPDX-License-Identifier: BSD-3-Clause

package session

import "io"

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
