// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/bisect"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/build"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/capture"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/compare"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/demo"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/exact"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/frames"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/guide"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/mcp"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/open"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/probe"
	verbrun "github.com/strobe-go/strobe/cmd/strobe/internal/verb/run"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/stat"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/trace"
)

// verbs returns the table of verbs, in the order in which help lists them.
func verbs() []cli.Verb {
	return []cli.Verb{
		{Name: "guide", Summary: "Says what to do next: a page for each situation.", Command: new(guide.Command)},
		{Name: "demo", Summary: "Measures a small simulation: the first thing to run.", Command: &demo.Command{View: top.Watch}},
		{Name: "run", Summary: "Runs a Go program and says where its time goes, without a line of code.", Command: &verbrun.Command{View: top.Watch, Page: open.Page}},
		{Name: "build", Summary: "Builds a program as run does, to run it elsewhere.", Command: new(build.Command)},
		{Name: "top", Summary: "Watches the frames and zones of a running program.", Command: new(top.Command)},
		{Name: "trace", Summary: "Records what a running program does, for other viewers.", Command: new(trace.Command)},
		{Name: "capture", Summary: "Says why slow frames and requests were slow, from the files that a program kept.", Command: new(capture.Command)},
		{Name: "open", Summary: "Shows a file of strobe in the browser.", Command: &open.Command{Frames: frames.Page}},
		{Name: "probe", Summary: "Surveys the clocks, sleeps and counters of this machine.", Command: new(probe.Command)},
		{Name: "stat", Summary: "Summarises a file of numbers.", Command: new(stat.Command)},
		{Name: "frames", Summary: "Reports on frame-time captures and compares them.", Command: new(frames.Command)},
		{Name: "gate", Summary: "Compares the benchmarks of a checkout with those of an earlier revision.", Command: new(gate.Command)},
		{Name: "bisect", Summary: "Finds the commit that made a benchmark slower.", Command: &bisect.Command{Compare: gate.Compare}},
		{Name: "bench", Summary: "Measures commands and says which is faster.", Command: new(bench.Command)},
		{Name: "compare", Summary: "Compares benchmark results.", Command: new(compare.Command)},
		{Name: "exact", Summary: "Counts every instruction of Go tests and benchmarks, in an emulated arm64 machine.", Command: new(exact.Command)},
		{Name: "mcp", Summary: "Offers verbs to coding assistants (MCP).", Command: new(mcp.Command)},
	}
}
