// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
)

// Flags are the flags of the verb.
type Flags struct {
	Rev      string   `arg:"" optional:"" name:"REV" help:"Revision to compare with, such as main. The base is its merge base with HEAD."`
	Packages []string `arg:"" optional:"" name:"PACKAGES" help:"Packages to measure, ./... by default. Flags for go build follow --."`

	flags.Rest `kong:"-"`

	Bench      string         `default:"." placeholder:"REGEXP" help:"Benchmarks to run, as for go test -bench. Default: all."`
	Gate       []limit        `sep:"none" placeholder:"5%" help:"Slowdown that still passes, 5% unless the file of limits has another; NAME=10% for benchmarks whose name contains NAME. May be repeated."`
	MaxTime    flags.Duration `default:"5m" placeholder:"5m" help:"Measure for at most this long in total. Builds come on top of it, unless --with-builds is given."`
	WithBuilds bool           `help:"Count the time of checking out and building in --max-time."`
	Level      flags.Level    `default:"99%" placeholder:"99%" help:"Confidence of the verdicts."`

	Require     []string `sep:"none" placeholder:"NAME" help:"Pass only if a benchmark whose name contains NAME was compared. May be repeated."`
	MinCompared int      `placeholder:"N" help:"Pass only if at least this many benchmarks were compared."`
	BaseName    []string `sep:"none" placeholder:"OLD=NEW" help:"Benchmark NEW is called OLD on the base; OLD= says that OLD was removed. May be repeated."`

	OwnTests bool `help:"Run on each side its own benchmarks. By default both sides run those of the working tree, where they build on the base."`

	Metrics []metric `placeholder:"LIST" help:"What decides: time, allocs, bytes, size, or units that benchmarks report, such as hits/op. Default: time, and what --limit names."`
	Limit   []bound  `sep:"none" placeholder:"METRIC=5%" help:"By how much another metric may grow, such as allocs=0; or fall, such as MB/s=-5%, if more is better. May be repeated."`

	By        string `enum:"wall,cpu" default:"wall" placeholder:"wall" help:"Compare elapsed time, of short blocks and long runs (wall), or the processor time of long runs alone (cpu)."`
	CPU       int    `name:"cpu" placeholder:"N" help:"GOMAXPROCS of the benchmarks. Default: 1 for those that more processors make no faster, all for the others."`
	Profile   string `aliases:"cpu-profile" placeholder:"DIR" help:"Keep profiles and a flame graph of what failed."`
	Exact     bool   `help:"Compare instructions in an emulated machine instead of time, as strobe exact counts them."`
	Kernel    string `placeholder:"FILE" help:"With --exact, the arm64 kernel image. Default: one from the cache."`
	Collector bool   `help:"With --exact, count the work of the garbage collector too."`
	All       bool   `help:"Show all benchmarks. By default the tables have the 20 worst, and lists end after 20 entries."`
	Markdown  string `placeholder:"FILE" help:"Write the report as Markdown. It is also appended to $GITHUB_STEP_SUMMARY if that is set."`
	Annotate  bool   `help:"Print annotations for a GitHub workflow on standard error, which mark what did not pass: the function behind it, or else the benchmark."`
	Self      bool   `help:"Compare the working tree with itself, and say which slowdowns would have failed. Takes no REV."`

	Layouts int             `default:"-1" placeholder:"N" help:"Link each side in this many random orders of functions; 0 for the order of the linker. Default: up to 8, as time allows."`
	Timeout *flags.Duration `placeholder:"1m" help:"Time limit for one run of a benchmark. Default: 1m; 10m with --exact."`
	Run     flags.Duration  `default:"20ms" hidden:"" help:"Aim at runs of this length."`
	Explain bool            `default:"true" negatable:"" hidden:"" help:"Profile what failed."`
	Record  string          `hidden:"" help:"Append what each run took to this file, for simulations."`
	Seed    uint64          `placeholder:"N" help:"Seed for the order of runs; 0 draws one."`
}

// A limit is the slowdown that passes: of all benchmarks, or of those whose name contains a text.
type limit struct {
	name  string
	share float64
}

// UnmarshalText reads "5%" or "NAME=10%".
func (l *limit) UnmarshalText(text []byte) error {
	share := string(text)
	if i := strings.LastIndexByte(share, '='); i >= 0 {
		l.name, share = share[:i], share[i+1:]
		if l.name == "" {
			return fmt.Errorf("%q has no name before the =; give NAME=10%%", text)
		}
	}
	var v flags.Share
	if err := v.UnmarshalText([]byte(share)); err != nil {
		return err
	}
	l.share = float64(v)
	return nil
}

// fallback is the limit where none is given.
const fallback = 0.05

// limitOf returns the last limit of the time that names a benchmark, or for an empty name the last one for all. ok is false if there
// is none.
func (f *Flags) limitOf(name string) (share float64, ok bool) {
	for _, l := range f.Gate {
		if name == "" && l.name == "" || name != "" && l.name != "" && strings.Contains("Benchmark"+name, l.name) {
			share, ok = l.share, true
		}
	}
	return share, ok
}

// split divides the arguments after REV into packages and flags for the go command. With --self, REV is a package too.
func (f *Flags) split() (packages, build []string) {
	all := f.Packages
	if f.Self && f.Rev != "" {
		all = append([]string{f.Rev}, all...)
	}
	return f.Rest.Packages(all)
}

// timeout returns the limit for one run. The emulated machine is slow, and on a busy one slower still.
func (f *Flags) timeout() time.Duration {
	switch {
	case f.Timeout != nil:
		return time.Duration(*f.Timeout)
	case f.Exact:
		return 10 * time.Minute
	}
	return time.Minute
}

// by returns what is compared.
func (f *Flags) by() string {
	if f.Exact {
		return instructions
	}
	return f.By
}

// repeat returns the command that measures one benchmark against a base once more.
func (f *Flags) repeat(base string, b *benchmark) string {
	words := []string{"strobe", "gate", base}
	if f.Self {
		words[2] = "--self"
	}
	words = append(words, b.pkg.again(), "--bench='"+exactly(b.name)+"'", "--gate="+strconv.FormatFloat(100*b.time.plain.share, 'g', 6, 64)+"%")
	if f.By != "wall" {
		words = append(words, "--by="+f.By)
	}
	if f.CPU > 0 {
		words = append(words, "--cpu="+strconv.Itoa(f.CPU))
	}
	if f.Exact {
		words = append(words, "--exact")
	}
	if f.Collector {
		words = append(words, "--collector")
	}
	if f.Kernel != "" {
		words = append(words, "--kernel='"+f.Kernel+"'")
	}
	if len(f.Metrics) > 0 {
		names := make([]string, len(f.Metrics))
		for i, k := range f.Metrics {
			names[i] = string(k)
		}
		words = append(words, "--metrics='"+strings.Join(names, ",")+"'")
	}
	for _, l := range f.Limit {
		words = append(words, "--limit='"+l.String()+"'")
	}
	if f.OwnTests {
		words = append(words, "--own-tests")
	}
	if b.baseName != "" {
		words = append(words, "--base-name='"+b.baseName+"="+b.name+"'")
	}
	if _, build := f.split(); len(build) > 0 {
		words = append(append(words, "--"), build...)
	}
	return strings.Join(words, " ")
}
