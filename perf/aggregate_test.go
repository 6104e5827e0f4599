// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"math"
	"testing"
	"time"
)

func TestAggregateTellsTheFastestCountFromThatOfTheFastestRun(t *testing.T) {
	var a Aggregate
	if s := a.Of(Elapsed); s.N != 0 || s.Reason == "" || s.Mean.Known() || s.Mean.Reason != s.Reason || s.OfFastestKnown {
		t.Errorf("of nothing: %+v", s)
	}
	for i, c := range [][3]uint64{{30, 500, 7}, {10, 900, 9}, {20, 400, 8}} { // elapsed, cycles, instructions
		r := reading([]uint64{c[1], c[2]}, span{10, 10}, Cycles, Instructions)
		if i == 2 {
			r.times[0] = span{20, 10}
		}
		r.Elapsed = time.Duration(c[0])
		a.Add(r)
	}
	elapsed, cycles := a.Of(Elapsed), a.Of(Cycles)
	if elapsed.N != 3 || elapsed.Total != 60 || elapsed.Min != 10 || elapsed.OfFastest != 10 || elapsed.Unit != "ns" {
		t.Errorf("%+v", elapsed)
	}
	if cycles.N != 3 || cycles.Min != 500 || cycles.OfFastest != 900 || !cycles.OfFastestKnown || cycles.Total != 2200 || cycles.Scaled != 1 {
		t.Errorf("%+v", cycles)
	}
	if elapsed.OfSlowest != 30 || cycles.OfSlowest != 500 || !cycles.OfSlowestKnown {
		t.Errorf("the slowest run: %+v, %+v", elapsed, cycles)
	}
	if m := cycles.Mean; math.Abs(m.Center-2200./3) > 1e-9 || m.Level != 0.95 || m.Lo >= m.Center {
		t.Errorf("%+v", m)
	}
	if s := a.Of(Branches); s.N != 0 || s.Reason == "" || s.Mean.Level != 0 {
		t.Errorf("of an event that was never opened: %+v", s)
	}
}

func TestAggregateKeepsMissingValuesApart(t *testing.T) {
	var a Aggregate
	fast := reading([]uint64{5}, span{10, 0}, Cycles) // this counter never ran
	fast.Elapsed = 1
	slow := reading([]uint64{5}, span{10, 10}, Cycles)
	slow.Elapsed = 2
	a.Add(slow)
	a.Add(fast)
	s := a.Of(Cycles)
	if !s.OfSlowestKnown || s.OfSlowest != 5 {
		t.Errorf("the slowest run, which was counted: %+v", s)
	}
	if s.N != 1 || s.Missing != 1 || s.Min != 5 || s.Total != 5 || s.OfFastestKnown || s.OfFastest != 0 || s.Reason == "" {
		t.Errorf("%+v", s)
	}
}

func TestAggregateAllocatesOnceAndSaturates(t *testing.T) {
	var a Aggregate
	r := reading([]uint64{math.MaxUint64}, span{10, 10}, Cycles)
	a.Add(r)
	if n := testing.AllocsPerRun(100, func() { a.Add(r) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if s := a.Of(Cycles); s.Total != math.MaxUint64 || s.Min != math.MaxUint64 || s.N < 100 {
		t.Errorf("%+v", s)
	}
}
