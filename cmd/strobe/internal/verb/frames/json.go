// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/frames/report"
	"github.com/strobe-go/strobe/frames"
)

// A framesObject is the JSON of strobe frames.
type framesObject struct {
	Schema      int                `json:"schema"`                // version of this format
	Captures    []frames.Report    `json:"captures"`              // in the order read
	Comparisons []framesComparison `json:"comparisons,omitempty"` // of captures of different files
	Damage      []string           `json:"damage,omitempty"`      // what could not be read, with file and place
}

type framesComparison struct {
	Base        int                 `json:"base"`               // place of the one capture in the list, from 0
	Other       int                 `json:"other"`              // place of the other capture
	Differences []frames.Difference `json:"differences"`        // the other less the one, figure by figure
	Warnings    []string            `json:"warnings,omitempty"` // why the differences may mislead
}

func framesObjectOf(p report.Page, damage []string) framesObject {
	o := framesObject{Schema: session.Schema, Damage: damage}
	for _, c := range p.Captures {
		o.Captures = append(o.Captures, c.Report)
	}
	for _, c := range p.Comparisons {
		o.Comparisons = append(o.Comparisons, framesComparison{c.Base, c.Other, c.Differences, c.Warnings})
	}
	return o
}
