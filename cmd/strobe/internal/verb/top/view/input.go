// SPDX-License-Identifier: BSD-3-Clause

package view

import (
	"time"
	"unicode/utf8"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
)

// An Action is an effect of a key outside the model.
type Action int

// The actions.
const (
	Stay Action = iota
	Quit
	Interrupt
	Suspend
	NextLoop // show the loop that Model.Loop returns
)

// maxZoom is the maximum number of frames in a column of the graph.
const maxZoom = 64

// Key returns the model after a key: a character, or the name of another key, such as "enter".
func (m Model) Key(key string) (Model, Action) {
	switch key {
	case "ctrl-c":
		return m, Interrupt
	case "ctrl-z":
		return m, Suspend
	}
	if m.typing != 0 {
		return m.keyInText(key), Stay
	}
	if m.help {
		m.help = false
		if key == "q" {
			return m, Quit
		}
		return m, Stay
	}
	switch key {
	case "q":
		return m, Quit
	case "?", "h":
		m.help = true
	case "p", " ":
		if m.frozen == nil {
			m.frozen = m.now.Clone()
		} else {
			m.frozen = nil
		}
	case "s", "right":
		m.column = (m.column + 1) % len(columns)
	case "S", "left":
		m.column = (m.column + len(columns) - 1) % len(columns)
	case "r":
		m.reverse = !m.reverse
	case "a":
		m.idle = !m.idle
	case "/":
		m.typing, m.typed, m.search = '/', m.search, ""
	case "f":
		m.typing, m.typed = 'f', m.filter
	case "esc":
		m.filter, m.search, m.selected = "", "", ""
	case "n":
		m = m.find(1, 1)
	case "N":
		m = m.find(-1, -1)
	case "+":
		m.zoom = max(1, m.zoom/2)
	case "-":
		m.zoom = min(maxZoom, m.zoom*2)
	case "l", "tab":
		if m.Loop() != "" {
			return m, NextLoop
		}
	default:
		m = m.move(key)
	}
	return m.scroll(), Stay
}

// keyInText edits the text of a search or a filter.
func (m Model) keyInText(key string) Model {
	text := &m.filter
	if m.typing == '/' {
		text = &m.search
	}
	searching := m.typing == '/'
	switch {
	case key == "enter":
		m.typing = 0
	case key == "esc":
		*text, m.typing = m.typed, 0
	case key == "backspace":
		_, n := utf8.DecodeLastRuneInString(*text)
		*text = (*text)[:len(*text)-n]
	case utf8.RuneCountInString(key) == 1 && len(*text) < 100:
		*text += key
	}
	if searching {
		m = m.find(0, 1)
	}
	return m.scroll()
}

func (m Model) move(key string) Model {
	by := map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -m.page(), "pgdn": m.page(), "home": -1 << 30, "g": -1 << 30, "end": 1 << 30, "G": 1 << 30}[key]
	rows := m.rows()
	if by == 0 || len(rows) == 0 {
		return m
	}
	at := m.at(rows)
	if at < 0 && by > 0 {
		by--
	}
	m.selected = name(rows[min(len(rows)-1, max(0, max(at, 0)+by))])
	return m
}

// find selects the next row in a direction that contains the search text, beginning at an offset from the selected row.
func (m Model) find(from, step int) Model {
	rows := m.rows()
	start := max(0, m.at(rows)) + from
	for i := range rows {
		at := ((start+i*step)%len(rows) + len(rows)) % len(rows)
		if m.search != "" && contains(rows[at].Name, m.search) {
			m.selected = name(rows[at])
			break
		}
	}
	return m
}

// scroll moves the rows so that the selected one is on the screen.
func (m Model) scroll() Model {
	rows := m.rows()
	if at := m.at(rows); at >= 0 {
		m.first = min(m.first, at)
		m.first = max(m.first, at-m.page()+1)
	}
	m.first = max(0, min(m.first, len(rows)-m.page()))
	return m
}

// Resize returns the model with another screen size.
func (m Model) Resize(width, height int) Model {
	m.width, m.height = width, height
	return m.scroll()
}

// Tick returns the model at a later time.
func (m Model) Tick(now time.Time) Model {
	m.time = now
	return m
}

// Hear returns the model after a link or a message from the feed. It shares its program with the previous model.
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
	return m.scroll() // the selected row may have moved
}
