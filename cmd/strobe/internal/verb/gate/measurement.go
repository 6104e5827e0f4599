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
	reported  map[metric]bool   // by any benchmark
	overlay   map[string]string // files of the standard library that others replace
	layouts   int
	emulator  *emulator // nil unless instructions are compared

	complaints      [2][]string // of the go command when it listed the packages
	added, vanished []string    // names, with their packages
	renamed         []string    // a sentence for each package in which benchmarks may have another name
	unchanged       []string    // packages whose program is the same on both sides
	same            []string    // with --require or --min-compared, the benchmarks of those
	broken          []fault
	notes           []string

	started time.Time
	spent   time.Duration
	elapsed func() time.Duration // since the measurement began; nil until it has, unless the time is simulated
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
		m.count(s)
		return
	}
	members := make([]bench.Member, len(m.all))
	for i, b := range m.all {
		members[i] = bench.Member{Base: sideNames[oldSide], Other: b.title(), Limit: b.limit}
	}
	m.family = bench.NewFamily(float64(m.flags.Level), m.ask(members)...)
	if m.elapsed == nil {
		began := clock.Now()
		m.elapsed = func() time.Duration { return clock.Since(began) }
	}
	defer func() { m.spent = m.elapsed() }()
	p := s.Progress()
	defer p.Clear()
	m.calibrate(s, p)
	m.measureRounds(s, p)
	m.family.Finish()
	m.questioned().Finish()
	if left := m.undecided(); m.triesProcessorTime(left) {
		m.measureOverheads(s, p, left)
	}
	if m.checkout != nil && !s.Interrupted() {
		if files := m.checkout.Touched(s.Ctx); files != "" {
			m.notes = append(m.notes, "the benchmarks changed files of the working tree: "+files)
		}
	}
}

// calibrate chooses how each benchmark is run, and measures what a run costs apart from its calls if that is needed.
func (m *measurement) calibrate(s *session.Session, p session.Progress) {
	budget, timeout := time.Duration(m.flags.MaxTime), m.flags.timeout()
	// Long enough for some hundred rounds of each, and for a process to be a small part of a run.
	target := min(time.Duration(m.flags.Run), max(5*time.Millisecond, budget/time.Duration(max(1, len(m.all))*300)))
	for i, b := range m.all {
		p.Show("calibrating %s, %d of %d", b.title(), i+1, len(m.all))
		err := b.calibrate(s.Ctx, target, timeout, m.flags.CPU)
		if err == nil && (m.flags.By == "cpu" || b.uncounted == "") {
			err = b.measureOverhead(s.Ctx, timeout)
		}
		if err != nil && !s.Interrupted() {
			b.giveUp(err)
		}
		if s.Interrupted() || m.elapsed() >= budget {
			break
		}
	}
}

// measureRounds measures a round of each benchmark that needs more, in random order, again and again until none does or the time
// is up.
func (m *measurement) measureRounds(s *session.Session, p session.Progress) {
	budget, timeout := time.Duration(m.flags.MaxTime), m.flags.timeout()
	order, rng := bench.NewOrder(2, m.seed), rand.New(rand.NewPCG(m.seed, 1))
	longest := time.Duration(0) // of a round
	for measured := true; measured && !s.Interrupted(); {
		left := m.undecided()
		measured = false
		spare := time.Duration(0) // for what follows
		if m.triesProcessorTime(left) {
			spare = min(budget/20, 2*time.Duration(len(left))*longest)
		}
		rng.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		for _, i := range left {
			start := m.elapsed()
			if start+longest+spare >= budget { // a round that begins counts, so that its length does not decide whether it does
				break
			}
			measured = true
			b := m.all[i]
			r, err := b.measure(s.Ctx, order, timeout)
			if s.Interrupted() {
				break
			}
			longest = max(longest, min(m.elapsed()-start, budget/50))
			if err != nil {
				b.giveUp(err)
				continue
			}
			if r == nil {
				continue
			}
			m.family.Add(i, b.cost(r, oldSide, m.flags.By), b.cost(r, newSide, m.flags.By), r.baseFirst)
			m.tell(b, r)
			p.Show("%s left, %d of %d undecided: %s, %d rounds", (budget - m.elapsed()).Round(time.Second), len(left), len(m.all), b.title(), len(b.rounds))
		}
	}
}

// measureOverheads measures what a run of the undecided benchmarks costs apart from its calls, without which their processor time
// cannot be compared.
func (m *measurement) measureOverheads(s *session.Session, p session.Progress, undecided []int) {
	for _, i := range undecided {
		b := m.all[i]
		if len(b.rounds) == 0 || b.overhead != 0 || s.Interrupted() || m.elapsed() >= time.Duration(m.flags.MaxTime) {
			continue
		}
		p.Show("processor time of %s", b.title())
		if b.measureOverhead(s.Ctx, m.flags.timeout()) != nil {
			b.overhead = 0
		}
	}
}

// triesProcessorTime reports whether these undecided benchmarks are few enough to say of each whether processor time would decide it.
func (m *measurement) triesProcessorTime(left []int) bool {
	return m.flags.By == "wall" && m.flags.judges(byTime) && !m.flags.Self && len(left) <= fewUndecided
}

// undecided returns the benchmarks that need more rounds: those without an outcome, and those that failed because of some layouts,
// by time or by another metric.
// With --self all do, for the whole time.
func (m *measurement) undecided() (left []int) {
	for i, b := range m.all {
		o := m.family.Outcome(i)
		open := m.flags.judges(byTime) && (o == decide.Undecided || o == decide.Failed && !b.layoutsAgree(m.flags.By))
		if b.broken == "" && b.iterations > 0 && (m.flags.Self || open || m.asks(b)) {
			left = append(left, i)
		}
	}
	return left
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
