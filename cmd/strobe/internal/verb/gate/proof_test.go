// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/bench"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// measured returns a measurement of benchmarks, each with rounds in which the new side costs so many times as much, give or take 2 %.
func measured(f Flags, rounds int, rng *rand.Rand, factors ...float64) *measurement {
	f.By, f.Self = "cpu", true
	if f.Level == 0 {
		f.Level = 0.99
	}
	m := &measurement{flags: &f}
	var members []bench.Member
	for i, factor := range factors {
		b := &benchmark{pkg: &pkg{path: fmt.Sprintf("m/p%d", i/10)}, name: fmt.Sprint("B", i), limit: fallback, iterations: 1, blocks: 1}
		if i > 0 && i%10 > 0 {
			b.pkg = m.all[i-1].pkg
		}
		for k := range rounds {
			noise := func() float64 { return 1 + 0.02*rng.NormFloat64() }
			b.rounds = append(b.rounds, round{cost: [2]float64{100 * noise(), 100 * factor * noise()}, baseFirst: k%2 == 0})
		}
		m.all, members = append(m.all, b), append(members, bench.Member{Base: sideNames[oldSide], Other: b.title(), Limit: b.limit})
	}
	m.family = bench.NewFamily(float64(f.Level), m.ask(members)...)
	for i, b := range m.all {
		for _, r := range b.rounds {
			m.family.Add(i, r.cost[oldSide], r.cost[newSide], r.baseFirst)
		}
	}
	m.family.Finish()
	return m
}

func TestAChangeIsProvenOrNot(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		factor float64
		rounds int
		want   string
	}{{0.9, 60, "passed, proven faster"}, {1.025, 120, "passed, proven slower"}, {1, 60, "passed, no proof"}, {1.5, 60, "FAILED"}, {1.05, 60, "undecided, proven slower"},
		{1, 4, "undecided, cannot tell"}} {
		r := measured(Flags{}, c.rounds, rng, c.factor).report()
		cells := r.cells(&r.rows[0])[0]
		if got := cells[len(cells)-1]; got != c.want || r.object(false).Benchmarks[0].Change != r.rows[0].proof || !strings.HasSuffix(c.want, r.rows[0].proof) && !(c.want == "FAILED" && r.rows[0].proof == provenSlower) {
			t.Errorf("%v, %d rounds: %s, want %s", c.factor, c.rounds, got, c.want)
		}
	}
}

// A loop that keeps what is proven faster keeps noise as rarely as the level says, also if it tries many benchmarks, each of which stops
// as soon as it is decided.
func TestNoiseIsSeldomProvenToBeFaster(t *testing.T) {
	const trials, level = 200, 0.9
	rng := rand.New(rand.NewPCG(3, 4))
	same := []float64{1, 1, 1, 1, 1, 1, 1, 1}
	wrong := map[string]int{}
	for range trials {
		m := measured(Flags{Level: level}, 40, rng, same...)
		for _, b := range m.all { // as if they had stopped where they look best
			best, least := len(b.rounds), 1.0
			for _, n := range []int{12, 16, 21, 28, 37} {
				s := series{rounds: b.rounds[:n]}
				if ratio := s.median(newSide) / s.median(oldSide); ratio < least {
					best, least = n, ratio
				}
			}
			b.rounds = b.rounds[:best]
		}
		found := map[string]bool{}
		for _, x := range m.report().rows {
			found[x.proof] = true
		}
		for proof := range found {
			wrong[proof]++
		}
	}
	t.Logf("%v of %d", wrong, trials)
	if most := trials*(1-level) + 3*4.5; float64(wrong[provenFaster]) > most {
		t.Errorf("in %d of %d trials without a change something is proven faster", wrong[provenFaster], trials)
	}
	if wrong[noProof] != trials {
		t.Errorf("%v", wrong)
	}
}

// Tables have the worst first, and end.
func TestTablesAreBounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var factors []float64
	for range 30 {
		factors = append(factors, 1)
	}
	factors[25], factors[3], factors[14] = 1.5, 2, 0.5
	for _, all := range []bool{false, true} {
		m := measured(Flags{All: all}, 40, rng, factors...)
		for i := range 30 {
			m.added = append(m.added, fmt.Sprint("m/q.New", i))
		}
		r := m.report()
		shown := r.shown()
		if want := map[bool]int{false: 20, true: 30}[all]; len(shown) != want || shown[0].name != "B3" || shown[0].pkg != shown[1].pkg {
			t.Errorf("%d rows, %s first", len(shown), shown[0].name)
		}
		var out, markdown bytes.Buffer
		if err := r.write(&session.Session{Ctx: t.Context(), Out: &out}); err != nil {
			t.Fatal(err)
		}
		if err := r.markdown(&markdown); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(out.String()), " ")
		for _, text := range []string{text, markdown.String()} {
			want := "20 of 30 benchmarks, the worst first, then what changed; --all has the others too"
			if all {
				want = "30 of 30 benchmarks, the worst first, then what changed; --json has all figures"
			}
			if !strings.Contains(text, want) || strings.Contains(text, "m/q.New29") != all || strings.Contains(text, "and 10 more, which --all lists") == all {
				t.Errorf("all %v: %s", all, text)
			}
		}
		if strings.Index(text, "B25") > strings.Index(text, "B24 ") || !strings.Contains(text, "proven faster") || len(r.object(false).Benchmarks) != 30 {
			t.Errorf("%s", text)
		}
	}
}
