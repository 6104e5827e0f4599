// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/units"
)

// open returns the input, a name for it, and its size if that is known.
func (f *Flags) open(s *session.Session) (in io.ReadCloser, name string, size int64, err error) {
	if f.File == "" && session.IsTerminal(s.In) {
		s.Warn("reading numbers from the terminal, one per line; end with Ctrl-D")
	}
	return s.Open(cmp.Or(f.File, "-"))
}

// progress returns a function that shows how much has been read, nil if that is not wanted.
func (f *Flags) progress(s *session.Session, size int64) func(uint64, int64) {
	p := s.Progress()
	if !p.On || (f.File == "" || f.File == "-") && session.IsTerminal(s.In) {
		return nil // the user types the numbers
	}
	next := time.Now().Add(500 * time.Millisecond)
	return func(lines uint64, bytes int64) {
		if now := time.Now(); now.After(next) {
			next = now.Add(200 * time.Millisecond)
			of := ""
			if size > 0 {
				of = fmt.Sprintf(", %.0f %%", 100*min(1, float64(bytes)/float64(size)))
			}
			p.Show("%s lines%s", units.Count(lines), of)
		}
	}
}
