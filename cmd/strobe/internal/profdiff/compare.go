// SPDX-License-Identifier: BSD-3-Clause

package profdiff

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
	"github.com/strobe-go/strobe/stat/dist"
)

// A Cost is what a call of the benchmark costs, as the caller measured it without a profile.
type Cost struct {
	Call   [2]float64    // ns of elapsed time, by side
	Ratio  stat.Interval // that of the new side over that of the base
	Waited [2]float64    // share of their time in which the runs that were measured waited for a processor; 0 if it is not known
}

// A Change is what a function costs in a call on both sides, and the difference.
type Change struct {
	Base       float64       `json:"base"`       // on the base
	New        float64       `json:"new"`        // on the new side
	Difference stat.Interval `json:"difference"` // how much more it is on the new side
	Changed    bool          `json:"changed"`    // Holm's method over all functions says that it differs
}

// A Function is one whose time was compared.
type Function struct {
	Name     string `json:"name"`                // as in Go profiles; or "garbage collection", "scheduler" or "runtime" for what no function of the program called
	BaseName string `json:"base_name,omitempty"` // on the base, if it has another package there
	Standard bool   `json:"standard,omitempty"`  // it is part of the standard library or the runtime, and its own time is part of that of its callers
	Source
	Own   Change `json:"own_ns"`   // time of the function itself and of the standard library that it calls
	Total Change `json:"total_ns"` // time of the function with all that it calls
}

// A Comparison is what profiles say about the cost of a call.
type Comparison struct {
	Cost      Cost
	Busy      [2]float64 // processor time over elapsed time, by side; 1 where a single processor is not known to have been idle
	Waiting   Change     // elapsed time in which no goroutine ran; not known where several may run at a time
	Functions []Function // those with enough samples, the largest change of own time first
}

// families is how many families of hypotheses share the error: of own times, of total times, and waiting.
const families = 3

// Compare compares the runs so far. The probability of claiming any false difference is at most error.
func (p *Profiles) Compare(cost Cost, error float64) Comparison {
	moved := p.moved()
	v := p.comparer(cost, moved)
	v.error = error / families
	c := Comparison{Cost: cost, Waiting: v.waiting(p.single, p.disturbed())}
	c.Busy = [2]float64{v.sides[Base].busy, v.sides[New].busy}
	own := v.changes(func(t *table) map[string]tally { return t.own })
	total := v.changes(func(t *table) map[string]tally { return t.total })
	before := map[string]string{}
	for old, name := range moved {
		before[name] = old
	}
	names := maps.Clone(own)
	maps.Copy(names, total)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if max(own[name].Difference.N, total[name].Difference.N) < least {
			continue
		}
		f := Function{Name: name, BaseName: before[name], Standard: !inRuntime(name) && p.standard(name), Source: p.sources[name], Own: own[name], Total: total[name]}
		if _, ok := total[name]; !ok { // what the runtime does has no functions below it
			f.Total = f.Own
		}
		switch _, ok := own[name]; {
		case f.Standard && !ok:
			f.Own.Difference = stat.Unknown("it is part of that of its callers")
		case !ok:
			f.Own.Difference = stat.Unknown("no samples")
		}
		c.Functions = append(c.Functions, f)
	}
	slices.SortStableFunc(c.Functions, func(a, b Function) int {
		return cmp.Or(cmp.Compare(size(b.Own), size(a.Own)), cmp.Compare(size(b.Total), size(a.Total)))
	})
	return c
}

func size(c Change) float64 { return math.Abs(c.Difference.Center) }

// A comparer compares the tables of both sides.
type comparer struct {
	sides [2]table
	cost  Cost
	error float64 // of a family
	pool  dispersion
}

// comparer counts the samples.
func (p *Profiles) comparer(cost Cost, moved map[string]string) comparer {
	base, latest := p.sides[Base].tableOf(moved), p.sides[New].tableOf(nil)
	pool := dispersionOf(list(base.own), base.runs).plus(dispersionOf(list(latest.own), latest.runs))
	if n := min(len(base.runs), len(latest.runs)); pool.freedom == 0 && n > 1 { // one function has all samples
		pool.freedom = n - 1
	}
	return comparer{sides: [2]table{base, latest}, cost: cost, pool: pool}
}

// share returns the share of a category on a side. The error of the ratio of the costs is that of the new side, unless the samples
// alone say how long a call takes.
func (v *comparer) share(side int, x tally) share {
	t := &v.sides[side]
	s := share{of: x.all, n: t.n, scale: t.busy * v.cost.Call[side], error: t.error}
	if side == New && !t.byUse {
		s.error = math.Hypot(s.error, relative(v.cost.Ratio))
	}
	return s
}

// relative returns the relative standard error that an interval of a ratio implies, 0 if it is exact or has none.
func relative(iv stat.Interval) float64 {
	if iv.Level <= 0 || iv.Level >= 1 || !(iv.Center > 0) {
		return 0
	}
	z := dist.NormalUpper((1 - iv.Level) / 2)
	switch {
	case iv.Bounded() && iv.Lo > 0:
		return math.Log(iv.Hi/iv.Lo) / (2 * z)
	case iv.Lo > 0:
		return math.Log(iv.Center/iv.Lo) / z
	}
	return 0
}

// dispersion returns that of a category: the larger of its own and of that of all.
func (v *comparer) dispersion(base, latest tally) dispersion {
	d := v.pool
	own := ownDispersion(base, v.sides[Base].runs).plus(ownDispersion(latest, v.sides[New].runs))
	d.factor = max(d.factor, own.factor)
	return d
}

// changes compares each category with enough samples.
func (v *comparer) changes(of func(*table) map[string]tally) map[string]Change {
	both := maps.Clone(of(&v.sides[Base]))
	maps.Copy(both, of(&v.sides[New]))
	changes := map[string]Change{}
	type tested struct {
		name         string
		base, latest share
		dispersion
	}
	var all []tested
	for _, name := range slices.Sorted(maps.Keys(both)) {
		base, latest := v.sides[Base].of(of(&v.sides[Base]), name), v.sides[New].of(of(&v.sides[New]), name)
		if base.all+latest.all < least {
			a, b := v.share(Base, base).value(), v.share(New, latest).value()
			changes[name] = Change{Base: a, New: b, Difference: stat.Point(b-a, uint64(base.all+latest.all), method, "too few samples")}
			continue
		}
		all = append(all, tested{name, v.share(Base, base), v.share(New, latest), v.dispersion(base, latest)})
	}
	if len(all) == 0 {
		return changes
	}
	results := decide.Holm(v.error, decide.Equal(len(all)), func(i int, error float64) bool {
		iv := difference(all[i].base, all[i].latest, error, all[i].dispersion)
		return iv.Bounded() && (iv.Lo > 0 || iv.Hi < 0)
	})
	for i, x := range all {
		iv := difference(x.base, x.latest, results[i].Error, x.dispersion)
		changes[x.name] = Change{Base: x.base.value(), New: x.latest.value(), Difference: iv, Changed: results[i].Rejected}
	}
	return changes
}

// waiting compares the elapsed time without samples. If a single processor is not known to have been idle on
// either side, functions used all of the time, and the number of samples, which depends on other programs, does not matter.
// If the runs by which the costs are known waited for a processor, that may be any part of what a call seems to wait.
func (v *comparer) waiting(single, disturbed bool) (c Change) {
	const method = "ratio of processor time to elapsed time"
	base, latest, calls := &v.sides[Base], &v.sides[New], v.cost.Call
	freedom := len(base.runs) + len(latest.runs) - 2
	t := dist.StudentUpper(v.error/2, float64(max(1, freedom)))
	work := func() {
		base.work(1, 0)
		latest.work(1, 0)
	}
	switch {
	case !single && max(base.busy, latest.busy) > 1:
		c.Difference = stat.Unknown("several goroutines may run at a time")
		return c
	case freedom < 2:
		if single {
			work()
		}
		c.Difference = stat.Unknown("needs several runs of each side")
		return c
	case disturbed:
		works := base.works(calls[Base]) && latest.works(calls[New])
		if single && works {
			work()
		} else if single {
			base.limit(calls[Base])
			latest.limit(calls[New])
		}
		if !single || works || !base.waits(calls[Base]) || !latest.waits(calls[New]) {
			c.Difference = stat.Unknown("other programs ran on the processor for much of the time")
			return c
		}
	case single && !base.idle(t) && !latest.idle(t):
		work()
	}
	c.Base, c.New = (1-base.busy)*calls[Base], (1-latest.busy)*calls[New]
	center, scaled, queued := c.New-c.Base, c.New, [2]float64{}
	if latest.byUse {
		scaled = calls[New]
	}
	for side := range v.sides {
		if v.sides[side].byUse {
			queued[side] = v.cost.Waited[side] * calls[side]
		}
	}
	half := t * math.Hypot(math.Hypot(base.busy*base.error*calls[Base], latest.busy*latest.error*calls[New]), scaled*relative(v.cost.Ratio))
	c.Difference = stat.Interval{Center: center, Lo: center - half - queued[New], Hi: center + half + queued[Base], Level: 1 - v.error, Method: method, N: uint64(base.n + latest.n)}
	c.Changed = c.Difference.Lo > 0 || c.Difference.Hi < 0
	return c
}

// Short returns the name of a function without the folders of its package and without type arguments.
func Short(name string) string {
	name = name[strings.LastIndexByte(packageOf(name), '/')+1:]
	if from, to := strings.IndexByte(name, '['), strings.LastIndexByte(name, ']'); 0 <= from && from < to {
		name = name[:from] + "[...]" + name[to+1:]
	}
	return name
}
