// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/neighbour"
)

// A measurement is one run of the verb.
type measurement struct {
	flags     *Flags
	pattern   pattern
	renames   []rename
	patterns  []string // of packages
	build     []string // flags for go build
	seed      uint64
	checkout  *checkout // nil with --self
	temp      string    // folder for binaries
	pkgs      []*pkg
	all       []*benchmark
	family    *bench.Family // of all, by index, and of the questions unless they have their own
	questions []question
	first     int           // index of the first question in its family
	others    *bench.Family // of the questions, where time does not decide
	sizes     []sizing
	sightings []sighting
	rules     rules
	altered   []string          // what the rules allow that those of the base do not, a sentence each
	dir       string            // the current folder
	edits     edits             // of the working tree, once something failed
	overlay   map[string]string // files of the standard library that others replace
	layouts   int
	emulator  *emulator // nil unless instructions are compared

	firstLayout     int         // layouts that are left to others
	complaints      [2][]string // of the go command when it listed the packages
	added, vanished []string    // names, with their packages
	renamed         []string    // a sentence for each package in which benchmarks may have another name
	unchanged       []string    // packages whose program is the same on both sides
	same            []string    // with --require or --min-compared, the benchmarks of those
	broken          []fault
	notes           []string

	started  time.Time
	began    clock.Instant // then
	spent    time.Duration
	core     neighbour.Watch      // of this process, between rounds
	prepared time.Duration        // of that, how long calibration took
	real     bool                 // the time is not simulated
	elapsed  func() time.Duration // of what --max-time covers; nil until the measurement begins, unless the time is simulated
}

// A fault is what keeps a benchmark, or a package, from being compared.
type fault struct {
	name string
	side int
	why  string
	both bool // so it is on both sides
}

// newMeasurement checks the flags.
func newMeasurement(f *Flags) (*measurement, error) {
	m := &measurement{flags: f, seed: f.Seed, started: time.Now(), began: clock.Now()}
	var err error
	if m.pattern, err = parsePattern(f.Bench); err != nil {
		return nil, err
	}
	if err := f.Level.ForGate(); err != nil {
		return nil, err
	}
	if f.MaxTime <= 0 || f.timeout() <= 0 {
		return nil, errors.New("--max-time and --timeout must be above 0")
	}
	if f.CPU < 0 {
		return nil, fmt.Errorf("--cpu=%d: give a number of processors, such as 1", f.CPU)
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	if f.Layouts < -1 || f.Layouts > 100 {
		return nil, fmt.Errorf("--layouts=%d: give a number from 0 to 100", f.Layouts)
	}
	if _, err := f.limits(); err != nil {
		return nil, err
	}
	if m.renames, err = parseRenames(f.BaseName); err != nil {
		return nil, err
	}
	m.patterns, m.build = f.split()
	if m.seed == 0 {
		m.seed = rand.Uint64() >> 11 // 53 bits, exact as a JSON number
	}
	return m, nil
}

// measure runs the benchmarks until all are decided or the time is up. It returns early on an interrupt.
func (m *measurement) measure(s *session.Session) {
	if m.emulator != nil {
		m.ask(nil) // counts decide without a family
		m.count(s)
		return
	}
	m.open()
	if m.elapsed == nil {
		began := clock.Now()
		if m.flags.WithBuilds {
			began = m.began
		}
		m.real, m.elapsed = true, func() time.Duration { return clock.Since(began) }
	}
	defer func() { m.spent = m.elapsed() }()
	p := s.Progress()
	defer p.Clear()
	m.measureRounds(s, p)
	m.family.Finish()
	m.questioned().Finish()
	if m.checkout != nil && !s.Interrupted() {
		if files := m.checkout.Touched(s.Ctx); files != "" {
			m.notes = append(m.notes, "the benchmarks changed files of the working tree: "+files)
		}
	}
}

// open makes the family: the members of all benchmarks by what decides first, then by long runs if that is something else, then by
// other metrics.
func (m *measurement) open() {
	n := len(m.all)
	members := make([]bench.Member, n, 2*n)
	for i, b := range m.all {
		members[i] = bench.Member{Base: sideNames[oldSide], Other: b.title(), Limit: b.limit}
	}
	if m.flags.By == "wall" {
		for _, x := range members {
			x.Tolerance = tolerance
			members = append(members, x)
		}
	}
	m.family = bench.NewFamily(float64(m.flags.Level), m.ask(members)...)
}

// clean removes all that was made for the measurement.
func (m *measurement) clean(ctx context.Context) {
	if m.checkout != nil {
		m.checkout.tree.Remove(ctx)
	}
	if m.temp != "" {
		os.RemoveAll(m.temp)
	}
}
