// SPDX-License-Identifier: BSD-3-Clause

package programs

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// rounds is how often the cost is measured: an odd number, for the median.
const rounds = 11

// A cost is what zones cost a program: with all of them, and without those that an earlier run by strobe run found to be costly.
type cost struct {
	Without float64 // seconds of processor time, median
	All     variant
	Later   variant
	LeftOut int // zones that later builds have not
	Starts  starts
}

// A variant is a program with zones, run by strobe run. Processor times are in times of that without zones.
type variant struct {
	Ratios            []float64 // what it took apart from readings, in order
	Readings          float64   // what readings took, median
	Said, Least, Most float64   // Ratios as strobe run said it, at least and at most: medians; 0 if they have no bound
}

// cost runs a program without zones and in two builds with zones in turn.
func (b *built) cost(t *testing.T) (c cost) {
	t.Helper()
	long := *b
	if b.longer != nil {
		b.longer(&long.program)
		long.prepare(t)
	}
	long.ask(t) // from which the next build learns
	var without []float64
	var all, later []said
	for range rounds {
		without = append(without, long.run(t, b.plain).cpu.Seconds())
		all, later = append(all, long.ask(t, "--all-functions")), append(later, long.ask(t))
	}
	c.All, c.Later, c.LeftOut = summarize(without, all), summarize(without, later), len(later[rounds-1].LeftOut)
	slices.Sort(without)
	c.Without, c.Starts = without[rounds/2], b.starts(t)
	return c
}

// summarize returns what was measured of the runs of a build and what was said of them. without are the seconds of runs without zones.
func summarize(without []float64, runs []said) (v variant) {
	var readings, means, leasts, mosts []float64
	for i, s := range runs {
		v.Ratios = append(v.Ratios, float64(s.Processor-s.Readings)/1e9/without[i])
		readings = append(readings, float64(s.Readings)/1e9/without[i])
		means, leasts, mosts = append(means, times(s.Slower)), append(leasts, times(s.Least)), append(mosts, times(s.Most))
	}
	slices.Sort(v.Ratios)
	v.Readings = median(readings)
	if said, least, most := median(means), median(leasts), median(mosts); !math.IsInf(most, 1) {
		v.Said, v.Least, v.Most = said, least, most
	}
	return v
}

// times returns a share that is added as a factor; what is not known, or has no bound, is more than any other.
func times(share *float64) float64 {
	if share == nil {
		return math.Inf(1)
	}
	return 1 + *share
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

// A said is what strobe run says of a program.
type said struct {
	Slower    *float64 `json:"slower_share"`
	Least     *float64 `json:"slower_least"`
	Most      *float64 `json:"slower_most"`
	Processor int64    `json:"processor_ns"`
	Readings  int64    `json:"readings_ns"`

	LeftOut []struct{ Name string } `json:"left_out"`
}

// ask runs the program by strobe run, which also learns what the next build is to leave out. It builds and runs in one folder, so that the
// program works in that of its module.
func (b *built) ask(t *testing.T, flags ...string) (s said) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.json")
	defer tidy(t, b.tree)()
	defer tidy(t, b.dir)()
	b.fill(t, b.tree)
	words := append(append([]string{b.strobe, "run", "--json", "--report", "-o", file}, flags...), "-ldflags=-w", b.main)
	b.execute(t, b.tree, append(slices.Clone(b.env), "HOME="+t.TempDir()), append(words, b.args...)...)
	read(t, file, &s)
	if s.Processor <= 0 {
		t.Fatalf("%s: strobe run knows no processor time", b.name)
	}
	return s
}

// tidy returns a function that removes what has come into a folder since.
func tidy(t *testing.T, dir string) func() {
	t.Helper()
	names := func() (all []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			all = append(all, e.Name())
		}
		return all
	}
	before := names()
	return func() {
		for _, name := range names() {
			if !slices.Contains(before, name) {
				os.RemoveAll(filepath.Join(dir, name))
			}
		}
	}
}
