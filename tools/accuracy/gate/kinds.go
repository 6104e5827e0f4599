// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// A kind is a kind of slowdown.
type kind struct {
	name      string
	what      string            // became slower, for the page
	rarest    int               // the period is drawn between an eighth of this and this
	set       string            // hidden: in some calls only; computation: in each; or brief: in each, of a few nanoseconds
	allocates bool              // calls allocate
	fixed     float64           // change of the cost of a call; 0 if it is drawn
	source    func(plan) string // of the package on the side of the plan
}

// A plan is what is planted.
type plan struct {
	change  float64 // of the cost of a call
	call    float64 // cost of a call that does not have what is planted, ns
	period  int     // in which a call is slow, where there is one
	bytes   int     // that a call allocates, where it does
	brief   float64 // ns that a short call was to take
	added   int     // cycles that a short call takes longer, each for an operation that waits for the one before it
	speed           // of the machine
	planted bool
}

const (
	leastPlanted = 0.25
	mostPlanted  = 0.60
)

// draw returns the plan of a try.
func (k *kind) draw(seed uint64, n int, of speed) plan {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	for _, c := range k.name { // kinds differ
		rng = rand.New(rand.NewPCG(rng.Uint64(), uint64(c)))
	}
	p := plan{speed: of, change: leastPlanted + (mostPlanted-leastPlanted)*rng.Float64()}
	p.call = 500 * math.Pow(10, rng.Float64())
	p.period = int(float64(k.rarest) * math.Pow(8, rng.Float64()-1))
	if k.allocates {
		p.bytes = 128 << rng.IntN(3)
	}
	if k.fixed != 0 {
		p.change = k.fixed
	}
	if k.set == brief {
		p.shorten(leastBrief * math.Pow(mostBrief/leastBrief, rng.Float64()))
	}
	return p
}

// What a short call costs, ns.
const leastBrief, mostBrief = 4, 100

// operations is how many that wait for each other a step of work has, in cycles: three for the product, one for the sum.
const operations = 4

// shorten makes calls take about so many ns, so that whole cycles are the change.
func (p *plan) shorten(ns float64) {
	cycle := p.unit / operations
	p.brief = ns
	p.added = max(1, int(math.Round(p.change*ns/cycle)))
	n := max(1, p.steps(float64(p.added)*cycle/p.change-p.speed.call))
	p.call = p.speed.call + float64(n)*p.unit
	p.change = float64(p.added) * cycle / p.call
}

// steps returns how many steps of work take so many ns.
func (p plan) steps(ns float64) int { return int(math.Round(ns / p.unit)) }

// share returns the change on this side.
func (p plan) share() float64 {
	if p.planted {
		return p.change
	}
	return 0
}

const hidden, computation, brief = "hidden", "computation", "short"

var kinds = []kind{
	{name: "later inputs", set: hidden, what: "the last tenth of 4000 inputs, which a benchmark takes in turn", source: func(p plan) string {
		return fmt.Sprintf(`var inputs [4000]int

func prepare() {
	for i := range inputs {
		inputs[i] = %d
		if i >= len(inputs)*9/10 {
			inputs[i] = %d
		}
	}
}

func call(i int) { sink = work(inputs[i%%len(inputs)]) }
`, p.steps(p.call), p.steps(p.call*(1+10*p.share())))
	}},
	{name: "deferred work", set: hidden, rarest: 8000, what: "the call that does what 1000 to 8000 others put off", source: func(p plan) string {
		return fmt.Sprintf(`var put int

func prepare() {}

func call(int) {
	if put++; put == %d {
		put = 0
		sink = work(%d)
	}
	sink = work(%d)
}
`, p.period, p.steps(p.call*p.share()*float64(p.period)), p.steps(p.call))
	}},
	{name: "another goroutine", set: hidden, what: "what a goroutine of the package does every 2 ms", source: func(p plan) string {
		return fmt.Sprintf(`var once sync.Once

func prepare() {
	once.Do(func() {
		go func() {
			for range time.Tick(2 * time.Millisecond) {
				work(%d)
			}
		}()
	})
}

func call(int) { sink = work(%d) }
`, 1+p.steps(2e6*p.share()), p.steps(p.call))
	}},
	{name: "a rare call", set: hidden, rarest: 2000, what: "one call in 250 to 2000, at random", source: func(p plan) string {
		return fmt.Sprintf(`var random uint64

func prepare() {}

func call(int) {
	random = random*6364136223846793005 + 1442695040888963407
	if random>>32 < 1<<32/%d {
		sink = work(%d)
	}
	sink = work(%d)
}
`, p.period, p.steps(p.call*p.share()*float64(p.period)), p.steps(p.call))
	}},
	{name: "the collector", set: hidden, allocates: true, what: "marking: an index has pointers to its entries instead of the entries", source: func(p plan) string {
		pointer, address := "", ""
		if p.planted {
			pointer, address = "*", "&"
		}
		return fmt.Sprintf(`type entry struct{ key, a, b, c uint64 }

var index []%sentry

func prepare() {
	if index == nil {
		for i := range 200000 {
			index = append(index, %sentry{key: uint64(i)})
		}
	}
}

var garbage []byte

func call(i int) {
	garbage = make([]byte, %d)
	sink = index[i%%64].key + work(%d)
}
`, pointer, address, p.bytes, p.steps(p.call))
	}},
	{name: "computation, +6 %", set: computation, fixed: 0.06, what: "each call, by 6 %", source: each},
	{name: "computation, +30 %", set: computation, fixed: 0.30, what: "each call, by 30 %", source: each},
	{name: "a short call, +6 %", set: brief, fixed: 0.06, what: "each call, by 1 to some 20 cycles", source: func(p plan) string {
		// The compiler combines sums with sums, and products with both. A loop may cost more or less when what follows it changes,
		// since it is predicted how it ends.
		steps, more := strings.Repeat("\tx = x*1664525 ^ 1013904223\n", p.steps(p.call-p.speed.call)), ""
		if p.planted {
			more = strings.Repeat("\tx += 3\n\tx ^= 1\n", p.added/2) + strings.Repeat("\tx += 3\n", p.added%2)
		}
		return fmt.Sprintf(`//go:noinline
func chain(x uint64) uint64 {
%s%s	return x
}

func prepare() {}

func call(int) { sink = chain(sink) }
`, steps, more)
	}},
}

// each is a package whose calls all cost the same.
func each(p plan) string {
	return fmt.Sprintf("func prepare() {}\n\nfunc call(int) { sink = work(%d) }\n", p.steps(p.call*(1+p.share())))
}

// gate plants a slowdown of this kind and gates it.
func (k *kind) gate(ctx context.Context, w *workshop, j job) (try, error) {
	dir, done, err := w.repository()
	if err != nil {
		return try{}, err
	}
	defer done()
	p := k.draw(j.seed, j.n, w.speed)
	if k.allocates { // what that costs is not known before
		if p, err = w.solve(ctx, k, p, dir); err != nil {
			return try{}, err
		}
	}
	seen, err := w.plant(ctx, k, p, dir)
	if err != nil {
		return try{}, err
	}
	t, err := w.gate(ctx, dir, j)
	t.Set, t.Planted, t.Measured, t.Call = k.set, p.change, seen, p.call
	if k.rarest > 0 {
		t.Period = p.period
	}
	return t, err
}
