// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/frames/report"
	"github.com/strobe-go/strobe/frames"
)

// A framesObject is the JSON of strobe frames.
type framesObject struct {
	Schema           int                `json:"schema"`                      // version of this format
	Captures         []framesCapture    `json:"captures"`                    // in the order read
	Comparisons      []framesComparison `json:"comparisons,omitempty"`       // of captures of different files
	Groups           []framesGroup      `json:"groups,omitempty"`            // of --group, in the order given
	GroupComparisons []framesComparison `json:"group_comparisons,omitempty"` // each group with the first
	Gate             *gate.Gate         `json:"gate,omitempty"`              // with --gate alone
	Damage           []string           `json:"damage,omitempty"`            // what could not be read, with file and place
}

// A framesCapture is a report. The figures that other programs read by a fixed key are also in its metrics, with interval and
// definition.
type framesCapture struct {
	frames.Report

	// Frames per second, by the preset's definition or else by strobe's.
	AvgFPS           *float64 `json:"avg_fps,omitempty"`
	P1FPS            *float64 `json:"p1_fps,omitempty"`
	P01FPS           *float64 `json:"p01_fps,omitempty"`
	Low1AverageFPS   *float64 `json:"low1_average_fps,omitempty"`
	Low01AverageFPS  *float64 `json:"low01_average_fps,omitempty"`
	Low1IntegralFPS  *float64 `json:"low1_integral_fps,omitempty"`
	Low01IntegralFPS *float64 `json:"low01_integral_fps,omitempty"`
}

func framesCaptureOf(r frames.Report) framesCapture {
	of := func(key string) *float64 {
		if m, ok := r.Metric(key); ok {
			return &m.Value
		}
		return nil
	}
	return framesCapture{r, of("avg_fps"), of("p1_fps"), of("p01_fps"), of("low1_average_fps"), of("low01_average_fps"), of("low1_integral_fps"), of("low01_integral_fps")}
}

// A framesGroup is the runs of one configuration.
type framesGroup struct {
	Name    string               `json:"name"`    // as given
	Runs    []int                `json:"runs"`    // places of its captures in the list, from 0
	Figures []frames.GroupFigure `json:"figures"` // those that every run has
}

type framesComparison struct {
	Base        int                 `json:"base"`               // place of the one capture or group in its list, from 0
	Other       int                 `json:"other"`              // place of the other
	Differences []frames.Difference `json:"differences"`        // the other less the one, figure by figure
	Warnings    []string            `json:"warnings,omitempty"` // why the differences may mislead
}

func framesObjectOf(p report.Page, damage []string, g *gate.Gate) framesObject {
	o := framesObject{Schema: session.Schema, Damage: damage, Gate: g}
	for _, g := range p.Groups {
		o.Groups = append(o.Groups, framesGroup{g.Name, g.Members, g.Figures})
	}
	for _, c := range p.GroupComparisons {
		o.GroupComparisons = append(o.GroupComparisons, framesComparison{c.Base, c.Other, c.Differences, c.Warnings})
	}
	for _, c := range p.Captures {
		o.Captures = append(o.Captures, framesCaptureOf(c.Report))
	}
	for _, c := range p.Comparisons {
		o.Comparisons = append(o.Comparisons, framesComparison{c.Base, c.Other, c.Differences, c.Warnings})
	}
	return o
}
