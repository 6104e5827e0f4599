// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/strobe-go/strobe/internal/units"
)

// An export is a file to write.
type export struct {
	file   string
	format func(w io.Writer, b *benchRun, interrupted bool) error
}

var exportNames = [...]string{"json", "csv", "md", "gobench", "html"}

// formatOf returns how to write a format, nil if there is no such.
func formatOf(name string) func(io.Writer, *benchRun, bool) error {
	switch name {
	case "json", "hyperfine":
		return func(w io.Writer, b *benchRun, interrupted bool) error {
			o := b.object(interrupted)
			o.Results = b.hyperfine()
			return writeJSON(w, o)
		}
	case "csv":
		return exportCSV
	case "md", "markdown":
		return exportMarkdown
	case "gobench", "txt":
		return exportGo
	case "html":
		return exportHTML
	}
	return nil
}

// exports reads FORMAT=FILE, FILE with a name that tells the format, or FORMAT alone, which makes its own file name. It tries that the
// files can be written before anything is measured.
func (c *benchCmd) exports() (all []export, err error) {
	for _, text := range c.Export {
		name, file, ok := strings.Cut(text, "=")
		switch {
		case ok && formatOf(name) != nil:
		case formatOf(text) != nil:
			name, file = text, "strobe-bench."+map[string]string{"gobench": "txt", "markdown": "md", "hyperfine": "json"}[text]
			if strings.HasSuffix(file, ".") {
				file += text
			}
		default:
			name, file = strings.TrimPrefix(filepath.Ext(text), "."), text
		}
		format := formatOf(name)
		if format == nil || file == "" {
			return nil, fmt.Errorf("--export: %q: give FORMAT=FILE, or a file that ends in its format; formats are %s", text, strings.Join(exportNames[:], ", "))
		}
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE, 0o666)
		if err != nil {
			return nil, fmt.Errorf("--export: %w", err)
		}
		f.Close()
		all = append(all, export{file, format})
	}
	return all, nil
}

func (e export) write(b *benchRun, interrupted bool) error {
	var w bytes.Buffer
	if err := e.format(&w, b, interrupted); err != nil {
		return err
	}
	return os.WriteFile(e.file, w.Bytes(), 0o666)
}

// A hyperfineResult has the keys and units, seconds and bytes, that hyperfine's JSON has.
type hyperfineResult struct {
	Command    string            `json:"command"`
	Mean       float64           `json:"mean"`
	StdDev     *float64          `json:"stddev"`
	Median     float64           `json:"median"`
	User       float64           `json:"user"`
	System     float64           `json:"system"`
	Min        float64           `json:"min"`
	Max        float64           `json:"max"`
	Times      []float64         `json:"times"`
	Memory     []int64           `json:"memory_usage_byte,omitempty"`
	ExitCodes  []int             `json:"exit_codes"`
	Parameters map[string]string `json:"parameters,omitempty"`
}

func (b *benchRun) hyperfine() (all []hyperfineResult) {
	for _, j := range b.jobs {
		if len(j.runs) == 0 {
			continue
		}
		f := j.figures()
		r := hyperfineResult{Command: j.name, Mean: f.mean.Center / 1e9, Median: f.median / 1e9, User: f.user / 1e9, System: f.system / 1e9,
			Min: f.min / 1e9, Max: f.max / 1e9, Parameters: j.object().Parameters}
		if f.runs > 1 {
			sd := f.stddev / 1e9
			r.StdDev = &sd
		}
		for _, run := range j.runs {
			r.Times = append(r.Times, run.Wall.Seconds())
			r.ExitCodes = append(r.ExitCodes, run.Exit)
			if f.peak > 0 {
				r.Memory = append(r.Memory, run.Peak)
			}
		}
		all = append(all, r)
	}
	return all
}

// exportCSV writes a row for each run.
func exportCSV(w io.Writer, b *benchRun, _ bool) error {
	c := csv.NewWriter(w)
	c.Write([]string{"command", "run", "wall_ns", "user_ns", "system_ns", "peak_bytes", "preemptions", "exit_code"})
	for _, j := range b.jobs {
		for i, r := range j.runs {
			row := []string{j.name, strconv.Itoa(i + 1), fmt.Sprint(int64(r.Wall)), fmt.Sprint(int64(r.User)), fmt.Sprint(int64(r.System)), "", "", strconv.Itoa(r.Exit)}
			if r.Known.Peak {
				row[5] = fmt.Sprint(r.Peak)
			}
			if r.Known.Switches {
				row[6] = fmt.Sprint(r.Preempted)
			}
			c.Write(row)
		}
	}
	c.Flush()
	return c.Error()
}

// exportMarkdown writes a table.
func exportMarkdown(w io.Writer, b *benchRun, _ bool) error {
	all := b.comparisons()
	fmt.Fprintln(w, "| command | mean, 95 % | median | range | runs | times the first | |\n|---|--:|--:|--:|--:|--:|---|")
	for i, j := range b.jobs {
		name := "`" + strings.NewReplacer("|", `\|`, "`", "'", "\n", " ").Replace(j.name) + "`"
		if len(j.runs) == 0 {
			fmt.Fprintf(w, "| %s | – | – | – | 0 | – | |\n", name)
			continue
		}
		f := j.figures()
		ratio, verdict := "1", ""
		if i > 0 {
			ratio, verdict = strings.TrimSuffix(ratioText(all[i-1].Ratio), " times"), verdictText(all[i-1])
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s to %s | %d | %s | %s |\n", name, inTime(f.mean), units.Duration(f.median), units.Duration(f.min),
			units.Duration(f.max), f.runs, ratio, verdict)
	}
	return nil
}

// exportGo writes Go benchmark text: a line for each run.
func exportGo(w io.Writer, b *benchRun, _ bool) error {
	fmt.Fprintf(w, "Unit user-sec/op better=lower\nUnit system-sec/op better=lower\nUnit peak-bytes better=lower\n\n")
	for _, j := range b.jobs {
		for _, r := range j.runs {
			fmt.Fprintf(w, "Benchmark%s 1 %d ns/op %g user-sec/op %g system-sec/op", goName(j.name), r.Wall, r.User.Seconds(), r.System.Seconds())
			if r.Known.Peak {
				fmt.Fprintf(w, " %d peak-bytes", r.Peak)
			}
			fmt.Fprintln(w)
		}
	}
	return nil
}

// goName makes a name that stands in Go benchmark text: without blanks, and not beginning with a lower-case letter.
func goName(name string) string {
	text := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return '_'
		}
		return r
	}, name)
	return "/" + text
}
