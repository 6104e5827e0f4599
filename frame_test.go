// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

func TestFrameCountsTurns(t *testing.T) {
	start := clock.Now()
	l := new(loop)
	for i := range 101 {
		l.turn(start.Add(time.Duration(i) * 10 * time.Millisecond))
	}
	f := l.stats("loop", start.Add(time.Second))
	if f.Turns != 101 || f.Rate < 99.99 || f.Rate > 100.01 || f.Frame.Center != 1e7 || f.Min != f.Max || f.P99 != f.Max {
		t.Errorf("%+v", f)
	}
	cell := slices.Collect(f.Histogram.Cells())
	if f.Sum != time.Second || len(cell) != 1 || cell[0].N != 100 || cell[0].Lo > 10*time.Millisecond || cell[0].Hi <= 10*time.Millisecond {
		t.Errorf("frame times of %v in all: %v", f.Sum, cell)
	}
	if f := new(loop).stats("loop", start); !f.Histogram.Empty() {
		t.Errorf("%+v of a loop without frames", f)
	}
	varied, at := new(loop), start
	varied.turn(at)
	for i := range 100 {
		at = at.Add(time.Duration(i+1) * time.Millisecond)
		varied.turn(at)
	}
	f = varied.stats("varied", at)
	near := func(got, want time.Duration) bool { return got > want-want/25 && got < want+want/25 }
	if f.Name != "varied" || f.Min != time.Millisecond || f.Max != 100*time.Millisecond || !near(f.P50, 50*time.Millisecond) || !near(f.P99, 99*time.Millisecond) ||
		f.Frame.Center != 50.5e6 {
		t.Errorf("frames of 1 to 100 ms: %+v", f)
	}
	name := fmt.Sprint(t.Name(), start) // -count runs it again in the same process
	amplyBudgeted(t)
	Frame(name)
	Frame(name)
	for _, f := range TakeSnapshot().Frames {
		if f.Name == name && f.Turns == 2 && f.Max > 0 {
			return
		}
	}
	t.Error("the loop is missing")
}

func TestALoopIsTheLoopOfItsName(t *testing.T) {
	amplyBudgeted(t)
	name := fmt.Sprint(t.Name(), clock.Now())
	loop, same := NewLoop(name), NewLoop(name)
	turns := func() uint64 {
		for _, f := range TakeSnapshot().Frames {
			if f.Name == name {
				return f.Turns
			}
		}
		return 0
	}
	if n := turns(); n != 0 {
		t.Errorf("%d turns before the first", n)
	}
	loop.Frame()
	same.Frame()
	Frame(name)
	SetEnabled(false)
	loop.Frame()
	SetEnabled(true)
	if n := turns(); n != 3 {
		t.Errorf("%d turns, want 3", n)
	}
	var zero Loop
	zero.Frame()
	if zero.kept.Load() != loops.get("") {
		t.Error("the zero Loop is not that of the empty name")
	}
}

func TestALoopWithoutMemoryIsNotKept(t *testing.T) {
	SetBudget(1)
	defer SetBudget(0)
	refused := NewLoop(fmt.Sprint(t.Name(), clock.Now()))
	refused.Frame()
	if refused.kept.Load() != nil {
		t.Error("it is kept beyond the budget")
	}
	SetBudget(memory.Used() + DefaultBudget)
	if refused.Frame(); refused.kept.Load() == nil {
		t.Error("it is not kept when there is memory again")
	}
}

func BenchmarkFrame(b *testing.B) {
	loop := NewLoop("benchmark")
	b.Run("Loop", func(b *testing.B) {
		for b.Loop() {
			loop.Frame()
		}
	})
	b.Run("name", func(b *testing.B) {
		for b.Loop() {
			Frame("benchmark")
		}
	})
}

func TestPlotKeepsTheLatest(t *testing.T) {
	zero := 0.0
	var want []profile.PlotStats
	for i, c := range []struct {
		values []float64
		want   profile.PlotStats
	}{
		{[]float64{3, -1, 1 / zero, 2, zero / zero}, profile.PlotStats{Last: 2, Min: -1, Max: 3, N: 3}},
		{[]float64{5, 7, 6}, profile.PlotStats{Last: 6, Min: 5, Max: 7, N: 3}},
		{[]float64{-5, -7}, profile.PlotStats{Last: -7, Min: -7, Max: -5, N: 2}},
		{[]float64{0}, profile.PlotStats{N: 1}},
	} {
		c.want.Name = fmt.Sprint(t.Name(), i, clock.Now())
		want = append(want, c.want)
		for _, v := range c.values {
			Plot(c.want.Name, v)
		}
	}
	if got := TakeSnapshot().Plots; len(got) < len(want) || !slices.Equal(got[len(got)-len(want):], want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
