// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"github.com/strobe-go/strobe/cmd/strobe/internal/report"
	"github.com/strobe-go/strobe/frames"
)

// A framesObject is the JSON of strobe frames. What is not known is absent.
type framesObject struct {
	Schema      int                `json:"schema"`
	Captures    []frames.Report    `json:"captures"`
	Comparisons []framesComparison `json:"comparisons,omitempty"`
}

// A framesComparison names its captures by their place in the list, from 0.
type framesComparison struct {
	Base        int                 `json:"base"`
	Other       int                 `json:"other"`
	Differences []frames.Difference `json:"differences"`
	Warnings    []string            `json:"warnings,omitempty"`
}

func framesObjectOf(p report.Page) framesObject {
	o := framesObject{Schema: schema}
	for _, c := range p.Captures {
		o.Captures = append(o.Captures, c.Report)
	}
	for _, c := range p.Comparisons {
		o.Comparisons = append(o.Comparisons, framesComparison{c.Base, c.Other, c.Differences, c.Warnings})
	}
	return o
}
