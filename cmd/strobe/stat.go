// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/series"
	"github.com/strobe-go/strobe/internal/units"
)

type statCmd struct {
	File      string        `arg:"" optional:"" help:"One number a line; - or nothing reads standard input."`
	Column    string        `placeholder:"NAME" help:"Read this column of a CSV; a number counts columns from 1."`
	Level     level         `default:"0.95" placeholder:"0.95" help:"Probability that an interval covers the truth."`
	Method    series.Method `default:"batch-means" placeholder:"NAME" help:"How the interval of the mean is made; the default is batch-means."`
	Quantiles fractions     `default:"0.5,0.9,0.99,0.999" placeholder:"LIST" help:"Quantiles to show; the default is 0.5,0.9,0.99,0.999."`
	WarmUp    bool          `name:"drop-warm-up" help:"Leave out the start, as far as the rule MSER-5 says."`
}

// Help is the longer part of strobe stat --help.
func (statCmd) Help() string {
	return `
A number is decimal or scientific, with or without a unit: 12, -0.5, 1.2e-3, 12.3ms.
The first number sets the unit. ns, us, ms and s are converted to it; any other mix is
damage. Empty lines and lines that begin with # are skipped, and so are empty and NA
cells. A damaged line is skipped and counted, the first is named; when most lines are
damaged, exit code 2. Samples are exact decimals, and their order is that of time.

  batch-means   default; knows that neighbours resemble each other; any number of lines
  geyer         knows it too, by autocorrelation      needs all samples: up to 1048576
  bootstrap     knows it too, by resampling blocks    needs all samples: up to 1048576
  student-t     for independent samples only, such as the means of separate runs
  normal        the same for many; too narrow for few

Quantiles are exact up to 1048576 lines and within 0.05 % beyond, in constant memory.
`
}

// A level is the probability of an interval.
type level float64

func (l *level) UnmarshalText(text []byte) error {
	v, err := strconv.ParseFloat(strings.TrimSuffix(string(text), "%"), 64)
	if strings.HasSuffix(string(text), "%") {
		v /= 100
	}
	if err != nil || !(v > 0 && v <= 1-1e-9) {
		return fmt.Errorf("%q is no level; give a probability above 0 and below 1, such as 0.95 or 95%%", text)
	}
	*l = level(v)
	return nil
}

// A fractions is a list of quantiles, ascending.
type fractions []float64

func (f *fractions) UnmarshalText(text []byte) error {
	*f = nil
	for part := range strings.SplitSeq(string(text), ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(v > 0 && v < 1) {
			return fmt.Errorf("%q is no quantile; give numbers above 0 and below 1, such as 0.5,0.99", part)
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

// Run is called by the parser.
func (c *statCmd) Run(s *session) error {
	in, name, size, err := c.open(s)
	if err != nil {
		return failure{exitUsage, err}
	}
	defer in.Close()
	stored := c.WarmUp || c.Method.Stored()
	all, err := series.Read(s.ctx, in, series.Options{
		Column: c.Column, Quantiles: c.Quantiles, Stored: stored, Progress: c.progress(s, size),
	})
	progress{s.err, isTerminal(s.err)}.clear()
	if errors.Is(err, series.ErrTooMany) {
		return failure{exitUsage, fmt.Errorf("%s has more than %d numbers, and %s needs them all in memory; use --method batch-means",
			name, series.Keep, c.wish())}
	}
	if all.Damaged > 0 {
		s.warn("%s: %s", name, damaged(all))
	}
	if all.N() == 0 {
		switch {
		case err != nil:
			err = fmt.Errorf("%s: %w", name, err)
		case s.ctx.Err() != nil:
			return nil
		default:
			err = fmt.Errorf("%s holds no number", name)
		}
		return failure{exitUsage, err}
	}
	r := c.sum(all)
	if s.json {
		err = errors.Join(writeJSON(s.out, r.object(s.ctx.Err() != nil)), err)
	} else {
		err = errors.Join(r.text(s), err)
	}
	if err == nil && all.Damaged > all.N() {
		return failure{exitUsage, fmt.Errorf("%s: most lines hold no number; the result is of the others", name)}
	}
	if err != nil {
		return failure{exitUsage, fmt.Errorf("%s: %w; the result is of what came before", name, err)}
	}
	return nil
}

// wish names what needs all samples.
func (c *statCmd) wish() string {
	if c.Method.Stored() {
		return "--method " + string(c.Method)
	}
	return "--drop-warm-up"
}

// damaged says what is wrong with lines, in one line.
func damaged(all *series.Series) string {
	text := all.First.String()
	if all.Damaged > 1 {
		text += fmt.Sprintf("; and %s", plural(all.Damaged-1, "more line"))
	}
	if all.N() > 0 {
		text += "; skipped"
	} else if strings.ContainsAny(all.First.Text, ",;") {
		text += "; choose a column with --column NAME"
	}
	return text
}

// open returns the input, a name for it, and its size if that is known.
func (c *statCmd) open(s *session) (in io.ReadCloser, name string, size int64, err error) {
	if c.File == "" || c.File == "-" {
		if f, ok := s.in.(*os.File); ok && c.File == "" && isTerminal(f) {
			s.warn("reading numbers from the terminal, one a line; end with Ctrl-D")
		}
		return io.NopCloser(s.in), "standard input", 0, nil
	}
	f, err := os.Open(c.File)
	if err != nil {
		return nil, "", 0, err
	}
	if info, err := f.Stat(); err == nil {
		if info.IsDir() {
			f.Close()
			return nil, "", 0, fmt.Errorf("%s is a directory; give a file", c.File)
		}
		size = info.Size()
	}
	return f, c.File, size, nil
}

// progress returns what shows on a terminal how far the reading is.
func (c *statCmd) progress(s *session, size int64) func(uint64, int64) {
	p := progress{s.err, isTerminal(s.err)}
	if f, ok := s.in.(*os.File); !p.on || ok && (c.File == "" || c.File == "-") && isTerminal(f) {
		return nil // who types needs no progress
	}
	next := time.Now().Add(500 * time.Millisecond)
	return func(lines uint64, bytes int64) {
		if now := time.Now(); now.After(next) {
			next = now.Add(200 * time.Millisecond)
			of := ""
			if size > 0 {
				of = fmt.Sprintf(", %.0f %%", 100*min(1, float64(bytes)/float64(size)))
			}
			p.show("%s lines%s", units.Count(lines), of)
		}
	}
}

func plural(n uint64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
