// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/stat/series"
)

// Flags are the flags of the verb.
type Flags struct {
	File      string        `arg:"" optional:"" name:"FILE" help:"One number per line; - or nothing for standard input."`
	Column    string        `placeholder:"NAME" help:"Read this column of a CSV file; columns may be numbered from 1."`
	Level     flags.Level   `default:"0.95" placeholder:"0.95" help:"Confidence level of the intervals."`
	Method    series.Method `default:"batch-means" placeholder:"batch-means" help:"Method for the interval of the mean."`
	Quantiles fractions     `default:"0.5,0.9,0.99,0.999" placeholder:"LIST" help:"Quantiles to print. Default: 0.5,0.9,0.99,0.999."`
	Damage    flags.Share   `name:"max-damaged" default:"1%" placeholder:"1%" help:"Exit with 2 if more than one line, and more than this share of all, has no number."`
	Strict    bool          `help:"Exit with 2 if any line has no number."`
	Explain   bool          `help:"Print what each term means."`
	WarmUp    bool          `name:"drop-warm-up" help:"Leave out the warm-up at the start, as found by MSER-5."`
}

// median is always computed, since it may have to replace the mean.
const median = 0.5

// found returns the quantiles to compute.
func (f *Flags) found() []float64 {
	all := append([]float64{median}, f.Quantiles...)
	slices.Sort(all)
	return slices.Compact(all)
}

// wish returns the flag that needs all samples in memory.
func (f *Flags) wish() string {
	if f.Method.Stored() {
		return "--method " + string(f.Method)
	}
	return "--drop-warm-up"
}

// tooDamaged reports whether too many lines have no number. One such line, for example a header, is allowed unless --strict is
// given.
func (f *Flags) tooDamaged(numbers, damaged uint64) bool {
	if f.Strict {
		return damaged > 0
	}
	return damaged > 1 && float64(damaged) > float64(f.Damage)*float64(numbers+damaged)
}

// A fractions is a list of quantiles, ascending.
type fractions []float64

func (f *fractions) UnmarshalText(text []byte) error {
	*f = nil
	for part := range strings.SplitSeq(string(text), ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(v > 0 && v < 1) {
			return fmt.Errorf("%q is not a quantile; give numbers above 0 and below 1, such as 0.5,0.99", part)
		}
		*f = append(*f, v)
	}
	slices.Sort(*f)
	*f = slices.Compact(*f)
	if len(*f) > 50 {
		return errors.New("more than 50 quantiles")
	}
	return nil
}
