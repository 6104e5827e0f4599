// SPDX-License-Identifier: BSD-3-Clause

package top

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/program"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/view"
	"github.com/strobe-go/strobe/internal/plain"
)

// onceSpan is the length of time that one table covers.
const onceSpan = 1900 * time.Millisecond

// onceWait is how long to wait for that. Tests wait longer.
var onceWait = 6 * time.Second

// once prints one table or object.
func once(s *session.Session, source feed.Source, all bool) error {
	progress := s.Progress()
	progress.Show("measuring for two seconds")
	ctx, cancel := context.WithCancel(s.Ctx)
	defer cancel()
	defer session.After(onceWait, cancel)()
	p, mount, err := gather(ctx, source)
	progress.Clear()
	if mount == "" {
		return err
	}
	if err != nil && s.Ctx.Err() == nil {
		s.Warn("%v; the figures from before that follow", err)
	}
	if source.Loop != "" && source.Loop != p.Hello.Loop {
		s.Warn("the program has no loop %q", source.Loop)
	}
	if s.JSON {
		return session.WriteJSON(s.Out, object(p, feed.Link{URL: mount}))
	}
	return table(s, p, mount, all)
}

// gather listens until the rates cover enough time. mount is empty if there was no connection.
func gather(ctx context.Context, source feed.Source) (p *program.Program, mount string, err error) {
	p = new(program.Program)
	stream, err := feed.Open(ctx, source, "")
	if err != nil {
		return p, "", err
	}
	defer stream.Close()
	for p.Rated() < onceSpan || !p.Counted() {
		m, err := stream.Next()
		switch {
		case ctx.Err() != nil && p.Rated() > 0:
			return p, stream.URL, nil // the program is slow to send messages
		case ctx.Err() != nil:
			return p, stream.URL, fmt.Errorf("%s sent no figures of zones", stream.URL)
		case err != nil:
			return p, stream.URL, err
		}
		if m.Bye {
			return p, stream.URL, errors.New("the program ended")
		}
		p.Add(m)
	}
	return p, stream.URL, nil
}

// mostZones is how many rows the table has without --all.
const mostZones = 30

func table(s *session.Session, p *program.Program, mount string, all bool) error {
	out := s.Printer()
	width := s.Width // 0 if the output is not a terminal, so that everything is printed
	title := fmt.Sprintf("pid %d  %s", p.Hello.PID, mount)
	if p.Hello.Loop != "" {
		title += "  loop " + p.Hello.Loop
	}
	if one := plain.Text(p.Hello.Program) + "  " + title; width == 0 || layout.Width(one) <= width {
		out.Printf("%s  %s\n", out.Bold(plain.Text(p.Hello.Program)), title)
	} else {
		out.Title(layout.Tail(p.Hello.Program, width))
		out.Wrap("", title)
	}
	for _, text := range view.Figures(p, width) {
		out.Printf("%s\n", text)
	}
	if slowest := view.Slowest(p, width); slowest != "" && p.Looped() {
		out.Printf("%s\n", slowest)
	}
	if why := view.Why(p); why != "" {
		out.Wrap("", why)
	}
	out.Printf("%s\n", view.Runtime(p, width))
	if plots := view.Plots(p, width); plots != "" {
		out.Printf("%s\n", plots)
	}
	out.WriteByte('\n')
	zones := p.Busy()
	some := zones
	if !all {
		some = zones[:min(len(zones), mostZones)]
	}
	t := view.Table(some, width)
	dropped := out.Table(t)
	out.LeftOut(dropped)
	if len(zones) > 0 {
		out.WriteByte('\n')
		out.Wrap("", coverage(p.Rated(), len(some), len(zones)))
	}
	state, _ := p.State()
	for _, note := range state.Notes {
		out.Note(note)
	}
	if len(t.Rows) == 0 {
		out.Note("no zone was entered during the measurement")
	}
	return s.Print(out)
}

// coverage says what the table has, and how to see the rest.
func coverage(d time.Duration, some, all int) string {
	text := fmt.Sprintf("%d of %s that were entered in %.1f s, the largest share first; ", some, layout.Plural(uint64(all), "zone"), d.Seconds())
	if some < all {
		return text + "--all has the others too, and --json all figures."
	}
	return text + "--json has all figures."
}
