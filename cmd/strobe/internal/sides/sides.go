// SPDX-License-Identifier: BSD-3-Clause

// Package sides is what strobe bisect needs of strobe gate: a comparison of the benchmarks in two folders, which hold revisions of
// one module. The gate implements it, and main gives it to bisect, since a verb does not import another.
package sides

import (
	"context"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// Options say what is compared, and how.
type Options struct {
	Packages []string      // as the go command takes them, below the folders
	Build    []string      // flags for the go command
	Bench    string        // pattern of benchmarks, as for go test -bench
	Limit    float64       // relative slowdown that passes
	Level    float64       // confidence of the outcomes
	Time     time.Duration // to measure for at most
	Timeout  time.Duration // for one run; 0 is the gate's default
	Run      time.Duration // length to aim at, of a run of short blocks
	By       string        // wall or cpu
	CPU      int           // GOMAXPROCS of the benchmarks; 0 is the gate's choice
	Layouts  int           // orders of functions in which each side is linked; 0 is that of the linker, -1 as many as there is time for
	First    int           // how many such orders to leave to other comparisons
	Exact    bool          // compare instructions, in an emulated machine
	Kernel   string        // of that machine; empty if it is in the cache
	Seed     uint64        // for the order of runs; 0 draws one
}

// Compare builds the benchmarks of two folders and finds those that both have. It returns a *Fault if there are none. A pair that is
// returned with an error must be closed too, unless it is nil.
type Compare func(s *session.Session, o Options, base, other string) (Pair, error)

// A Pair compares benchmarks of a base with those of another side.
type Pair interface {
	// Judge measures until each benchmark is decided or the time is up, or an interrupt.
	Judge(s *session.Session) []Result
	// Layouts returns in how many orders of functions the base was linked, at least 1.
	Layouts() int
	// Build builds a benchmark of a third folder in a layout, from 1, and returns what identifies the program.
	Build(ctx context.Context, benchmark int, folder string, layout int) (program string, err error)
	// Rounds compares what was built last with the base, after Judge: the logarithms of the ratios of the costs in n rounds, or in one
	// where costs are exact. It uses all layouts of the base.
	Rounds(ctx context.Context, benchmark int, n int) ([]float64, error)
	// Opened returns the files that the benchmarks of the other side look at; ok is false if that cannot be had.
	Opened(ctx context.Context, benchmark int) (files []string, ok bool)
	// Close removes what was built.
	Close()
}

// A Result is what a pair found of a benchmark.
type Result struct {
	Package, Name string         // the name is without "Benchmark"
	Folder        string         // of the package, below those of the sides, with slashes
	Pattern       string         // selects this benchmark alone
	Outcome       decide.Outcome // Failed if it costs more than the limit allows
	Ratio         stat.Interval  // of the costs; its Level is 0 if it is not known
	Change        string         // the ratio as a change in percent, with its bounds; empty if it is not known
	Rounds        [][]float64    // logarithms of the ratios of the costs, by layout
	Rewritten     bool           // the source of the benchmark differs between the sides
	Broken        *Fault         // why it could not be measured
}

// A Fault says why benchmarks cannot be compared.
type Fault struct {
	Base   bool   // the base is to blame, otherwise the other side
	Absent bool   // what was asked for does not exist, otherwise it does not build or run
	Why    string // begins with the name of what is to blame
}

// Error returns Why.
func (f *Fault) Error() string { return f.Why }
