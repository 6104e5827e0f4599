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
	"github.com/strobe-go/strobe/stat/decide"
)

// A measurement is one run of the verb.
type measurement struct {
	flags    *Flags
	pattern  pattern
	renames  []rename
	patterns []string // of packages
	build    []string // flags for go build
	seed     uint64
	checkout *checkout // nil with --self
	temp     string    // folder for binaries
	pkgs     []*pkg
	all      []*benchmark
	family   *bench.Family // of all, by index
	layouts  int
	emulator *emulator // nil unless instructions are compared

	complaints      [2][]string // of the go command when it listed the packages
	added, vanished []string    // names, with their packages
	renamed         []string    // a sentence for each package in which benchmarks may have another name
	unchanged       []string    // packages whose program is the same on both sides
	same            []string    // with --require or --min-compared, the benchmarks of those
	broken          []fault
	notes           []string

	started time.Time
	spent   time.Duration
	elapsed func() time.Duration // since the measurement began; nil for the time of the clock
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
	m := &measurement{flags: f, seed: f.Seed, started: time.Now()}
	var err error
	if m.pattern, err = parsePattern(f.Bench); err != nil {
		return nil, err
	}
	if f.Rev == "" && !f.Self {
		return nil, errors.New("a revision to compare with is missing; give one such as main or HEAD~1, or --self")
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
		m.count(s)
		return
	}
	members := make([]bench.Member, len(m.all))
	for i, b := range m.all {
		members[i] = bench.Member{Base: sideNames[oldSide], Other: b.title(), Limit: b.limit}
	}
	m.family = bench.NewFamily(float64(m.flags.Level), members...)
	p := s.Progress()
	defer p.Clear()
	budget, timeout := time.Duration(m.flags.MaxTime), m.flags.timeout()
	elapsed := m.elapsed
	if elapsed == nil {
		began := clock.Now()
		elapsed = func() time.Duration { return clock.Since(began) }
	}
	defer func() { m.spent = elapsed() }()
	// Long enough for some hundred rounds of each, and for a process to be a small part of a run.
	target := min(time.Duration(m.flags.Run), max(5*time.Millisecond, budget/time.Duration(max(1, len(m.all))*300)))
	for i, b := range m.all {
		p.Show("calibrating %s, %d of %d", b.title(), i+1, len(m.all))
		err := b.calibrate(s.Ctx, target, timeout, m.flags.CPU)
		if err == nil && (m.flags.By == "cpu" || b.uncounted == "") {
			err = b.rest(s.Ctx, timeout)
		}
		if err != nil && !s.Interrupted() {
			b.breaks(err)
		}
		if s.Interrupted() || elapsed() >= budget {
			break
		}
	}
	order, rng := bench.NewOrder(2, m.seed), rand.New(rand.NewPCG(m.seed, 1))
	longest := time.Duration(0) // of a round
	for began := true; began && !s.Interrupted(); {
		left := m.undecided()
		began = false
		spare := time.Duration(0) // for what follows
		if m.restsAfter(left) {
			spare = min(budget/20, 2*time.Duration(len(left))*longest)
		}
		rng.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		for _, i := range left {
			start := elapsed()
			if start+longest+spare >= budget { // a round that begins counts, so that its length does not decide whether it does
				break
			}
			began = true
			b := m.all[i]
			r, err := b.measure(s.Ctx, order, timeout)
			if s.Interrupted() {
				break
			}
			longest = max(longest, min(elapsed()-start, budget/50))
			if err != nil {
				b.breaks(err)
				continue
			}
			if r == nil {
				continue
			}
			m.family.Add(i, b.cost(r, oldSide, m.flags.By), b.cost(r, newSide, m.flags.By), r.baseFirst)
			p.Show("%s left, %d of %d undecided: %s, %d rounds", (budget - elapsed()).Round(time.Second), len(left), len(m.all), b.title(), len(b.rounds))
		}
	}
	m.family.Finish()
	if left := m.undecided(); m.restsAfter(left) {
		for _, i := range left {
			if b := m.all[i]; len(b.rounds) > 0 && b.idle == 0 && !s.Interrupted() && elapsed() < budget {
				p.Show("processor time of %s", b.title())
				if b.rest(s.Ctx, timeout) != nil {
					b.idle = 0
				}
			}
		}
	}
	if m.checkout != nil && !s.Interrupted() {
		if files := m.checkout.touched(s.Ctx); files != "" {
			m.notes = append(m.notes, "the benchmarks changed files of the working tree: "+files)
		}
	}
}

// restsAfter reports whether these undecided benchmarks are few enough to say of each whether processor time would decide it.
func (m *measurement) restsAfter(left []int) bool {
	return m.flags.By == "wall" && !m.flags.Self && len(left) <= fewUndecided
}

// undecided returns the benchmarks that need more rounds: those without an outcome, and those that failed because of some layouts.
// With --self all do, for the whole time.
func (m *measurement) undecided() (left []int) {
	for i, b := range m.all {
		o := m.family.Outcome(i)
		if b.broken == "" && b.iterations > 0 && (m.flags.Self || o == decide.Undecided || o == decide.Failed && !b.layoutsAgree(m.flags.By)) {
			left = append(left, i)
		}
	}
	return left
}

// clean removes all that was made for the measurement.
func (m *measurement) clean(ctx context.Context) {
	if m.checkout != nil {
		m.checkout.remove(ctx)
	}
	if m.temp != "" {
		os.RemoveAll(m.temp)
	}
}
