// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"io"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/frames/report"
	"github.com/strobe-go/strobe/frames"
)

// Page reads the captures in a file, and writes the page that --html writes.
func Page(s *session.Session, file string, in io.Reader, w io.Writer) error {
	captures, err := frames.Read(in, frames.ReadOptions{File: file})
	switch {
	case len(captures) == 0:
		return trimmed(err)
	case err != nil:
		s.Warn("%v; the rest is shown", trimmed(err))
	}
	page, err := compute(s, frames.Options{Level: 0.95}, captures, nil)
	if err != nil {
		return err
	}
	page.Version = session.Version()
	return report.Write(w, page)
}
