// SPDX-License-Identifier: BSD-3-Clause

package view

import (
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
)

// Resize returns the model for a screen of another size.
func (m Model) Resize(width, height int) Model {
	m.width, m.height = width, height
	return m.scroll()
}

// Tick returns the model at a later time.
func (m Model) Tick(now time.Time) Model {
	m.time = now
	return m
}

// Hear returns the model after something came from the feed. The program it knows of is shared with the model it was.
func (m Model) Hear(link feed.Link, message feed.Message) Model {
	switch {
	case link != feed.Link{}:
		m.link = link
		if link.URL != "" {
			m.mount = link.URL
		}
	default:
		m.now.Add(message)
		m.heard = m.time
	}
	return m.scroll() // the selected row may be elsewhere now
}
