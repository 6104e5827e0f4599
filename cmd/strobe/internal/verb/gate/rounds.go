// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat/decide"
)

// calibrate chooses how benchmarks are run: of all, unless that would take more than a share of the time; then of more of them when
// the others are decided.
func (m *measurement) calibrate(s *session.Session, p session.Progress) {
	budget, timeout := time.Duration(m.flags.MaxTime), m.flags.timeout()
	// Long enough for some hundred rounds of each, and for a process to be a small part of a run.
	target := min(time.Duration(m.flags.Run), max(5*time.Millisecond, budget/time.Duration(max(1, len(m.all))*300)))
	for i, b := range m.cheapest() {
		start := m.elapsed()
		left, takes := budget-start, callsToCalibrate*b.once
		if b.longCalls > 0 || b.broken != "" || !m.flags.Self && m.prepared+takes >= budget/preparing && len(m.tasks()) > 0 || takes >= left || s.Interrupted() {
			continue
		}
		p.Show("calibrating %s, %d of %d", b.title(), i+1, len(m.all))
		m.look()
		b.shared, _ = m.core.Report().Seen()
		ctx, cancel := m.within(s.Ctx, left)
		err := b.calibrate(ctx, target, timeout, m.flags.CPU)
		if err == nil && m.flags.By == "wall" && b.uncounted == "" && b.iterations > 1 {
			err = b.measureOverhead(ctx, timeout)
		}
		if err == nil {
			err = b.calibrateLong(ctx, longTarget(time.Duration(m.flags.Run), budget, len(m.all)), timeout)
		}
		switch {
		case err == nil:
		case ctx.Err() != nil:
			b.longCalls = 0
		default:
			b.giveUp(err)
		}
		cancel()
		m.prepared += m.elapsed() - start
	}
}

// preparing is the share of --max-time that calibration takes at most, as a divisor.
const preparing = 4

// look watches for some milliseconds whether something else uses the core that this process runs on, as it would that of the next run.
func (m *measurement) look() {
	if !m.real {
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for range looks {
		m.core.Look()
	}
}

// looks is how often the core is looked at before a round: for a millisecond or two.
const looks = 200

// A task is the next round of a benchmark: of short blocks, or of long runs.
type task struct {
	i    int // of the benchmark
	long bool
}

// member returns the index in the family.
func (m *measurement) member(t task) int {
	if t.long && m.flags.By == "wall" {
		return len(m.all) + t.i
	}
	return t.i
}

// measureRounds makes a round of each task, in random order, again and again until there is none or the time is up.
func (m *measurement) measureRounds(s *session.Session, p session.Progress) {
	budget, timeout := time.Duration(m.flags.MaxTime), m.flags.timeout()
	short, long := bench.NewOrder(2, m.seed), bench.NewOrder(2, m.seed+1)
	rng := rand.New(rand.NewPCG(m.seed, 1))
	var longest [2]time.Duration // of a short round, of a long one
	for measured := true; measured && !s.Interrupted(); {
		m.calibrate(s, p)
		left := m.tasks()
		measured = false
		rng.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		for _, t := range left {
			start, kind := m.elapsed(), 0
			if t.long {
				kind = 1
			}
			if start+max(longest[kind], m.takes(t)) >= budget { // a round that begins counts, so that its length does not decide whether it does
				continue
			}
			measured = true
			m.look()
			b := m.all[t.i]
			var r *round
			var err error
			if t.long {
				r, err = b.measureLong(s.Ctx, m.series(t), m.flags.By, long, timeout)
			} else {
				r, err = b.measure(s.Ctx, short, timeout)
			}
			if s.Interrupted() {
				break
			}
			longest[kind] = max(longest[kind], min(m.elapsed()-start, budget/50))
			m.took(t, m.elapsed()-start)
			if err != nil {
				b.giveUp(err)
				continue
			}
			if r == nil {
				continue
			}
			m.family.Add(m.member(t), r.cost[oldSide], r.cost[newSide], r.baseFirst)
			if !t.long || m.flags.By == "cpu" {
				m.tell(b, r)
			}
			p.Show("%s left, %d rounds to make: %s, %d rounds", (budget - m.elapsed()).Round(time.Second), len(left), b.title(), len(b.rounds)+len(b.long.rounds))
		}
	}
}

// tasks returns the rounds that are to be made: of benchmarks without an outcome, and of those that failed because of some layouts,
// by time or by another metric. With --self all are measured for the whole time.
func (m *measurement) tasks() (left []task) {
	wall, timed := m.flags.By == "wall", m.flags.judges(byTime)
	for i, b := range m.all {
		if b.broken != "" || b.longCalls == 0 {
			continue
		}
		first, second := task{i, !wall}, task{i, true}
		if m.flags.Self || timed && m.wants(first) && !(wall && m.failed(second)) || m.asks(b) {
			left = append(left, first)
		}
		if wall && timed && (m.flags.Self || m.wants(second) && !(m.failed(first) && len(b.long.rounds) >= longEnough && !m.contradicted(i))) {
			left = append(left, second)
		}
	}
	return left
}

// wants reports whether a task needs more rounds for itself.
func (m *measurement) wants(t task) bool {
	o := m.family.Outcome(m.member(t))
	return (o == decide.Undecided || o == decide.Failed && !m.failed(t)) && !(t.long && m.flags.By == "cpu" && m.all[t.i].setUpGrows)
}

// failed reports whether a task has failed in enough layouts.
func (m *measurement) failed(t task) bool {
	return m.family.Outcome(m.member(t)) == decide.Failed && m.series(t).layoutsAgree(m.all[t.i].limit)
}

// contradicted reports whether long runs show less of a slowdown than is shown by runs of short blocks, and do not look slower than
// allowed. Calls never cost quite the same after others.
func (m *measurement) contradicted(i int) bool {
	short, long := m.family.Comparison(i).Ratio, m.family.Comparison(m.member(task{i, true})).Ratio
	return short.Level > 0 && long.Level > 0 && long.Hi < short.Lo && long.Center <= 1+m.all[i].limit
}

// takes returns about how long a round of a task takes at least.
func (m *measurement) takes(t task) time.Duration {
	if least := m.series(t).least; least > 0 {
		return least
	}
	if t.long {
		return callsOfLongRound * m.all[t.i].once
	}
	return callsOfRound * m.all[t.i].once
}

// took notes how long a round of a task took.
func (m *measurement) took(t task, d time.Duration) {
	if s := m.series(t); s.least == 0 || d < s.least {
		s.least = d
	}
}

// series returns where the rounds of a task are.
func (m *measurement) series(t task) *series {
	return m.all[t.i].in(t, m.flags.By)
}
