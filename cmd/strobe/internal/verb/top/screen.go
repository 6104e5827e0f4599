// SPDX-License-Identifier: BSD-3-Clause

package top

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/view"
)

// redraw is the interval between pictures.
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

// A said is a link or a message from a feed.
type said struct {
	feed    int // number of the feed: one that was stopped may still send something
	link    feed.Link
	message feed.Message
}

// A listener receives from one feed at a time.
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

// These end run without an error of the terminal or the program.
var (
	errLeft        = errors.New("the user has left")
	errInterrupted = errors.New("interrupted")
)

// A display is a program on a screen.
type display struct {
	screen  tcell.Screen
	model   view.Model
	source  feed.Source
	heard   listener
	events  chan tcell.Event
	resumed chan os.Signal // the process continues after it was stopped from outside
	tick    *time.Ticker
}

// run shows a program on a screen. It calls the screen's Fini at the end.
func run(ctx context.Context, screen tcell.Screen, color bool, source feed.Source) (interrupted bool, err error) {
	defer screen.Fini()
	replaceMissing(screen)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d := &display{screen: screen, source: source, events: make(chan tcell.Event, 16), tick: time.NewTicker(redraw),
		heard: listener{heard: make(chan said, 16), failed: make(chan error, 1)}}
	defer d.tick.Stop()
	d.heard.listen(ctx, source)
	go screen.ChannelEvents(d.events, ctx.Done())
	resumed, end := continued()
	defer end()
	d.resumed = resumed
	d.model = view.New(source.Name).Resize(screen.Size()).Tick(time.Now())
	for err == nil {
		draw(screen, d.model.View(), color)
		err = d.wait(ctx)
	}
	if err == errLeft || err == errInterrupted {
		return err == errInterrupted, nil
	}
	return false, err
}

// wait waits until there is a reason to draw. A message from the feed is not: it shows in the next picture.
func (d *display) wait(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return errLeft
		case err := <-d.heard.failed:
			return err
		case h := <-d.heard.heard:
			if h.feed == d.heard.feeds {
				d.model = d.model.Hear(h.link, h.message)
			}
		case now := <-d.tick.C:
			d.model = d.model.Tick(now)
			return nil
		case <-d.resumed: // the shell may have changed the terminal meanwhile
			d.screen.Suspend()
			err := d.screen.Resume()
			d.model = d.model.Resize(d.screen.Size())
			return err
		case event, open := <-d.events:
			if !open {
				return errLeft
			}
			return d.take(ctx, event)
		}
	}
}

// take handles an event of the terminal.
func (d *display) take(ctx context.Context, event tcell.Event) error {
	var action view.Action
	switch event := event.(type) {
	case *tcell.EventResize:
		d.model = d.model.Resize(event.Size())
		d.screen.Sync()
	case *tcell.EventKey:
		d.model, action = d.model.Key(keyName(event))
	}
	switch action {
	case view.Quit:
		return errLeft
	case view.Interrupt:
		return errInterrupted
	case view.Suspend:
		err := suspend(d.screen, d.resumed)
		d.model = d.model.Resize(d.screen.Size())
		return err
	case view.NextLoop:
		d.source.Loop = d.model.Loop()
		d.heard.listen(ctx, d.source)
	}
	return nil
}

// keyName returns the model's name of a key.
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

// replaceMissing registers replacements for terminals with ASCII only.
func replaceMissing(screen tcell.Screen) {
	screen.RegisterRuneFallback('µ', "u")
	screen.RegisterRuneFallback('…', "~")
	screen.RegisterRuneFallback('↓', "v")
	screen.RegisterRuneFallback('↑', "^")
	for mask := rune(1); mask < 0x100; mask++ {
		screen.RegisterRuneFallback(0x2800+mask, "#")
	}
}

// draw draws lines on the screen. The screen sends only changes to the terminal.
func draw(screen tcell.Screen, lines []view.Line, color bool) {
	screen.Clear()
	for y, line := range lines {
		x := 0
		for _, span := range line {
			style := look(span.Style, color)
			for text := span.Text; text != ""; {
				rest, width := screen.Put(x, y, text, style)
				if width == 0 {
					break // the screen is full
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
