// SPDX-License-Identifier: BSD-3-Clause

package bisect

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/cmd/strobe/internal/sides"
)

// Flags are the flags of the verb.
type Flags struct {
	Range    string   `arg:"" name:"GOOD..BAD" help:"A revision at which the benchmark was fast, and a later one at which it is slow. Without BAD it is HEAD."`
	Packages []string `arg:"" optional:"" name:"PACKAGES" help:"Packages to measure, ./... by default. Flags for go build follow --."`

	flags.Rest `kong:"-"`

	Bench   string         `default:"." placeholder:"REGEXP" help:"The benchmark, as for go test -bench. Of several, the one that became slowest."`
	Gate    flags.Share    `default:"2%" placeholder:"2%" help:"Slowdown that does not count, of the ends and of a commit."`
	Level   flags.Level    `default:"99%" placeholder:"99%" help:"Confidence of the answer."`
	MaxTime flags.Duration `default:"15m" placeholder:"15m" help:"Work for at most about this long, builds included."`
	All     bool           `help:"If the commit that made it slowest is a merge, look among those that it merged. By default a merge counts as one commit."`
	Restart bool           `help:"Forget what an interrupted run of the same command has measured."`

	By      string          `enum:"wall,cpu" default:"wall" placeholder:"wall" help:"Compare elapsed time (wall) or processor time (cpu), which a busy machine affects less."`
	CPU     int             `name:"cpu" placeholder:"N" help:"GOMAXPROCS of the benchmark. Default: 1 if more processors make it no faster, otherwise all."`
	Exact   bool            `help:"Compare instructions in an emulated machine instead of time, as strobe exact counts them."`
	Kernel  string          `placeholder:"FILE" help:"With --exact, the arm64 kernel image. Default: one from the cache."`
	Layouts int             `default:"4" placeholder:"N" help:"Link in this many random orders of functions; 0 for the order of the linker. Default: 4."`
	Timeout *flags.Duration `placeholder:"1m" help:"Time limit for one run of a benchmark. Default: 1m; 10m with --exact."`
	Run     flags.Duration  `default:"10ms" hidden:"" help:"Aim at runs of this length."`
	Seed    uint64          `placeholder:"N" help:"Seed for the order of runs; 0 draws one."`
}

// check reports flags that cannot be used. The gate reports the others.
func (f *Flags) check() error {
	if f.MaxTime <= 0 {
		return errors.New("--max-time must be above 0")
	}
	if f.Timeout != nil && *f.Timeout <= 0 {
		return errors.New("--timeout must be above 0")
	}
	return f.Level.ForGate()
}

// ends returns the two revisions of the range.
func (f *Flags) ends() (good, bad string, err error) {
	good, bad, ok := strings.Cut(f.Range, "..")
	if !ok || good == "" || strings.HasPrefix(bad, ".") {
		return "", "", fmt.Errorf("%q is not a range; give GOOD..BAD, such as v1.2.0..HEAD", f.Range)
	}
	if bad == "" {
		bad = "HEAD"
	}
	return good, bad, nil
}

// options returns how the ends are compared.
func (f *Flags) options() sides.Options {
	packages, build := f.Rest.Packages(f.Packages)
	o := sides.Options{Packages: packages, Build: build, Bench: f.Bench, Limit: float64(f.Gate), Level: float64(f.Level), By: f.By, CPU: f.CPU, Layouts: f.Layouts,
		Exact: f.Exact, Kernel: f.Kernel, Run: time.Duration(f.Run), Seed: f.Seed}
	if f.Exact { // where functions lie does not change what they run
		o.Layouts = 0
	}
	if f.Timeout != nil {
		o.Timeout = time.Duration(*f.Timeout)
	}
	return o
}

// by returns what is compared.
func (f *Flags) by() string {
	if f.Exact {
		return "instructions (emulated)"
	}
	return f.By
}

// again returns the flags that measure a benchmark as these do, for a command of strobe gate or strobe bisect.
func (f *Flags) again(pkg, pattern string) string {
	words := []string{pkg, "--bench='" + pattern + "'", "--gate=" + strconv.FormatFloat(100*float64(f.Gate), 'g', 6, 64) + "%"}
	if f.By != "wall" {
		words = append(words, "--by="+f.By)
	}
	if f.CPU > 0 {
		words = append(words, "--cpu="+strconv.Itoa(f.CPU))
	}
	if f.Exact {
		words = append(words, "--exact")
	}
	if f.Kernel != "" {
		words = append(words, "--kernel='"+f.Kernel+"'")
	}
	if _, build := f.Rest.Packages(f.Packages); len(build) > 0 {
		words = append(append(words, "--"), build...)
	}
	return strings.Join(words, " ")
}
