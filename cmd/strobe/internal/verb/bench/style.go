// SPDX-License-Identifier: BSD-3-Clause

package bench

import "github.com/strobe-go/strobe/cmd/strobe/internal/session"

// paint turns colours on or off as --style says.
func (f *Flags) paint(s *session.Session) {
	switch f.Style {
	case "basic", "nocolor", "none":
		s.Color = false
	case "full", "color":
		s.Color = true
	}
}

// progress returns the progress line, which --style turns on or off.
func (f *Flags) progress(s *session.Session) session.Progress {
	p := s.Progress()
	switch f.Style {
	case "basic", "color", "none":
		p.On = false
	case "full":
		p.On = true
	}
	return p
}
