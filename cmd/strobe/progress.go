// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"io"
)

// A progress is one line on a terminal that says what is being done, overwritten by the next and cleared at the end.
type progress struct {
	w  io.Writer
	on bool // w is a terminal
}

func (p progress) show(format string, args ...any) {
	if p.on {
		fmt.Fprintf(p.w, "\r\x1b[K"+format, args...)
	}
}

func (p progress) clear() { p.show("") }
