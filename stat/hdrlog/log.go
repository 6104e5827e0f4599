// SPDX-License-Identifier: BSD-3-Clause

package hdrlog

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/stat"
)

// Header is the start of an interval log.
const Header = "#[Histogram log format version 1.3]\n" +
	`"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"` + "\n"

// Line is one interval of a log.
type Line struct {
	Tag       string  // empty for none; without commas and white space
	Start     float64 // seconds after the base time, which the comments of the log give
	Length    float64 // seconds
	Histogram *stat.Histogram
}

// AppendText appends the line in the form of a log, newline included. The maximum is divided by 1e6, as the format
// requires: for samples in nanoseconds it is in milliseconds. It fails when the tag has a comma or white space.
func (l Line) AppendText(b []byte) ([]byte, error) {
	if strings.ContainsAny(l.Tag, ", \t\r\n") {
		return b, fmt.Errorf("hdrlog: tag %q has a comma or white space", l.Tag)
	}
	if l.Tag != "" {
		b = append(append(append(b, "Tag="...), l.Tag...), ',')
	}
	most := int64(0)
	if l.Histogram != nil {
		most = l.Histogram.Max()
	}
	for _, x := range []float64{l.Start, l.Length, float64(most) / 1e6} {
		b = append(strconv.AppendFloat(b, x, 'f', 3, 64), ',')
	}
	return append(append(b, Encode(l.Histogram)...), '\n'), nil
}

// Reader reads an interval log line by line. A strobe.Reader reads what the profiler measured.
type Reader struct {
	scan *bufio.Scanner
	line int
}

// NewReader returns a reader of the log in r.
func NewReader(r io.Reader) *Reader {
	s := bufio.NewScanner(r)
	s.Buffer(nil, mostBytes)
	return &Reader{scan: s}
}

// Next returns the next interval, skipping comments and the legend, and io.EOF at the end. Other errors name the line;
// the next call continues after it.
func (r *Reader) Next() (Line, error) {
	for r.scan.Scan() {
		r.line++
		text := strings.TrimSpace(r.scan.Text())
		if text == "" || text[0] == '#' || text[0] == '"' {
			continue
		}
		l, err := parseLine(text)
		if err != nil {
			return Line{}, fmt.Errorf("line %d: %w", r.line, err)
		}
		return l, nil
	}
	if err := r.scan.Err(); err != nil {
		return Line{}, fmt.Errorf("line %d: hdrlog: %w", r.line+1, err)
	}
	return Line{}, io.EOF
}

func parseLine(text string) (l Line, err error) {
	if tagged, ok := strings.CutPrefix(text, "Tag="); ok {
		l.Tag, text, _ = strings.Cut(tagged, ",")
	}
	fields := strings.Split(text, ",")
	if len(fields) != 4 {
		return l, fmt.Errorf("hdrlog: %d fields, want start, length, maximum and histogram", len(fields))
	}
	for i, to := range []*float64{&l.Start, &l.Length} {
		if *to, err = strconv.ParseFloat(fields[i], 64); err != nil || math.IsNaN(*to) || math.IsInf(*to, 0) {
			return l, fmt.Errorf("hdrlog: %.40q is not a time in seconds", fields[i])
		}
	}
	l.Histogram, err = Decode(fields[3])
	return l, err
}
