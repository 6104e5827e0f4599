// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/strobe-go/strobe/internal/tables"
	"github.com/strobe-go/strobe/internal/tuned"
	"github.com/strobe-go/strobe/stat"
)

func TestEveryConstantIsInTheTable(t *testing.T) {
	fields := reflect.TypeOf(tuned.Constants{})
	if len(constants) != fields.NumField() {
		t.Errorf("%d constants, %d in the table", fields.NumField(), len(constants))
	}
	for i, c := range constants {
		if i < fields.NumField() && fields.Field(i).Name != c.name {
			t.Errorf("number %d is %s, in the table %s", i, fields.Field(i).Name, c.name)
		}
		if c.how == "" || c.value() == c.off || *c.with(c.value()) != tuned.Committed || *c.with(c.off) == tuned.Committed {
			t.Errorf("%s: with %v as its absence, %q", c.name, c.off, c.how)
		}
	}
}

var update = flag.Bool("update", false, "write the table of constants in docs/coverage.md anew")

// The quick form agrees with the constants in use: without any of them the figure of its witness is worse, by more than chance.
func TestWithoutAConstantItsWitnessIsWorse(t *testing.T) {
	const series = 1000 // as many as in the whole simulation, whose figures these are
	table := tables.NewGrid("constant", "in use", "otherwise", "process", "samples", "intervals", "in use", "otherwise")
	for _, c := range constants {
		where, f := fmt.Sprint(c.seen.n), c.seen.figure
		if testing.Short() && c.seen.n > 64 {
			t.Logf("%s: %s samples are for the long test", c.name, where)
			continue
		}
		now, off := c.witnessed(series)
		table.Row(c.name, fmt.Sprintf("%.4g", c.value()), c.how, c.seen.process, where, string(f), f.number(now), f.number(off.tally))
		if worse := f.worse(off, now); worse < 2.5 {
			t.Errorf("%s: worse by %.1f standard errors, want 2.5", c.compare(series), worse)
		}
		cell := cellOf(c.seen)
		if broken := cell.Broken(cell.n, now.Tally); broken != "" {
			t.Errorf("%s: with it too many intervals %s", c.compare(series), broken)
		}
	}
	if testing.Short() {
		t.Log("docs/coverage.md is compared without -short only")
		return
	}
	tables.Check(t, "../../docs/coverage.md", "constants", table.String(), *update)
}

// What is tried here are the intervals of stat.BatchMeans.
func TestTheIntervalsAreThoseOfBatchMeans(t *testing.T) {
	for _, c := range cells([]int{16, 64, 200}) {
		if c.pair {
			continue
		}
		for _, draw := range []int{1, 2, 3} {
			x := make([]float64, c.n)
			c.Draw(rand.New(rand.NewPCG(uint64(draw), 1)), x)
			var b stat.BatchMeans
			for _, v := range x {
				b.Add(int64(math.Round(v * 1e6)))
			}
			e, _ := evidence(x)
			got, want := tuned.Committed.Interval(&e, 0.95), b.Interval(0.95)
			near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(math.Abs(want.Center)+want.Half()) }
			if !near(1e6*got.Lo, want.Lo) || !near(1e6*got.Hi, want.Hi) || (len(got.Warnings) > 0) != (len(want.Warnings) > 0) {
				t.Errorf("%s, n=%d: %v to %v and %q, want %v and %q", c.Name, c.n, got.Lo, got.Hi, got.Warnings, want, want.Warnings)
			}
		}
	}
}

func TestAFigureIsWorseOrBetter(t *testing.T) {
	var now, worse tally
	for i := range 100 {
		now.add(outcome{missed: i < 5, warned: i < 3, named: i < 3, width: 1})
		worse.add(outcome{missed: i < 14, warned: i < 2, width: 2})
	}
	other := trial{tally: worse, changed: 9}
	for f, want := range map[figure]float64{covered: 3, caught: 10.0 / 3, needless: -1.0 / 3, named: 1, width: 100 * math.Ln2} {
		if got := f.worse(other, now); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: worse by %v, want %v", f, got, want)
		}
		if f.worse(trial{tally: now}, now) != 0 {
			t.Errorf("%s: worse than itself", f)
		}
	}
}
