// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/stat"
)

// quick is enough to see that everything is there.
var quick = Options{MinTime: time.Millisecond, MaxTime: 20 * time.Millisecond}

// checkInterval holds an interval to what every figure is held to.
func checkInterval(t *testing.T, what string, iv stat.Interval) {
	t.Helper()
	for _, x := range []float64{iv.Center, iv.Lo, iv.Hi, iv.NEff} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Errorf("%s: %+v", what, iv)
		}
	}
	if iv.Level > 0 && (iv.Lo < 0 || iv.Lo > iv.Center || iv.Center > iv.Hi) {
		t.Errorf("%s: %v is not in [%v, %v], or that is below zero", what, iv.Center, iv.Lo, iv.Hi)
	}
}

func xorshift(n int) (x uint64) {
	x = 88172645463325252
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// called returns a function that is the same code whatever n is.
//
//go:noinline
func called(n int) func() { return func() { Keep(xorshift(n)) } }

func TestAFunctionThatCostsNothingHasABound(t *testing.T) {
	r := Run("nothing", func() {}, quick)
	checkInterval(t, "nothing", r.Time)
	if r.Time.Hi <= 0 || r.Time.Level == 0 {
		t.Errorf("an upper bound of %v ns at level %v", r.Time.Hi, r.Time.Level)
	}
	if r.Fastest < 0 || r.Median < 0 || r.Loop <= 0 {
		t.Errorf("fastest %v, median %v, loop %v ns", r.Fastest, r.Median, r.Loop)
	}
	if r.Batch < 1000 {
		t.Errorf("a batch of %d calls of nothing", r.Batch)
	}
}

func TestCheapFunctionsAreBatchedAndDearOnesAreNot(t *testing.T) {
	if r := Run("cheap", called(10), quick); r.Batch < 10 || r.Time.N < 10 || r.WarmedUp == 0 {
		t.Errorf("%+v", r)
	}
	r := Run("dear", func() { time.Sleep(2 * time.Millisecond) }, Options{MinRepeat: 3, MinTime: time.Millisecond, MaxTime: time.Millisecond})
	if r.Batch != 1 || r.Time.N < 3 || r.Time.Center < 2e6 { // a sleep is never short
		t.Errorf("%v", r)
	}
}

func TestTheWorkIsNotRemoved(t *testing.T) {
	// No processor does three dependent operations a round in less than a tenth of a ns each.
	if r := Run("work", called(1000), quick); r.Time.Hi < 300 {
		t.Errorf("%v", r)
	}
}

var escaped []byte

func TestAllocationsAreThoseOfACall(t *testing.T) {
	r := Run("two", func() { escaped = make([]byte, 100); escaped = make([]byte, 28) }, quick)
	if math.Abs(r.Allocs-2) > 0.1 || r.Bytes < 128 || r.Bytes > 256 {
		t.Errorf("%v allocations of %v bytes", r.Allocs, r.Bytes)
	}
	if r := Run("none", called(1), quick); r.Allocs > 0.1 {
		t.Errorf("%v allocations of a function that has none", r.Allocs)
	}
}

func TestWithoutPrecisionThereAreAsManySamplesAsTheWarmupHad(t *testing.T) {
	o := quick
	o.Precision = -1
	o.MaxTime = time.Hour
	r := Run("all", called(100), o)
	if want := max(r.WarmedUp, o.MinRepeat, DefaultMinRepeat); r.WarmedUp == 0 || r.Time.N != uint64(want) {
		t.Errorf("%d samples of warm-up, %d measured", r.WarmedUp, r.Time.N)
	}
}

func TestCountersHaveNumbersOrReasons(t *testing.T) {
	r := Run("counted", called(100), quick)
	if len(r.Counters) == 0 && !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, "no counters: ") }) {
		t.Errorf("no counters and no reason: %q", r.Warnings)
	}
	for _, c := range r.Counters {
		checkInterval(t, string(c.Event), c.PerCall)
		if (c.PerCall.Level == 0) != (c.Reason != "") {
			t.Errorf("%s: %+v", c.Event, c)
		}
	}
	o := quick
	o.NoCounters = true
	if r := Run("not counted", called(100), o); len(r.Counters) > 0 {
		t.Errorf("%v", r.Counters)
	}
}

func TestCompareTellsTwiceTheWorkFromHalf(t *testing.T) {
	o := Options{MaxTime: 100 * time.Millisecond}
	c := Compare(called(200), called(600), o)
	checkInterval(t, "ratio", c.Ratio)
	if c.Verdict == Faster || c.Verdict == Same || c.Ratio.Hi < 1.5 {
		t.Errorf("three times the work: %v", c)
	}
	if c = Compare(called(600), called(200), o); c.Verdict == Slower || c.Verdict == Same || c.Ratio.Lo > 0.7 {
		t.Errorf("a third of the work: %v", c)
	}
	if c.Options.Seed == 0 || c.BaseTime.Level == 0 || c.OtherTime.Level == 0 {
		t.Errorf("%+v", c)
	}
}

func TestCompareOfNothingHasNumbersAndSaysWhatTheyHold(t *testing.T) {
	c := Compare(func() {}, func() {}, Options{MaxTime: 20 * time.Millisecond})
	checkInterval(t, "ratio", c.Ratio)
	if len(c.Ratio.Warnings) == 0 || !strings.Contains(c.Ratio.Warnings[0], "loop") {
		t.Errorf("warnings %q", c.Ratio.Warnings)
	}
}

func TestOrderIsBalancedAndDrawn(t *testing.T) {
	for n := range 5 {
		o := NewOrder(n, 7)
		firsts := map[string]bool{}
		for range 50 {
			a := slices.Clone(o.Next())
			firsts[fmt.Sprint(a)] = true
			slices.Reverse(a)
			if b := o.Next(); !slices.Equal(a, b) {
				t.Fatalf("%v is not the reverse of the round before", b)
			}
			slices.Sort(a)
			for i, p := range a {
				if i != p {
					t.Fatalf("parts %v", a)
				}
			}
		}
		if n > 1 && len(firsts) < 2 {
			t.Errorf("%d parts: always %v", n, firsts)
		}
	}
	if len(NewOrder(-1, 0).Next()) != 0 {
		t.Error("less than no parts")
	}
}

func TestPairsWithoutEnoughHaveAReason(t *testing.T) {
	p := NewPairs("a", "b", Options{})
	for range 2 {
		p.Add(1, 2)
	}
	p.Add(0, 1)
	p.Add(1, -1)
	p.Add(math.NaN(), 1)
	p.Add(math.Inf(1), 1)
	c := p.Comparison()
	checkInterval(t, "two rounds", c.Ratio)
	if c.Verdict != Inconclusive || c.Ratio.Level != 0 || c.Ratio.N != 2 || !strings.Contains(strings.Join(c.Ratio.Warnings, "; "), "4 rounds without") {
		t.Errorf("%+v", c)
	}
	if o, reason := Gate(c, 0.05); o != Undecided || !strings.Contains(reason, "needs at least") {
		t.Errorf("%s: %s", o, reason)
	}
	if text := c.String(); !strings.Contains(text, "inconclusive") {
		t.Error(text)
	}
	for range 6 {
		p.Add(math.SmallestNonzeroFloat64, math.MaxFloat64)
	}
	if c = p.Comparison(); c.Ratio.Level == 0 {
		t.Errorf("%+v", c)
	}
	checkInterval(t, "eight rounds", c.Ratio)
}

func TestVerdictsFollowTheInterval(t *testing.T) {
	for _, tt := range []struct {
		lo, hi float64
		want   Verdict
		gate   Outcome // at 5 %
	}{
		{0.9, 0.95, Faster, Passed},
		{0.9, 1.2, Inconclusive, Undecided},
		{1.02, 1.03, Slower, Passed},
		{1.04, 1.06, Slower, Undecided},
		{1.06, 1.07, Slower, Failed},
		{0.995, 1.005, Same, Passed},
		{1.002, 1.004, Same, Passed}, // a difference, but none that counts
		{0.97, 1.04, Inconclusive, Passed},
	} {
		iv := stat.Interval{Center: (tt.lo + tt.hi) / 2, Lo: tt.lo, Hi: tt.hi, Level: 0.99}
		if got := judge(iv, 0.01); got != tt.want {
			t.Errorf("[%v, %v]: %s, want %s", tt.lo, tt.hi, got, tt.want)
		}
		if got, reason := Gate(Comparison{Ratio: iv, Within: 0.01}, 0.05); got != tt.gate || !strings.Contains(reason, "%") {
			t.Errorf("[%v, %v]: gate %s, want %s: %s", tt.lo, tt.hi, got, tt.gate, reason)
		}
	}
}

func TestOddOptionsAreUnderstood(t *testing.T) {
	for _, o := range []Options{{MinRepeat: -1, MaxRepeat: -5, Level: 7, Precision: math.NaN(), MaxTime: -1}, {Level: math.NaN(), Within: math.Inf(1), Gate: -3},
		{Precision: -1, Within: -1, MinTime: -1}} {
		run, pairs := o.forRun(), o.forPairs()
		for _, got := range []Options{run, pairs} {
			if again := got.forPairs(); got == pairs && again != got {
				t.Errorf("%+v becomes %+v the second time", got, again)
			}
			if got.MinRepeat < 2 || got.MaxTime <= 0 || !(got.Level > 0 && got.Level < 1) || math.IsNaN(got.Precision) || math.IsInf(pairs.Within, 0) {
				t.Errorf("%+v became %+v", o, got)
			}
		}
	}
}

func TestBatchesOfOneTakeLongestFunctions(t *testing.T) {
	n := 0
	if got := batchFor(func() { n++; time.Sleep(time.Millisecond) }, time.Millisecond); got != 1 || n != 2 {
		t.Errorf("a batch of %d, after %d calls", got, n)
	}
}
