// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"context"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/frames/report"
	"github.com/strobe-go/strobe/frames"
)

// analyzeGroups reports on the runs of all groups, and compares each group with the first.
func analyzeGroups(o frames.Options, groups []frames.Group) (p report.Page, err error) {
	for _, g := range groups {
		r, err := frames.AnalyzeGroup(g, o)
		if err != nil {
			return p, trimmed(err)
		}
		group := report.Group{GroupReport: r}
		for i, run := range r.Runs {
			group.Members = append(group.Members, len(p.Captures))
			p.Captures = append(p.Captures, reported(g.Runs[i], run))
		}
		p.Groups = append(p.Groups, group)
	}
	for i := range p.Groups[1:] {
		c := p.Groups[0].Compare(p.Groups[i+1].GroupReport)
		p.GroupComparisons = append(p.GroupComparisons, report.GroupComparison{Base: 0, Other: i + 1, GroupComparison: c})
	}
	return p, nil
}

// reported returns a capture with its report, without the columns that only the report needs, which may be long.
func reported(c frames.Capture, r frames.Report) report.Capture {
	c.AnimationError, c.Displayed = nil, nil
	return report.Capture{Capture: c, Report: r}
}

// analyze reports on all captures, and compares those of different files.
func analyze(ctx context.Context, o frames.Options, captures []frames.Capture) (p report.Page, err error) {
	for _, c := range captures {
		r, err := frames.Analyze(c, o)
		if err != nil {
			return p, trimmed(err)
		}
		p.Captures = append(p.Captures, reported(c, r))
	}
	for _, pair := range pairs(captures) {
		if ctx.Err() != nil {
			break
		}
		pair.Comparison = frames.CompareReports(p.Captures[pair.Base].Report, p.Captures[pair.Other].Report)
		p.Comparisons = append(p.Comparisons, pair)
	}
	return p, nil
}

// pairs chooses what to compare: each capture with the first one of the same process in another file, or with the very first one
// if no two files have a process in common.
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
