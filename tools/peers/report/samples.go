// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"bufio"
	"cmp"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Samples hold what the rounds of one table measured.
type Samples struct {
	Rows   []string // in the order they ran
	rounds []map[string]map[string]float64
}

var procs = regexp.MustCompile(`-\d+$`)

// AddRound reads the output of one run of a test binary. Lines of other tables are ignored.
func (s *Samples) AddRound(table string, output io.Reader) error {
	round := map[string]map[string]float64{}
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) < 4 {
			continue
		}
		row, ours := strings.CutPrefix(procs.ReplaceAllString(words[0], ""), "Benchmark"+table+"/")
		if _, err := strconv.Atoi(words[1]); !ours || err != nil {
			continue
		}
		metrics := map[string]float64{}
		for i := 2; i+1 < len(words); i += 2 {
			value, err := strconv.ParseFloat(words[i], 64)
			if err != nil {
				return err
			}
			metrics[words[i+1]] = value
		}
		round[row] = metrics
		if !slices.Contains(s.Rows, row) {
			s.Rows = append(s.Rows, row)
		}
	}
	s.rounds = append(s.rounds, round)
	return lines.Err()
}

// A Figure is the median of some rounds and their extremes.
type Figure struct {
	Median, Min, Max float64
	N                int // number of rounds; 0 if nothing was measured
}

// Figure returns a row's metric.
func (s *Samples) Figure(row, metric string) Figure {
	var values []float64
	for _, round := range s.rounds {
		if v, ok := round[row][metric]; ok {
			values = append(values, v)
		}
	}
	return figure(values)
}

// Ratio returns a row's metric as a multiple of another's, taken within each round, so that anything that slows a whole round
// cancels. Rounds in which the other is zero do not count.
func (s *Samples) Ratio(row, other, metric string) Figure {
	var values []float64
	for _, round := range s.rounds {
		a, ok := round[row][metric]
		b, also := round[other][metric]
		if ok && also && b != 0 {
			values = append(values, a/b)
		}
	}
	return figure(values)
}

func figure(values []float64) Figure {
	if len(values) == 0 {
		return Figure{}
	}
	slices.SortFunc(values, cmp.Compare)
	n := len(values)
	return Figure{Median: (values[(n-1)/2] + values[n/2]) / 2, Min: values[0], Max: values[n-1], N: n}
}

// baseOf returns the row that a row is compared with: the base with the same name prefix, or else the first row with that
// prefix.
func (t Table) baseOf(row string, rows []string) string {
	folder := row[:strings.LastIndexByte(row, '/')+1]
	first := ""
	for _, r := range rows {
		if r == folder+t.Base {
			return r
		}
		if first == "" && strings.HasPrefix(r, folder) {
			first = r
		}
	}
	return first
}
