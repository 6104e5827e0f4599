// SPDX-License-Identifier: BSD-3-Clause

// Package report turns the output of Go benchmarks, many rounds of it, into BENCHMARKS.md: medians,
// their spread, ratios taken within each round, and whether the goals are met.
package report

import (
	"fmt"
	"strconv"
	"strings"
)

// A Table is one section of the plan, tables.txt.
type Table struct {
	Name, Title, Text string
	Show              []string // metrics; the first one is compared
	Base              string
	Rounds            int
	Time              string // time of a row in a round, as for -test.benchtime
	Goals             []Goal
}

// A Goal is a limit for a row.
type Goal struct {
	Row, Metric string
	AtMost      bool // otherwise at least
	Bound       float64
	Of          string // the row that Bound is a multiple of; if empty, Bound is in the metric's unit
}

// String returns the goal as it is written in the plan.
func (g Goal) String() string {
	op, of := ">=", ""
	if g.AtMost {
		op = "<="
	}
	if g.Of != "" {
		of = " x " + g.Of
	}
	return fmt.Sprintf("%s %s %s %s%s", g.Row, g.Metric, op, strconv.FormatFloat(g.Bound, 'g', -1, 64), of)
}

// ParsePlan reads tables.txt.
func ParsePlan(text string) ([]Table, error) {
	var tables []Table
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		key, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		if key == "table" {
			tables = append(tables, Table{Name: rest})
			continue
		}
		if len(tables) == 0 {
			return nil, fmt.Errorf("tables.txt:%d: %s before the first table", i+1, key)
		}
		if err := tables[len(tables)-1].set(key, rest); err != nil {
			return nil, fmt.Errorf("tables.txt:%d: %w", i+1, err)
		}
	}
	for _, t := range tables {
		if t.Title == "" || len(t.Show) == 0 || t.Base == "" || t.Rounds < 1 {
			return nil, fmt.Errorf("tables.txt: table %s needs a title, show, base and run", t.Name)
		}
	}
	return tables, nil
}

func (t *Table) set(key, rest string) error {
	switch key {
	case "title":
		t.Title = rest
	case "text":
		t.Text += rest + "\n"
	case "show":
		t.Show = strings.Fields(rest)
	case "base":
		t.Base = rest
	case "run":
		if n, err := fmt.Sscanf(rest, "%d x %s", &t.Rounds, &t.Time); n != 2 || t.Rounds < 1 {
			return fmt.Errorf("run needs ROUNDS x TIME: %q: %w", rest, err)
		}
	case "goal":
		goal, err := parseGoal(rest)
		if err != nil {
			return err
		}
		t.Goals = append(t.Goals, goal)
	default:
		return fmt.Errorf("unknown keyword %q", key)
	}
	return nil
}

func parseGoal(text string) (Goal, error) {
	words := strings.Fields(text)
	if len(words) == 4 || len(words) == 6 && words[4] == "x" {
		bound, err := strconv.ParseFloat(words[3], 64)
		if err == nil && (words[2] == "<=" || words[2] == ">=") {
			g := Goal{Row: words[0], Metric: words[1], AtMost: words[2] == "<=", Bound: bound}
			if len(words) == 6 {
				g.Of = words[5]
			}
			return g, nil
		}
	}
	return Goal{}, fmt.Errorf("goal needs ROW METRIC <= NUMBER, or ROW METRIC <= NUMBER x ROW: %q", text)
}
