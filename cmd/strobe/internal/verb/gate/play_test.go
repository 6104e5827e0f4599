// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// readRecording reads the lines of a recording.
func readRecording(from io.Reader) (all []recorded, err error) {
	lines := csv.NewReader(from)
	lines.FieldsPerRecord = -1
	rows, err := lines.ReadAll()
	for i, row := range rows {
		numbers := make([]float64, len(row))
		for k, text := range row {
			if numbers[k], err = strconv.ParseFloat(text, 64); err != nil && k != 0 && k != 3 {
				return nil, fmt.Errorf("run %d: %w", i+1, err)
			}
		}
		if len(row) < 11 {
			return nil, fmt.Errorf("run %d has %d fields", i+1, len(row))
		}
		all = append(all, recorded{name: row[0], side: int(numbers[1]), layout: int(numbers[2]), kind: row[3], iterations: int(numbers[4]), blocks: int(numbers[5]),
			began: time.Duration(1e3 * numbers[6]), took: time.Duration(1e3 * numbers[7]), processor: 1e3 * numbers[8], waited: numbers[9], ns: numbers[10:]})
	}
	return all, err
}

// A player plays a recording: it simulates runs with recorded times, in another order.
type player struct {
	benchmarks map[string]*played
	names      []string
	rng        *rand.Rand
	order      []float64     // starts of blocks of rounds, as a share of the recording
	now        time.Duration // simulated time
	slow       string        // benchmark whose new side takes 5 % longer
}

// A played benchmark has the recorded pairs of runs, in their order.
type played struct {
	ns      float64 // median of a call
	pairs   [][2]playedRun
	layouts []float64 // relative cost of each layout, about 1
	effect  [2][]float64
	at, n   int // next pair, pairs played
	second  bool
	longs   [][2]playedLong // pairs of long runs, in their order
	long    int             // next of them, each pair counting as two
	few     playedRun       // what belongs to the last long run
}

// A playedLong is a long run and the one of few calls beside it.
type playedLong struct {
	ns, processor float64 // of a call, over the median
	waited        float64
	few           playedRun
}

// A playedRun is a recorded run without the effect of its layout.
type playedRun struct {
	blocks    []float64     // time of a call over the median
	overhead  time.Duration // besides its calls
	processor time.Duration // of that, processor time
	waited    float64
}

const blockOfRounds = 8 // number of rounds that are played in the recorded order

// newPlayer returns a player of the rounds of a recording. Runs before these, of the calibration, have other numbers of calls.
func newPlayer(all []recorded) *player {
	m := &player{benchmarks: map[string]*played{}}
	var long []recorded
	all = slices.DeleteFunc(slices.Clone(all), func(r recorded) bool {
		if r.kind != "blocks" {
			long = append(long, r)
		}
		return r.kind != "blocks"
	})
	calls := map[string]int{}
	for _, r := range all { // the last runs are those of the rounds
		calls[r.name] = r.iterations*1000 + r.blocks
	}
	type key struct {
		name         string
		side, layout int
	}
	by := map[key][]float64{}
	for i, r := range all {
		if calls[r.name] == r.iterations*1000+r.blocks && len(r.ns) > 0 {
			k := key{r.name, r.side, r.layout}
			by[k] = append(by[k], slices.Min(all[i].ns))
		}
	}
	for k, v := range by {
		b := m.benchmarks[k.name]
		if b == nil {
			b = &played{}
			m.benchmarks[k.name] = b
			m.names = append(m.names, k.name)
		}
		slices.Sort(v)
		b.layouts = append(b.layouts, v[len(v)/2])
	}
	slices.Sort(m.names)
	for _, b := range m.benchmarks {
		slices.Sort(b.layouts)
		b.ns = b.layouts[len(b.layouts)/2]
		b.layouts = nil
	}
	effects := map[key]float64{}
	for _, name := range m.names { // the scatter between layouts, minus that of their medians
		b := m.benchmarks[name]
		var between, within float64
		for k, v := range by {
			if k.name == name {
				between += square(math.Log(v[len(v)/2] / b.ns))
				within += math.Pi / 2 * square(math.Log(v[len(v)*3/4]/v[len(v)/4])/1.35) / float64(len(v))
			}
		}
		keep := 0.0
		if between > within {
			keep = math.Sqrt(1 - within/between)
		}
		for k, v := range by {
			if k.name == name {
				effects[k] = math.Pow(v[len(v)/2]/b.ns, keep)
			}
		}
	}
	for k, x := range effects {
		m.benchmarks[k.name].layouts = append(m.benchmarks[k.name].layouts, x)
	}
	for _, b := range m.benchmarks {
		slices.Sort(b.layouts)
	}
	var first *recorded
	var firstRun playedRun
	for i := range all {
		r := &all[i]
		if calls[r.name] != r.iterations*1000+r.blocks {
			continue
		}
		typical := m.benchmarks[r.name].ns * effects[key{r.name, r.side, r.layout}]
		x := playedRun{waited: r.waited, overhead: r.took}
		if i+1 < len(all) && all[i+1].began > r.began && all[i+1].began-r.began < 2*r.took {
			x.overhead = all[i+1].began - r.began
		}
		x.processor = time.Duration(r.processor)
		for _, ns := range r.ns {
			x.blocks = append(x.blocks, ns/typical)
			x.overhead -= time.Duration(ns * float64(r.iterations))
			x.processor -= time.Duration(min(ns, typical) * float64(r.iterations))
		}
		if x.processor = max(x.processor, time.Millisecond); !*waiting {
			x.overhead = x.processor
		}
		if first == nil || first.name != r.name || first.side == r.side || first.layout != r.layout {
			first, firstRun = r, x
			continue
		}
		m.benchmarks[r.name].pairs = append(m.benchmarks[r.name].pairs, [2]playedRun{firstRun, x})
		first = nil
	}
	m.addLong(long)
	return m
}

// addLong takes the long runs of a recording, each followed by one of few calls.
func (m *player) addLong(all []recorded) {
	var first *recorded
	var firstRun playedLong
	ns, processor := map[string][]float64{}, map[string][]float64{}
	for i := 0; i+1 < len(all); i++ {
		r, few := &all[i], &all[i+1]
		b := m.benchmarks[r.name]
		if b == nil || r.kind != "long" || few.kind != "few" || few.name != r.name || few.side != r.side {
			continue
		}
		x := playedLong{ns: r.ns[0], processor: (r.processor - few.processor) / float64(r.iterations-fewCalls), waited: r.waited,
			few: playedRun{overhead: few.took, processor: time.Duration(few.processor), waited: few.waited}}
		ns[r.name], processor[r.name] = append(ns[r.name], x.ns), append(processor[r.name], x.processor)
		if first == nil || first.name != r.name || first.side == r.side || first.layout != r.layout {
			first, firstRun = r, x
			continue
		}
		b.longs = append(b.longs, [2]playedLong{firstRun, x})
		first = nil
	}
	for name, b := range m.benchmarks {
		slices.Sort(ns[name])
		slices.Sort(processor[name])
		for i := range b.longs {
			for k := range b.longs[i] {
				b.longs[i][k].ns /= ns[name][len(ns[name])/2]
				b.longs[i][k].processor /= processor[name][len(processor[name])/2]
			}
		}
	}
}

// runLong plays a long run, or the one of few calls beside the last one.
func (m *player) runLong(b *played, name string, scale float64, p process) (out printout) {
	x, few := playedLong{ns: 1}, b.few
	calls := float64(p.iterations)
	if p.kind() == "long" {
		if b.long%(2*blockOfRounds) == 0 {
			b.long = 2 * m.rng.IntN(len(b.longs))
		}
		x = b.longs[b.long/2%len(b.longs)][b.long%2]
		b.long++
		b.few = x.few
		few = x.few
	} else {
		calls = 0
	}
	out.values = []values{{name: name, calls: p.iterations, ns: scale * x.ns, timed: true}}
	out.run = command.Run{Wall: few.overhead + time.Duration(calls*scale*x.ns), User: few.processor + time.Duration(calls*scale*x.processor), Queued: x.waited, Uncounted: "simulated"}
	out.run.Known.Queued = x.waited >= 0
	m.now += out.run.Wall
	return out
}

func square(x float64) float64 { return x * x }

// restart begins another request.
func (m *player) restart(seed uint64, layouts int, slow string) {
	m.rng, m.now, m.slow, m.order = rand.New(rand.NewPCG(seed, 11)), 0, slow, nil
	for _, name := range m.names {
		b := m.benchmarks[name]
		b.at, b.n, b.second, b.long = 0, 0, false, 0
		for side := range b.effect {
			b.effect[side] = nil
			for range layouts {
				b.effect[side] = append(b.effect[side], b.layouts[m.rng.IntN(len(b.layouts))])
			}
		}
	}
}

// next returns the next run of a benchmark, the first or the second one of a round.
func (m *player) next(b *played) playedRun {
	if b.second {
		b.second = false
		return b.pairs[b.at][1]
	}
	b.at = (b.at + 1) % len(b.pairs)
	if b.n%blockOfRounds == 0 {
		for len(m.order) <= b.n/blockOfRounds {
			m.order = append(m.order, m.rng.Float64())
		}
		b.at = int(m.order[b.n/blockOfRounds] * float64(len(b.pairs)))
	}
	b.n++
	b.second = true
	return b.pairs[b.at][0]
}

// run is a runner.
func (m *player) run(_ context.Context, x *benchmark, side, layout int, p process) (printout, error) {
	b := m.benchmarks[x.name]
	scale := b.ns * b.effect[side][layout]
	if side == newSide && x.name == m.slow {
		scale *= 1.05
	}
	if p.kind() != "blocks" {
		return m.runLong(b, x.name, scale, p), nil
	}
	r := m.next(b)
	var out printout
	took, used := max(r.overhead, r.processor), r.processor*time.Duration(p.blocks)/time.Duration(len(r.blocks))
	for i := range p.blocks {
		ns := scale * r.blocks[i*len(r.blocks)/p.blocks]
		took += time.Duration(ns * float64(p.iterations))
		used += time.Duration(min(ns, scale) * float64(p.iterations))
		out.values = append(out.values, values{name: x.name, calls: p.iterations, ns: ns, timed: true})
	}
	m.now += took
	out.run = command.Run{Wall: took, User: used, Queued: r.waited, Uncounted: "simulated"}
	out.run.Known.Queued = r.waited >= 0
	return out, nil
}

// request runs a request of twenty benchmarks to its end, with the code that runs real ones.
func (m *player) request(seed uint64, slow string, budget time.Duration, gate float64) *measurement {
	const layouts = 8
	m.restart(seed, layouts, slow)
	f := &Flags{By: "wall", Level: 0.99, MaxTime: flags.Duration(budget), Run: flags.Duration(20 * time.Millisecond), Gate: []limit{{share: gate}}, Seed: seed + 1}
	g := &measurement{flags: f, seed: f.Seed, elapsed: func() time.Duration { return m.now }}
	pk := &pkg{path: "m/p", runner: m.run}
	for side := range sideNames {
		pk.binaries[side] = make([]string, layouts)
	}
	for _, name := range m.names {
		g.all = append(g.all, &benchmark{pkg: pk, name: name, limit: gate, once: time.Duration(m.benchmarks[name].ns)})
	}
	g.measure(&session.Session{Ctx: context.Background(), Err: io.Discard, Out: io.Discard})
	return g
}
