// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"io"
	"os"
	"sync"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// streams returns the streams of the program: those of this process. While a view has the terminal, what the program would print there
// is held back, until show is called; and it cannot read there.
func (c *Command) streams(s *session.Session) (in io.Reader, out, errw io.Writer, show func()) {
	in, out, errw = s.In, s.Out, s.Err
	if o, ok := s.Out.(*session.Output); ok {
		out = o.W
	}
	if !c.Top {
		return in, out, errw, func() {}
	}
	if session.IsTerminal(in) {
		in = nil
	}
	heldOut, heldErr := &held{to: out}, &held{to: errw}
	if session.IsTerminal(out) {
		out = heldOut
	}
	if session.IsTerminal(errw) {
		errw = heldErr
	}
	return in, out, errw, func() { heldOut.show(); heldErr.show() }
}

// A held writer keeps what is written in a file, until it is shown.
type held struct {
	to   io.Writer
	mu   sync.Mutex
	file *os.File
	open bool // everything is written to to
}

// Write implements io.Writer.
func (h *held) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open {
		return h.to.Write(p)
	}
	if h.file == nil {
		f, err := os.CreateTemp("", "strobe-held-")
		if err != nil {
			return 0, err
		}
		h.file = f
	}
	return h.file.Write(p)
}

// show writes what was kept, and from then on all that is written.
func (h *held) show() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open = true
	if h.file == nil {
		return
	}
	if _, err := h.file.Seek(0, io.SeekStart); err == nil {
		io.Copy(h.to, h.file)
	}
	h.file.Close()
	os.Remove(h.file.Name())
	h.file = nil
}
