// SPDX-License-Identifier: BSD-3-Clause

// Package frames is the verb that reports on frame-time captures.
package frames

import (
	"context"
	"errors"
	"io"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/frames/report"
	"github.com/strobe-go/strobe/frames"
)

// Command has the flags of the verb.
type Command struct{ Flags }

// Help is the longer part of strobe frames --help.
func (Command) Help() string {
	return `
Reads captures of PresentMon (1.x, 2.x, current), CapFrameX, OCAT, MangoHud and
Factorio, tables with a chosen column, and plain lists of milliseconds. The format is
recognised by the content.

One capture is reported with all figures. Several are shown side by side, and those
of different files are compared with the first file. Figures have confidence
intervals, so that "no difference shown" is a result.

The "1 % low" is defined differently by every tool: --preset computes what that tool
prints, and --explain prints the definitions. A damaged file is reported up to the
damage; a file without any frame is exit code 2.
`
}

// Run runs the verb.
func (c *Command) Run(s *session.Session) error {
	if c.HTML != "" {
		if err := session.CanWrite(string(c.HTML)); err != nil {
			return err
		}
	}
	captures, damage, failed := c.read(s)
	if len(captures) == 0 {
		return failed // nil when interrupted
	}
	o := frames.Options{Preset: frames.Preset(c.Preset), Level: float64(c.Level)}
	progress := s.Progress()
	progress.Show("computing intervals of %d captures", len(captures))
	type outcome struct {
		page report.Page
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		p, err := analyze(s.Ctx, o, captures)
		done <- outcome{p, err}
	}()
	var got outcome
	select {
	case got = <-done:
	case <-s.Ctx.Done():
		quick := o
		quick.Level, quick.Resamples = -1, -1 // figures without intervals come at once
		got.page, got.err = analyze(context.Background(), quick, captures)
	}
	progress.Clear()
	if got.err != nil {
		return got.err
	}
	got.page.Version = session.Version()
	var err error
	if s.JSON {
		err = session.WriteJSON(s.Out, framesObjectOf(got.page, damage))
	} else {
		err = c.text(s, got.page, damage)
	}
	if c.HTML != "" {
		err = errors.Join(err, session.WriteFile(string(c.HTML), func(w io.Writer) error { return report.Write(w, got.page) }))
	}
	return errors.Join(failed, err)
}
