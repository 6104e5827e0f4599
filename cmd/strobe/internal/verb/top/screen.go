// SPDX-License-Identifier: BSD-3-Clause

package top

import (
	"context"
	"fmt"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/view"
)

// redraw is the time between two pictures.
const redraw = 100 * time.Millisecond

// show takes over the terminal until ctx ends or the user leaves.
func show(ctx context.Context, s *session.Session, source feed.Source) error {
	screen, err := tcell.NewScreen()
	if err == nil {
		err = screen.Init()
	}
	if err != nil {
		return fmt.Errorf("cannot draw on this terminal: %w; use --once for a table or --json for lines", err)
	}
	interrupted, err := run(ctx, screen, s.Color, source)
	if interrupted {
		ctx, cancel := context.WithCancel(s.Ctx)
		cancel()
		s.Ctx = ctx
	}
	return err
}

// A said is something from a feed.
type said struct {
	feed    int // number of the feed: one that was stopped may have a last word
	link    feed.Link
	message feed.Message
}

// A listener hears one feed at a time.
type listener struct {
	heard  chan said
	failed chan error
	feeds  int    // number of feeds so far
	stop   func() // ends the feed
}

// listen ends the feed, if there is one, and begins another.
func (l *listener) listen(ctx context.Context, source feed.Source) {
	if l.stop != nil {
		l.stop()
	}
	ctx, l.stop = context.WithCancel(ctx)
	l.feeds++
	number := l.feeds
	go func() {
		err := feed.Watch(ctx, source, func(k feed.Link, m feed.Message) {
			select {
			case l.heard <- said{number, k, m}:
			case <-ctx.Done():
			}
		})
		if err != nil {
			l.failed <- err
		}
	}()
}

// run shows a program on a screen, which it finishes.
func run(ctx context.Context, screen tcell.Screen, color bool, source feed.Source) (interrupted bool, err error) {
	defer screen.Fini()
	replaceMissing(screen)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := &listener{heard: make(chan said, 16), failed: make(chan error, 1)}
	l.listen(ctx, source)
	events := make(chan tcell.Event, 16)
	go screen.ChannelEvents(events, ctx.Done())
	resumed, end := continued()
	defer end()
	tick := time.NewTicker(redraw)
	defer tick.Stop()
	m := view.New(source.Name).Resize(screen.Size()).Tick(time.Now())
	for {
		draw(screen, m.View(), color)
		for waiting := true; waiting; { // what comes from the feed shows with the next picture
			select {
			case <-ctx.Done():
				return false, nil
			case err := <-l.failed:
				return false, err
			case h := <-l.heard:
				if h.feed == l.feeds {
					m = m.Hear(h.link, h.message)
				}
			case now := <-tick.C:
				m, waiting = m.Tick(now), false
			case <-resumed: // it was stopped from outside, and the shell has changed the terminal meanwhile
				screen.Suspend()
				if err := screen.Resume(); err != nil {
					return false, err
				}
				m, waiting = m.Resize(screen.Size()), false
			case ev, ok := <-events:
				if !ok {
					return false, nil
				}
				var action view.Action
				switch ev := ev.(type) {
				case *tcell.EventResize:
					m = m.Resize(ev.Size())
					screen.Sync()
				case *tcell.EventKey:
					m, action = m.Key(keyName(ev))
				}
				switch action {
				case view.Quit:
					return false, nil
				case view.Interrupt:
					return true, nil
				case view.Suspend:
					if err := suspend(screen, resumed); err != nil {
						return false, err
					}
					m = m.Resize(screen.Size())
				case view.NextLoop:
					source.Loop = m.Loop()
					l.listen(ctx, source)
				}
				waiting = false
			}
		}
	}
}

// keyName returns the name that the model has for a key.
func keyName(ev *tcell.EventKey) string {
	switch ev.Key() {
	case tcell.KeyRune:
		return string(ev.Rune())
	case tcell.KeyEnter:
		return "enter"
	case tcell.KeyEscape:
		return "esc"
	case tcell.KeyBackspace, tcell.KeyBackspace2:
		return "backspace"
	case tcell.KeyTab:
		return "tab"
	case tcell.KeyUp:
		return "up"
	case tcell.KeyDown:
		return "down"
	case tcell.KeyLeft:
		return "left"
	case tcell.KeyRight:
		return "right"
	case tcell.KeyPgUp:
		return "pgup"
	case tcell.KeyPgDn:
		return "pgdn"
	case tcell.KeyHome:
		return "home"
	case tcell.KeyEnd:
		return "end"
	case tcell.KeyCtrlC:
		return "ctrl-c"
	case tcell.KeyCtrlZ:
		return "ctrl-z"
	}
	return ""
}

// replaceMissing says what to show on terminals that have ASCII alone.
func replaceMissing(screen tcell.Screen) {
	screen.RegisterRuneFallback('µ', "u")
	screen.RegisterRuneFallback('…', "~")
	screen.RegisterRuneFallback('↓', "v")
	screen.RegisterRuneFallback('↑', "^")
	for mask := rune(1); mask < 0x100; mask++ {
		screen.RegisterRuneFallback(0x2800+mask, "#")
	}
}

// draw puts lines on the screen. The screen sends what has changed to the terminal.
func draw(screen tcell.Screen, lines []view.Line, color bool) {
	screen.Clear()
	for y, line := range lines {
		x := 0
		for _, span := range line {
			style := look(span.Style, color)
			for text := span.Text; text != ""; {
				rest, width := screen.Put(x, y, text, style)
				if width == 0 {
					break // it is full
				}
				text, x = rest, x+width
			}
		}
	}
	screen.Show()
}

func look(s view.Style, color bool) tcell.Style {
	style := tcell.StyleDefault
	switch s {
	case view.Strong:
		return style.Bold(true)
	case view.Marked:
		return style.Reverse(true)
	}
	if !color {
		return style
	}
	switch s {
	case view.Faint:
		return style.Dim(true)
	case view.Good:
		return style.Foreground(tcell.ColorGreen)
	case view.Warn:
		return style.Foreground(tcell.ColorOlive) // the yellow of the terminal's first eight colours
	case view.Bad:
		return style.Foreground(tcell.ColorMaroon).Bold(true) // its red
	}
	return style
}
