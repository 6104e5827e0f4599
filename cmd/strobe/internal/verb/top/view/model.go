// SPDX-License-Identifier: BSD-3-Clause

// Package view is the user interface of strobe top: a model, the events that change it, and the lines to show. It reads no clock
// and uses no terminal.
package view

import (
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/program"
)

// A Model is everything that the screen depends on. Make it with New; its methods return the next one.
type Model struct {
	target        string
	width, height int

	now    *program.Program
	frozen *program.Program // while paused
	link   feed.Link
	mount  string    // of the latest connection; empty if there was none
	time   time.Time // now
	heard  time.Time // when the latest message came

	column   int // by which rows are ordered
	reverse  bool
	idle     bool // show zones that were not entered, too
	filter   string
	search   string
	typing   rune   // '/' or 'f' while a text is typed, else 0
	typed    string // the text before typing
	selected string // name of a zone in the table
	first    int    // first row on the screen
	zoom     int    // frames in a column of the graph
	help     bool
}

// New returns a model without any data about the program at target.
func New(target string) Model {
	return Model{target: target, width: 80, height: 24, now: new(program.Program), column: byShare, zoom: 2}
}

// Loop returns the loop after the one that is shown, "" if there is no other.
func (m Model) Loop() string {
	loops := m.now.Hello.Loops
	for i, name := range loops {
		if name == m.now.Hello.Loop && len(loops) > 1 {
			return loops[(i+1)%len(loops)]
		}
	}
	return ""
}

func (m Model) shown() *program.Program {
	if m.frozen != nil {
		return m.frozen
	}
	return m.now
}
