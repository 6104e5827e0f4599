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
damage; the exit code is 2 if a file has no frame.
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
	// Captures are long lists without pointers, so frequent collections are cheap.
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
	page, err := compute(s, o, captures, groups)
	if err != nil {
		return err
	}
	page.Version, page.Paths = session.Version(), c.Paths
	g := c.judge(page)
	switch {
	case s.JSON:
		err = session.WriteJSON(s.Out, framesObjectOf(page, damage, g))
	case len(groups) > 0:
		err = c.groupText(s, page, damage, g)
	default:
		err = c.text(s, page, damage)
	}
	if c.HTML != "" {
		err = errors.Join(err, session.WriteFile(string(c.HTML), func(w io.Writer) error { return report.Write(w, page) }))
	}
	if err := errors.Join(failed, err); err != nil {
		return err
	}
	return g.Err()
}

// compute reports on the captures, or on the groups if there are any. After an interrupt it computes no intervals.
func compute(s *session.Session, o frames.Options, captures []frames.Capture, groups []frames.Group) (report.Page, error) {
	progress := s.Progress()
	switch n := len(captures) + runsOf(groups); n {
	case 1:
		progress.Show("computing intervals")
	default:
		progress.Show("computing intervals of %d captures", n)
	}
	defer progress.Clear()
	type outcome struct {
		page report.Page
		err  error
	}
	analyzed := func(ctx context.Context, o frames.Options) (x outcome) {
		if len(groups) > 0 {
			x.page, x.err = analyzeGroups(o, groups)
		} else {
			x.page, x.err = analyze(ctx, o, captures)
		}
		return x
	}
	done := make(chan outcome, 1)
	go func() { done <- analyzed(s.Ctx, o) }()
	var got outcome
	select {
	case got = <-done:
	case <-s.Ctx.Done():
		quick := o
		quick.Level, quick.Resamples = -1, -1 // figures without intervals take no time
		got = analyzed(context.Background(), quick)
		interrupted(got.page)
	}
	return got.page, got.err
}

// interrupted gives the reason why the figures of a page have no intervals.
func interrupted(page report.Page) {
	for _, c := range page.Captures {
		for i := range c.Report.Metrics {
			c.Report.Metrics[i].Interval.Reason = "interrupted before it was computed"
		}
	}
}

func runsOf(groups []frames.Group) (n int) {
	for _, g := range groups {
		n += len(g.Runs)
	}
	return n
}
