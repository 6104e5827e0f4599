// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/report"
	"github.com/strobe-go/strobe/frames"
)

type framesCmd struct {
	Files   []string  `arg:"" name:"FILE" help:"Captures; - is standard input."`
	Preset  preset    `default:"strobe" placeholder:"NAME" help:"Whose definitions: strobe, presentmon, capframex, mangohud, afterburner."`
	HTML    page      `name:"html" placeholder:"OUT.html" help:"Write a page with plots, one file that opens offline."`
	Process string    `placeholder:"NAME" help:"Only processes with this in their name."`
	Pool    bool      `help:"Put all processes of one name, and their swap chains, together."`
	Column  string    `placeholder:"NAME" help:"Take this column of a table as frame times."`
	Unit    frameUnit `placeholder:"UNIT" help:"Of the frame times: ns, us, ms or s; the default is the format's."`
	Level   level     `default:"0.95" placeholder:"0.95" help:"Probability that an interval covers the truth."`
	Explain bool      `help:"Print the definition of each figure."`
}

// Help is the longer part of strobe frames --help.
func (framesCmd) Help() string {
	return `
Reads what PresentMon (1.x, 2.x, current), CapFrameX, OCAT, MangoHud and Factorio write,
any table with a chosen column, and plain lists of milliseconds; the format shows in the
content. One capture gives all figures, several stand side by side, and captures of
different files are compared with the first: every figure has an interval, and "no
difference shown" is a result.

A low without the name of its definition means nothing: --preset computes what that tool
prints, --explain says how. A broken file gives what could be read and one line that
says where it broke; exit code 2 when a file gives nothing.
`
}

// A preset is the name of a set of definitions.
type preset frames.Preset

func (p *preset) UnmarshalText(text []byte) error {
	known, err := frames.ParsePreset(string(text))
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "frames: "))
	}
	*p = preset(known)
	return nil
}

// A frameUnit is the unit of a column; empty means that of the format.
type frameUnit string

func (u *frameUnit) UnmarshalText(text []byte) error {
	switch string(text) {
	case "ns", "us", "ms", "s":
		*u = frameUnit(text)
		return nil
	}
	return fmt.Errorf("%q is no unit; give ns, us, ms or s", text)
}

// A page is the name of a file to write. It must look like a page, so that no capture is overwritten by mistake.
type page string

func (p *page) UnmarshalText(text []byte) error {
	name := strings.ToLower(string(text))
	if !strings.HasSuffix(name, ".html") && !strings.HasSuffix(name, ".htm") {
		return fmt.Errorf("%q does not end in .html; give the name of the page to write", text)
	}
	*p = page(text)
	return nil
}

// Run is called by the parser.
func (c *framesCmd) Run(s *session) error {
	captures, failed := c.read(s)
	if len(captures) == 0 {
		if failed != nil {
			return failure{exitUsage, failed}
		}
		return nil // interrupted
	}
	o := frames.Options{Preset: frames.Preset(c.Preset), Level: float64(c.Level)}
	progress := progress{s.err, isTerminal(s.err)}
	progress.show("computing intervals of %d captures", len(captures))
	type outcome struct {
		page report.Page
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		p, err := analyze(s.ctx, o, captures)
		done <- outcome{p, err}
	}()
	var got outcome
	select {
	case got = <-done:
	case <-s.ctx.Done():
		quick := o
		quick.Level, quick.Resamples = -1, -1 // figures without intervals come at once
		got.page, got.err = analyze(context.Background(), quick, captures)
	}
	progress.clear()
	if got.err != nil {
		return failure{exitUsage, got.err}
	}
	got.page.Version = version()
	if c.HTML != "" {
		if err := c.write(got.page); err != nil {
			return failure{exitUsage, err}
		}
	}
	var err error
	if s.json {
		err = writeJSON(s.out, framesObjectOf(got.page))
	} else {
		err = c.text(s, got.page)
	}
	return errors.Join(err, asFailure(failed))
}

func asFailure(err error) error {
	if err == nil {
		return nil
	}
	return failure{exitUsage, err}
}

// read returns all captures of all files. The error tells of the first file that gave none; the rest is said on the way.
func (c *framesCmd) read(s *session) (captures []frames.Capture, failed error) {
	fail := func(err error) {
		if failed != nil {
			s.warn("%v", failed)
		}
		failed = err
	}
	for _, name := range c.Files {
		if s.ctx.Err() != nil {
			return captures, nil
		}
		found, err := c.open(s, name)
		wanted := found[:0:0]
		for _, f := range found {
			if strings.Contains(strings.ToLower(f.Process), strings.ToLower(c.Process)) {
				wanted = append(wanted, f)
			}
		}
		captures = append(captures, wanted...)
		switch {
		case len(found) > 0 && err != nil:
			if s.ctx.Err() == nil {
				s.warn("%v; the rest is used", trimmed(err))
			}
		case err != nil:
			fail(trimmed(err))
		case len(wanted) == 0:
			fail(fmt.Errorf("%s: no process %q; there are %s", name, c.Process, processes(found)))
		}
	}
	return captures, failed
}

func trimmed(err error) error { return errors.New(strings.TrimPrefix(err.Error(), "frames: ")) }

func processes(captures []frames.Capture) string {
	var names []string
	seen := map[string]bool{}
	for _, c := range captures {
		if name := c.Process; !seen[name] && len(names) < 10 {
			seen[name] = true
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

func (c *framesCmd) open(s *session, name string) ([]frames.Capture, error) {
	o := frames.ReadOptions{File: name, Column: c.Column, Unit: string(c.Unit), PoolByName: c.Pool}
	var in io.Reader = s.in
	if name == "-" {
		o.File = "standard input"
	} else {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return nil, fmt.Errorf("%s is a directory; give its files", name)
		}
		in = f
	}
	return frames.Read(&untilDone{ctx: s.ctx, r: in}, o)
}

// untilDone is a reader that ends when ctx does, even while a read blocks.
type untilDone struct {
	ctx   context.Context
	r     io.Reader
	parts chan part
	left  []byte
	err   error
}

type part struct {
	text []byte
	err  error
}

func (u *untilDone) Read(p []byte) (int, error) {
	if u.parts == nil {
		u.parts = make(chan part)
		go u.pump()
	}
	for len(u.left) == 0 && u.err == nil {
		select {
		case next := <-u.parts:
			u.left, u.err = next.text, next.err
		case <-u.ctx.Done():
			u.err = errors.New("interrupted")
		}
	}
	n := copy(p, u.left)
	if u.left = u.left[n:]; n > 0 {
		return n, nil
	}
	return 0, u.err
}

func (u *untilDone) pump() {
	var buffers [2][64 << 10]byte // one is read while the other is used
	for i := 0; ; i++ {
		n, err := u.r.Read(buffers[i%2][:])
		select {
		case u.parts <- part{buffers[i%2][:n], err}:
		case <-u.ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// analyze reports on all captures, and compares those of different files.
func analyze(ctx context.Context, o frames.Options, captures []frames.Capture) (p report.Page, err error) {
	for _, c := range captures {
		r, err := frames.Analyze(c, o)
		if err != nil {
			return p, trimmed(err)
		}
		p.Captures = append(p.Captures, report.Capture{Capture: c, Report: r})
	}
	for _, pair := range pairs(captures) {
		if ctx.Err() != nil {
			break
		}
		cmp, err := frames.Compare(o, captures[pair.Base], captures[pair.Other])
		if err != nil {
			return p, trimmed(err)
		}
		pair.Comparison = cmp[0]
		p.Comparisons = append(p.Comparisons, pair)
	}
	return p, nil
}

// pairs chooses what to compare: a capture with the first one of another file that has the same process, or with the first of
// all when no two files have a process in common.
func pairs(captures []frames.Capture) (out []report.Comparison) {
	first := captures[0]
	for _, same := range []bool{true, false} {
		for i, c := range captures {
			for j, base := range captures[:i] {
				if base.File == first.File && c.File != first.File && (!same || base.Process == c.Process) {
					out = append(out, report.Comparison{Base: j, Other: i})
					break
				}
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// write writes the page to a file.
func (c *framesCmd) write(p report.Page) error {
	f, err := os.Create(string(c.HTML))
	if err != nil {
		return err
	}
	if err := errors.Join(report.Write(f, p), f.Close()); err != nil {
		return fmt.Errorf("cannot write %s: %w", c.HTML, err)
	}
	return nil
}
