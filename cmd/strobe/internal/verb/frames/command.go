// SPDX-License-Identifier: BSD-3-Clause

// Package frames is the verb that reports on frame-time captures.
package frames

import (
	"context"
	"errors"
	"io"
	"runtime/debug"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/frames/report"
	"github.com/strobe-go/strobe/frames"
)

// Command has the flags of the verb.
type Command struct{ Flags }

// Help is the longer part of strobe frames --help.
func (Command) Help() string {
	return `
Reads captures of PresentMon (1.x, 2.x, current), CapFrameX (JSON and CSV), OCAT,
FrameView, MangoHud, FRAPS, Unreal's CSV profiler, Unity's Profile Analyzer,
Factorio and strobe (a timeline or Chrome trace), tables with a chosen column, and
plain lists of milliseconds. The format is recognised by the content.

One capture is reported with all figures; those of different files are compared with
the first. "No difference shown" is a result.

To compare configurations, give four or more runs of each, recorded in turns:

  strobe frames --group old a1.csv a2.csv a3.csv a4.csv --group new b*.csv

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
	if err := c.checkGroups(); err != nil {
		return err
	}
	// What is kept are long lists without pointers, which cost the collector little.
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	captures, damage, failed := c.read(s, c.Files)
	if len(c.Group) == 0 && len(captures) == 0 {
		return failed // nil when interrupted
	}
	groups, lost, err := c.readGroups(s)
	if len(c.Group) > 0 && len(groups) == 0 {
		return err
	}
	damage, failed = append(damage, lost...), errors.Join(failed, err)
	o := frames.Options{Preset: frames.Preset(c.Preset), Level: float64(c.Level)}
	progress := s.Progress()
	progress.Show("computing intervals of %d captures", len(captures)+runsOf(groups))
	type outcome struct {
		page report.Page
		err  error
	}
	done := make(chan outcome, 1)
	compute := func(ctx context.Context, o frames.Options) (report.Page, error) {
		if len(groups) > 0 {
			return analyzeGroups(o, groups)
		}
		return analyze(ctx, o, captures)
	}
	go func() {
		p, err := compute(s.Ctx, o)
		done <- outcome{p, err}
	}()
	var got outcome
	select {
	case got = <-done:
	case <-s.Ctx.Done():
		quick := o
		quick.Level, quick.Resamples = -1, -1 // figures without intervals come at once
		got.page, got.err = compute(context.Background(), quick)
	}
	progress.Clear()
	if got.err != nil {
		return got.err
	}
	got.page.Version, got.page.Paths = session.Version(), c.Paths
	g := c.judge(got.page)
	switch {
	case s.JSON:
		err = session.WriteJSON(s.Out, framesObjectOf(got.page, damage, g))
	case len(groups) > 0:
		err = c.groupText(s, got.page, damage, g)
	default:
		err = c.text(s, got.page, damage)
	}
	if c.HTML != "" {
		err = errors.Join(err, session.WriteFile(string(c.HTML), func(w io.Writer) error { return report.Write(w, got.page) }))
	}
	if err := errors.Join(failed, err); err != nil {
		return err
	}
	return g.Err()
}

func runsOf(groups []frames.Group) (n int) {
	for _, g := range groups {
		n += len(g.Runs)
	}
	return n
}
