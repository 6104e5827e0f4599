// SPDX-License-Identifier: BSD-3-Clause

package session

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/internal/plain"
)

// IsTerminal reports whether stream, a reader or a writer, is a terminal. The null device is not.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && isTerminal(f)
}

// WantsColor reports whether the environment allows colours on a terminal: see https://no-color.org.
func WantsColor() bool {
	if os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	return runtime.GOOS != "windows" || os.Getenv("WT_SESSION") != "" || os.Getenv("TERM") != ""
}

// Width returns the number of columns for results: that of the terminal, or the value of the variable COLUMNS; 0 means no limit.
func Width(stream any) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if f, ok := stream.(*os.File); ok && IsTerminal(f) {
		n, _ := columns(f)
		return n
	}
	return 0
}

// Screen reports whether the results go to a terminal on which text can be placed anywhere.
func (s *Session) Screen() bool {
	o, ok := s.Out.(*Output)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	f, ok := o.W.(*os.File)
	if ok {
		_, ok = columns(f)
	}
	return ok
}

// ProgressLines is a variable of the environment. If it is "lines", progress is shown without a terminal too, on lines that begin
// with ProgressMark.
const (
	ProgressLines = "STROBE_PROGRESS"
	ProgressMark  = "progress: "
)

// A Progress is one line on a terminal that says what is being done. The next one overwrites it.
type Progress struct {
	w     io.Writer
	width int  // columns of the terminal; 0 where they are not known
	On    bool // somebody reads it
	lines bool // not on a terminal
}

// Show replaces the line.
func (p Progress) Show(format string, args ...any) {
	if !p.On {
		return
	}
	text := fmt.Sprintf(format, args...)
	if p.lines {
		if text != "" {
			fmt.Fprintf(p.w, "%s%s\n", ProgressMark, plain.Text(text))
		}
		return
	}
	if p.width > 0 {
		text = layout.Head(text, max(4, p.width-1)) // a wrapped line could not be overwritten
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", text)
}

// Clear removes the line.
func (p Progress) Clear() { p.Show("") }
