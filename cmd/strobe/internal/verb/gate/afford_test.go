// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat/decide"
)

// simulate measures benchmarks whose calls take this long, on the processor or waiting. Times vary by some thousandths.
func simulate(budget time.Duration, waits bool, calls map[string]time.Duration, names ...string) *measurement {
	now, runs := time.Duration(0), 0
	pk := &pkg{path: "m/p", binaries: [3][]string{{""}, {""}}, runner: func(_ context.Context, b *benchmark, _, _ int, p process) (out printout, _ error) {
		runs++
		call := calls[b.name] + calls[b.name]*time.Duration(runs%3)/1000
		for range p.blocks {
			out.values = append(out.values, values{name: b.name, calls: p.iterations, ns: float64(call), timed: true})
		}
		took := 4*time.Millisecond + time.Duration(p.blocks)*(100*time.Microsecond+time.Duration(p.iterations+1)*call)
		now += took
		out.run = command.Run{Wall: took, User: took, Uncounted: "simulated"}
		if waits {
			out.run.User = 4 * time.Millisecond
		}
		return out, nil
	}}
	f := &Flags{By: "wall", Level: 0.99, MaxTime: flags.Duration(budget), Run: flags.Duration(20 * time.Millisecond), Gate: []limit{{share: 0.05}}, Seed: 1}
	m := &measurement{flags: f, seed: 1, elapsed: func() time.Duration { return now }}
	for _, name := range names {
		m.all = append(m.all, &benchmark{pkg: pk, name: name, limit: 0.05, once: calls[name], concurrent: true})
	}
	m.measure(&session.Session{Ctx: context.Background(), Err: io.Discard, Out: io.Discard})
	return m
}

// They are begun when the others are decided, if there is time.
func TestCallsThatTakeSecondsDoNotTakeTheTimeOfOthers(t *testing.T) {
	calls := map[string]time.Duration{"Slow": 3 * time.Second, "A": 10 * time.Microsecond, "B": 5 * time.Millisecond, "Slower": 4 * time.Second}
	for _, waits := range []bool{false, true} {
		const budget = 2 * time.Minute
		m := simulate(budget, waits, calls, "Slow", "A", "B", "Slower")
		if m.spent > budget+budget/20 {
			t.Errorf("took %v of %v", m.spent, budget)
		}
		r := m.report()
		if r.gate.Outcome != decide.Undecided {
			t.Errorf("%v", r.gate.Outcome)
		}
		for i, want := range []decide.Outcome{decide.Undecided, decide.Passed, decide.Passed, decide.Undecided} {
			if x := r.rows[i]; x.outcome != want {
				t.Errorf("%s: %v, want %v: %s", x.name, x.outcome, want, x.sentence)
			}
		}
		reasons := strings.Join(r.gate.Reasons, "\n")
		for _, want := range []string{"p.Slow: too few rounds to decide", "p.Slower was not begun, since a call takes 4 s: leave it out with --bench, or give about --max-time 20m"} {
			if !strings.Contains(reasons, want) {
				t.Errorf("%q is not in %q", want, reasons)
			}
		}
	}
}

func TestCallsThatTakeSecondsAreDecidedWhereThereIsTime(t *testing.T) {
	for _, waits := range []bool{false, true} {
		m := simulate(15*time.Minute, waits, map[string]time.Duration{"Slow": 3 * time.Second}, "Slow")
		if x := m.report().rows[0]; x.outcome != decide.Passed || m.spent > 15*time.Minute {
			t.Errorf("%v in %v: %s", x.outcome, m.spent, x.sentence)
		}
	}
}

func TestManyThatWereNotBegunShareASentence(t *testing.T) {
	calls := map[string]time.Duration{}
	names := []string{"A", "B", "C", "D", "E"}
	for i, name := range names {
		calls[name] = time.Duration(i+1) * time.Second
	}
	m := simulate(20*time.Second, false, calls, names...)
	if reasons := strings.Join(m.report().gate.Reasons, "\n"); !strings.Contains(reasons, "5 benchmarks were not begun, since a call of p.E takes 5 s: leave them out with --bench, or give about --max-time 66m") {
		t.Errorf("%q", reasons)
	}
}

// A calibration that has not ended when the time is up is broken off, and is no fault of the benchmark.
func TestCalibrationEndsWithTheTime(t *testing.T) {
	pk := &pkg{path: "m/p", binaries: [3][]string{{""}, {""}}, runner: func(ctx context.Context, _ *benchmark, _, _ int, _ process) (printout, error) {
		<-ctx.Done()
		return printout{}, ctx.Err()
	}}
	f := &Flags{By: "wall", Level: 0.99, MaxTime: flags.Duration(50 * time.Millisecond), Run: flags.Duration(20 * time.Millisecond)}
	m := &measurement{flags: f, all: []*benchmark{{pkg: pk, name: "A", limit: 0.05}}}
	m.measure(&session.Session{Ctx: t.Context(), Err: io.Discard, Out: io.Discard})
	if x := m.report().rows; len(x) != 1 || x[0].outcome != decide.Undecided || len(m.broken) > 0 {
		t.Errorf("%+v, %v", x, m.broken)
	}
}
