// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/stat/decide"
)

var recordTo = flag.String("record", "", "write what comparisons of equal functions measure on this machine to this file, for testdata/noise.csv.gz")

// A recorder is a rig that records what another one measures.
type recorder struct {
	rig
	name string
	out  *csv.Writer
}

func (r recorder) write(kind string, x ...float64) {
	row := []string{r.name, kind, strconv.FormatInt(int64(r.elapsed()/time.Microsecond), 10)}
	for _, v := range x {
		row = append(row, strconv.FormatFloat(v, 'g', 5, 64))
	}
	r.out.Write(row)
}

func (r recorder) round(order []int, depth int) (took [2]int64, alone bool) {
	took, alone = r.rig.round(order, depth)
	was := 0.0
	if alone {
		was = 1
	}
	r.write("round", float64(took[order[0]]), float64(took[order[1]]), was)
	return took, alone
}

func (r recorder) stretch(side, depth, calls int, most time.Duration) stretch {
	s := r.rig.stretch(side, depth, calls, most)
	r.write("stretch", float64(s.calls), float64(s.wall), float64(s.cpu))
	return s
}

// TestRecordNoise records the noise of this machine: go test ./bench -run RecordNoise -record FILE.
func TestRecordNoise(t *testing.T) {
	if *recordTo == "" {
		t.Skip("no -record")
	}
	file, err := os.Create(*recordTo)
	if err != nil {
		t.Fatal(err)
	}
	packed := gzip.NewWriter(file)
	out := csv.NewWriter(packed)
	m := map[int]int{}
	for i := range 10_000 {
		m[i] = i
	}
	x, i := uint64(1), 0
	for _, f := range []struct {
		name string
		call func()
	}{
		{"3 ns", func() { x ^= x << 13; x ^= x >> 7; x ^= x << 17 }},
		{"150 ns", evenCall},
		{"map", func() { i = (i + 77) % 10_000; Keep(m[i]) }},
		{"allocation", func() { evenCall(); escaped = make([]byte, 16) }},
	} {
		for n := range 3 {
			o, _ := CompareOptions{MaxTime: 3 * time.Second, Precision: -1, MinRounds: 300}.filled()
			fs := &functions{parts: [2]caller{newCaller(f.call), newCaller(f.call)}, batch: newCaller(f.call).batch(epoch), start: clock.Now()}
			r := recorder{fs, fmt.Sprintf("%s %d", f.name, n), out}
			c := newContest(r, o, fs.batch, 0)
			c.warmUp(context.Background())
			c.measureRounds(context.Background())
			c.measureStretches(context.Background())
			t.Logf("%s: %v", r.name, c.comparison(0))
		}
	}
	out.Flush()
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// A tape is a recording of one comparison of two equal functions: factors relative to the usual times.
type tape struct {
	name      string
	rounds    []playedRound
	stretches []playedStretch
}

type playedRound struct {
	took  [2]float64 // the first, the second
	alone bool
	gap   time.Duration // to the next
}

type playedStretch struct {
	wall, cpu float64
	gap       time.Duration
}

// tapes reads the recordings.
func tapes(t *testing.T) (all []*tape) {
	file, err := os.Open("testdata/noise.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	in := csv.NewReader(packed)
	in.FieldsPerRecord = -1
	var now *tape
	var last time.Duration
	for {
		row, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var x [4]float64
		for i, text := range row[2:] {
			if x[i], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
		if now == nil || now.name != row[0] {
			now, last = &tape{name: row[0]}, 0
			all = append(all, now)
		}
		at := time.Duration(x[0]) * time.Microsecond
		gap := max(time.Microsecond, at-last)
		last = at
		if row[1] == "round" {
			now.rounds = append(now.rounds, playedRound{[2]float64{x[1], x[2]}, x[3] == 1, gap})
		} else {
			now.stretches = append(now.stretches, playedStretch{x[2] / x[1], x[3] / x[1], gap})
		}
	}
	for _, tp := range all { // in times of what was usual
		var took, cpu []float64
		for _, r := range tp.rounds {
			took = append(took, r.took[:]...)
		}
		for _, s := range tp.stretches {
			cpu = append(cpu, s.cpu)
		}
		slices.Sort(took)
		slices.Sort(cpu)
		usual, per := took[len(took)/2], cpu[len(cpu)/2]
		for i := range tp.rounds {
			tp.rounds[i].took[0] /= usual
			tp.rounds[i].took[1] /= usual
		}
		for i := range tp.stretches {
			tp.stretches[i].wall /= per
			tp.stretches[i].cpu /= per
		}
	}
	return all
}

// A cost is the sum of the costs of the first n calls, in ns.
type cost func(n float64) float64

func even(n float64) float64 { return 100 * n }

// A player is a rig that plays a tape, in pieces of several rounds and pairs of stretches, for two functions with these costs.
type player struct {
	*tape
	rng    *rand.Rand
	costs  [2]cost
	beside float64 // processor time of a helper of the other function, as a share of its calls, without more elapsed time
	always float64 // share of a processor that is used while neither is called

	now    time.Duration
	calls  [2]float64
	at, of [2]int // rounds, stretches: next and how many more of this piece
}

const piece = 8

// next returns the index of the next round (0) or stretch (1) of n.
func (p *player) next(kind, n int) int {
	if p.of[kind] == 0 {
		p.at[kind], p.of[kind] = p.rng.IntN(n), piece
	}
	p.of[kind]--
	p.at[kind] = (p.at[kind] + 1) % n
	return p.at[kind]
}

// call returns the cost of n calls of a side.
func (p *player) call(side, n int) float64 {
	before := p.costs[side](p.calls[side])
	p.calls[side] += float64(n)
	return p.costs[side](p.calls[side]) - before
}

const playedBatch = 600

func (p *player) elapsed() time.Duration { return p.now }
func (p *player) memory() memory         { return memory{} }

func (p *player) round(order []int, _ int) (took [2]int64, alone bool) {
	r := p.rounds[p.next(0, len(p.rounds))]
	for position, side := range order {
		took[side] = int64(r.took[position] * p.call(side, playedBatch))
	}
	p.now += r.gap
	return took, r.alone
}

func (p *player) stretch(side, _, calls int, _ time.Duration) stretch {
	s := p.stretches[p.next(1, len(p.stretches))]
	ns := p.call(side, calls)
	more := 1.0
	if side == 1 {
		more += p.beside
	}
	p.now += s.gap
	return stretch{calls: calls, wall: time.Duration(s.wall * ns), cpu: time.Duration(s.cpu*ns*more + p.always*s.wall*ns), known: true}
}

func (p *player) pause(d time.Duration) (time.Duration, bool) {
	p.now += d
	return time.Duration(p.always * float64(d)), true
}

// play compares two functions on the machine of a tape.
func play(tp *tape, seed uint64, p player) (decide.Outcome, string, Comparison) {
	o, _ := CompareOptions{Gate: 0.05, Seed: seed + 1}.filled()
	p.tape, p.rng = tp, rand.New(rand.NewPCG(seed, 3))
	c := newContest(&p, o, playedBatch, 0)
	c.warmUp(context.Background())
	c.measureRounds(context.Background())
	c.measureStretches(context.Background())
	r := c.comparison(0)
	outcome, reason := Gate(r, 0.05)
	return outcome, reason, r
}

func TestUnchangedPairsNeverFailAndMostlyPass(t *testing.T) {
	count, all := map[string]map[decide.Outcome]int{}, map[decide.Outcome]int{}
	told := 0
	n := max(2, scaledTrials(40))
	for _, tp := range tapes(t) {
		count[tp.name] = map[decide.Outcome]int{}
		for seed := range uint64(n) {
			o, reason, c := play(tp, seed, player{costs: [2]cost{even, even}})
			count[tp.name][o]++
			all[o]++
			if o == decide.Failed {
				t.Errorf("%s, seed %d: %s, %v", tp.name, seed, reason, c)
			}
			if c.Verdict == decide.Faster || c.Verdict == decide.Slower {
				told++
			}
		}
		t.Logf("%s: %v", tp.name, count[tp.name])
	}
	if total := all[decide.Passed] + all[decide.Undecided] + all[decide.Failed]; 2*all[decide.Passed] < total {
		t.Errorf("%d of %d pass", all[decide.Passed], total)
	} else {
		t.Logf("%d of %d pass, %d are told apart", all[decide.Passed], total, told)
	}
}

func TestPairsOfWhichOneCostsMoreOnlyInTheLongRunNeverPass(t *testing.T) {
	every := func(calls, extra float64) cost { // an extra cost once in so many calls
		return func(n float64) float64 { return even(n) + extra*100*calls*math.Floor(n/calls) }
	}
	n := max(2, scaledTrials(16))
	for name, p := range map[string]player{
		"one in 4096, a quarter":     {costs: [2]cost{even, every(4096, 0.25)}},
		"one in 4096, three fifths":  {costs: [2]cost{even, every(4096, 0.6)}},
		"one in 500, 150 times":      {costs: [2]cost{even, every(500, 0.298)}},
		"one in 100,000":             {costs: [2]cost{even, every(100_000, 0.3)}},
		"a helper for the calls":     {costs: [2]cost{even, even}, beside: 0.25},
		"a helper all the time":      {costs: [2]cost{even, even}, always: 0.27},
		"the collector works beside": {costs: [2]cost{even, even}, beside: 0.6},
		"grows with the calls":       {costs: [2]cost{even, func(n float64) float64 { return 100 * (n + 0.3*max(0, n-200_000)) }}},
		"each call costs more":       {costs: [2]cost{even, func(n float64) float64 { return 130 * n }}},
	} {
		count := map[decide.Outcome]int{}
		for _, tp := range tapes(t) {
			for seed := range uint64(n) {
				o, reason, c := play(tp, seed, p)
				if count[o]++; o == decide.Passed {
					t.Errorf("%s, %s, seed %d: %s, %v", name, tp.name, seed, reason, c)
				}
			}
		}
		t.Logf("%s: %v", name, count)
	}
}
