// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"fmt"
	"io"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
)

// A Progress is one line on a terminal that says what is being done. The next one overwrites it.
type Progress struct {
	w     io.Writer
	width int  // columns of the terminal; 0 where they are not known
	On    bool // there is a terminal to show it on
}

// Show replaces the line.
func (p Progress) Show(format string, args ...any) {
	if !p.On {
		return
	}
	text := fmt.Sprintf(format, args...)
	if p.width > 0 {
		text = layout.Head(text, max(4, p.width-1)) // a line that wraps could not be overwritten
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", text)
}

// Clear removes the line.
func (p Progress) Clear() { p.Show("") }
