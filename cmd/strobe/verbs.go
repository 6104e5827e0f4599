// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/compare"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/demo"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/exact"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/frames"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/probe"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/stat"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/trace"
)

// verbs returns the table of verbs, in the order in which help lists them.
func verbs() []cli.Verb {
	return []cli.Verb{
		{Name: "demo", Summary: "Measure a small simulation: the first thing to run.", Command: &demo.Command{View: top.Watch}},
		{Name: "top", Summary: "Watch the frames and zones of a running program.", Command: new(top.Command)},
		{Name: "trace", Summary: "Record what a running program does, for other viewers.", Command: new(trace.Command)},
		{Name: "probe", Summary: "Survey the clocks, sleeps and counters of this machine.", Command: new(probe.Command)},
		{Name: "exact", Summary: "Count every instruction of Go tests and benchmarks.", Command: new(exact.Command)},
		{Name: "gate", Summary: "Compare the benchmarks of a checkout with an earlier revision.", Command: new(gate.Command)},
		{Name: "bench", Summary: "Measure commands and say which is faster.", Command: new(bench.Command)},
		{Name: "compare", Summary: "Compare benchmark results.", Command: new(compare.Command)},
		{Name: "stat", Summary: "Summarise a file of numbers.", Command: new(stat.Command)},
		{Name: "frames", Summary: "Report on frame-time captures and compare them.", Command: new(frames.Command)},
	}
}
