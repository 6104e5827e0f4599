// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/perf"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// quick is long enough to see that all results are there.
var quick = Options{MinTime: time.Millisecond, MaxTime: 20 * time.Millisecond}

// checkInterval checks what must hold for the interval of every figure.
func checkInterval(t *testing.T, what string, iv stat.Interval) {
	t.Helper()
	if iv.Bounded() != (iv.Reason == "") || math.IsNaN(iv.Lo) || math.IsNaN(iv.Hi) {
		t.Errorf("%s: %+v", what, iv)
	}
	for _, x := range []float64{iv.Center, iv.NEff} {
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

// called returns a function whose code does not depend on n.
//
//go:noinline
func called(n int) func() { return func() { Keep(xorshift(n)) } }

func TestAFunctionThatCostsNothingHasABound(t *testing.T) {
	r := Run("nothing", func() {}, quick)
	checkInterval(t, "nothing", r.Time)
	if r.Time.Hi <= 0 || r.Time.Level == 0 {
		t.Errorf("an upper bound of %v ns at level %v", r.Time.Hi, r.Time.Level)
	}
	if r.Fastest < 0 || r.Median < 0 || r.Loop.Center <= 0 || !r.Loop.Bounded() {
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
	// No processor takes less than 0.1 ns for each of the three dependent operations of an iteration.
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
	if want := max(r.WarmedUp, o.MinRepeat, runDefaults.MinRepeat); r.WarmedUp == 0 || r.Time.N != uint64(want) {
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
		if c.PerCall.Known() && !(c.Fastest.Known() && c.Slowest.Known()) || !c.PerCall.Known() && c.PerCall.Reason == "" {
			t.Errorf("%s: %+v", c.Event, c)
		}
	}
	o := quick
	o.NoCounters = true
	if r := Run("not counted", called(100), o); len(r.Counters) > 0 {
		t.Errorf("%v", r.Counters)
	}
}

func TestFaultsAreCountedPerCallInTotalAndAtTheExtremes(t *testing.T) {
	const pages = 64
	touch := func() {
		b := make([]byte, pages<<12)
		for i := 0; i < len(b); i += 1 << 12 {
			b[i] = 1
		}
		Keep(b)
		debug.FreeOSMemory() // so that the next call causes page faults again
	}
	r := Run("faults", touch, Options{MinTime: -1, MinRepeat: 5, MaxTime: time.Millisecond})
	for _, c := range r.Counters {
		if c.Event != perf.PageFaults || !c.PerCall.Known() {
			continue
		}
		// Other threads of the runtime cause some of the page faults, and large pages would avoid most.
		if c.PerCall.Center < 1 || c.Fastest.Center > float64(c.Total) || c.Slowest.Center > float64(c.Total) || float64(c.Total) < c.PerCall.Center*float64(r.Time.N) {
			t.Errorf("%+v, fastest %v, slowest %v", c, c.Fastest, c.Slowest)
		}
	}
	if r.Slowest < r.Median || r.Median < r.Fastest || r.Fastest <= 0 {
		t.Errorf("fastest %v, median %v, slowest %v", r.Fastest, r.Median, r.Slowest)
	}
}

func TestIPCNeedsBothCounted(t *testing.T) {
	counter := func(e perf.Event, n float64) Counter {
		return Counter{Event: e, PerCall: stat.Interval{Center: n, Level: 0.95}}
	}
	cycles, instructions := counter(perf.Cycles, 50), counter(perf.Instructions, 125)
	if ipc, ok := (Result{Counters: []Counter{counter(perf.Branches, 7), instructions, cycles}}).IPC(); !ok || ipc != 2.5 {
		t.Errorf("%v, %v", ipc, ok)
	}
	scaled, missing := cycles, cycles
	scaled.Scaled, missing.PerCall = true, stat.Unknown("none")
	for _, other := range []Counter{scaled, missing, counter(perf.Cycles, 0), counter(perf.Branches, 3)} {
		if ipc, ok := (Result{Counters: []Counter{instructions, other}}).IPC(); ok {
			t.Errorf("%v with %+v", ipc, other)
		}
	}
}

func TestCompareTellsTwiceTheWorkFromHalf(t *testing.T) {
	o := CompareOptions{MaxTime: 100 * time.Millisecond}
	c := Compare(called(200), called(600), o)
	checkInterval(t, "ratio", c.Ratio)
	if c.Verdict == decide.Faster || c.Verdict == decide.Same || c.Ratio.Hi < 1.5 {
		t.Errorf("three times the work: %v", c)
	}
	if c = Compare(called(600), called(200), o); c.Verdict == decide.Slower || c.Verdict == decide.Same || c.Ratio.Lo > 0.7 {
		t.Errorf("a third of the work: %v", c)
	}
	if c.Options.Seed == 0 || c.BaseTime.Level == 0 || c.OtherTime.Level == 0 {
		t.Errorf("%+v", c)
	}
}

func TestCompareVariesTheDepthOfTheStackForBothAlike(t *testing.T) {
	var at [2]map[uintptr]bool
	here := func(i int) func() {
		at[i] = map[uintptr]bool{}
		return func() {
			var x [64]byte
			Keep(&x)
			at[i][uintptr(unsafe.Pointer(&x))] = true
			for end := clock.Now().Add(epoch); clock.Now() < end; {
			}
		}
	}
	Compare(here(0), here(1), CompareOptions{MinRounds: 400, MaxTime: time.Millisecond})
	both := 0
	for p := range at[0] {
		if at[1][p] {
			both++
		}
	}
	if n := len(at[0]); n < depths/2 || both < n*9/10 || both < len(at[1])*9/10 { // a stack that is moved gets other addresses
		t.Fatalf("%d and %d places of the stack, %d of them the same", n, len(at[1]), both)
	}
	low, high, offsets := uintptr(math.MaxUint64>>(64-bits.UintSize)), uintptr(0), map[uintptr]bool{}
	for p := range at[0] {
		low, high = min(low, p), max(high, p)
		offsets[p%64] = true
	}
	if high-low < 4096 || bits.UintSize == 64 && len(offsets) < 2 { // the race detector aligns frames to half a line
		t.Errorf("places over %d bytes, at %d offsets in a line", high-low, len(offsets))
	}
}

func TestCompareOfNothingHasNumbersAndSaysWhatTheyHold(t *testing.T) {
	c := Compare(func() {}, func() {}, CompareOptions{MaxTime: 20 * time.Millisecond})
	checkInterval(t, "ratio", c.Ratio)
	if len(c.Ratio.Warnings) == 0 || !strings.Contains(c.Ratio.Warnings[0], "loop") {
		t.Errorf("warnings %q", c.Ratio.Warnings)
	}
}

func TestOrderIsDrawnForEachRound(t *testing.T) {
	for n := range 5 {
		o := NewOrder(n, 7)
		seen, first, repeated := map[string]bool{}, 0, 0
		for before := ""; len(seen) < 1 || first+repeated < 400; {
			parts := slices.Clone(o.Next())
			for a := range n {
				for b := range n {
					if o.Before(a, b) != (slices.Index(parts, a) < slices.Index(parts, b)) {
						t.Fatalf("%d before %d in %v: %v", a, b, parts, o.Before(a, b))
					}
				}
			}
			text := fmt.Sprint(parts)
			if seen[text] = true; text == before {
				repeated++
			} else {
				first++
			}
			before = text
			slices.Sort(parts)
			for i, p := range parts {
				if i != p {
					t.Fatalf("parts %v", parts)
				}
			}
		}
		all := []int{1, 1, 2, 6, 24}[n]
		if len(seen) != all { // the probability that any of the 24 orders is missing is about 1e-6
			t.Errorf("%d of the %d orders of %d parts", len(seen), all, n)
		}
		if n == 2 && (repeated < 150 || repeated > 250) { // five standard deviations: the next order does not depend on the previous one
			t.Errorf("the same order as the round before in %d of 400", repeated)
		}
	}
	if len(NewOrder(-1, 0).Next()) != 0 || len(new(Order).Next()) != 0 {
		t.Error("parts of no order")
	}
	a, b := NewOrder(9, 1), NewOrder(9, 1)
	for range 3 {
		if !slices.Equal(a.Next(), b.Next()) {
			t.Error("the same seed, two orders")
		}
	}
}

func TestPairsWithoutEnoughHaveAReason(t *testing.T) {
	p := NewPairs("a", "b", CompareOptions{})
	for i := range 5 {
		p.Add(1, 2, i%2 == 0)
	}
	for _, bad := range [][2]float64{{0, 1}, {1, -1}, {math.NaN(), 1}, {math.Inf(1), 1}} {
		p.Add(bad[0], bad[1], true)
	}
	c := p.Comparison()
	checkInterval(t, "five rounds", c.Ratio)
	if c.Verdict != decide.Inconclusive || c.Ratio.Level != 0 || c.Ratio.N != 5 || !strings.Contains(strings.Join(c.Ratio.Warnings, "; "), "4 rounds without") {
		t.Errorf("%+v", c)
	}
	if o, reason := Gate(c, 0.05); o != decide.Undecided || !strings.Contains(reason, "needs at least 6") {
		t.Errorf("%s: %s", o, reason)
	}
	if text := c.String(); text != "b against a: inconclusive, 2 (no interval: needs at least 6 rounds, has 5)" {
		t.Error(text)
	}
	if _, reason := Gate(c, 0.05); reason != "b against a: 2 (no interval: needs at least 6 rounds, has 5)" {
		t.Error(reason)
	}
	p.Add(math.SmallestNonzeroFloat64, math.MaxFloat64, false)
	if c = p.Comparison(); c.Ratio.Level == 0 {
		t.Errorf("%+v", c)
	}
	checkInterval(t, "six rounds", c.Ratio)

	p = NewPairs("a", "b", CompareOptions{})
	for i := range 6 {
		p.Add(math.SmallestNonzeroFloat64, math.MaxFloat64, i%2 == 0)
	}
	p.Add(0, 1, true)
	c = p.Comparison()
	checkInterval(t, "beyond the range of float64", c.Ratio)
	if c.Verdict != decide.Slower || !slices.Contains(c.Ratio.Warnings, "1 rounds without a positive cost are ignored") {
		t.Errorf("%+v", c)
	}

	p = NewPairs("a", "b", CompareOptions{})
	for range 50 {
		p.Add(1, 2, true)
	}
	if c = p.Comparison(); c.Ratio.Level != 0 || !strings.Contains(c.Ratio.Reason, "the same side ran first") {
		t.Errorf("%+v", c.Ratio)
	}
}

func TestTheZeroPairsComparesWithTheDefaults(t *testing.T) {
	var p Pairs
	for i := range 60 {
		if p.Done(0) != (i > 20) && i < 10 {
			t.Fatalf("done after %d rounds", i)
		}
		p.Add(100, 100+float64(i%3), i%2 == 0)
	}
	if c := p.Comparison(); c.Ratio.Level != 0.99 || c.Options != NewPairs("", "", CompareOptions{}).options || !p.Done(1) {
		t.Errorf("%+v", c)
	}
}

func TestVerdictsFollowTheInterval(t *testing.T) {
	for _, tt := range []struct {
		lo, hi float64
		want   decide.Verdict
		gate   decide.Outcome // at 5 %
	}{
		{0.9, 0.95, decide.Faster, decide.Passed},
		{0.9, 1.2, decide.Inconclusive, decide.Undecided},
		{1.02, 1.03, decide.Slower, decide.Passed},
		{1.04, 1.06, decide.Slower, decide.Undecided},
		{1.06, 1.07, decide.Slower, decide.Failed},
		{0.995, 1.005, decide.Same, decide.Passed},
		{1.002, 1.004, decide.Same, decide.Passed}, // a difference, but too small to count
		{0.97, 1.04, decide.Inconclusive, decide.Passed},
		{0.9, 1, decide.Inconclusive, decide.Passed}, // the bounds belong to the interval
		{1, 1.04, decide.Inconclusive, decide.Passed},
		{1 / 1.01, 1.01, decide.Same, decide.Passed},
		{1 / 1.01, 1.0101, decide.Inconclusive, decide.Passed},
		{1 / 1.0101, 1.01, decide.Inconclusive, decide.Passed},
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

func TestComparisonsReadWell(t *testing.T) {
	for want, c := range map[string]Comparison{
		"new is 1.048 [1.041, 1.056] times old: slower":                                              {Ratio: stat.Interval{Center: 1.048, Lo: 1.041, Hi: 1.056}, Verdict: decide.Slower},
		"new is 1.0010 ± 0.0020 times old: same within 0.5 %":                                        {Ratio: stat.Interval{Center: 1.001, Lo: 0.999, Hi: 1.003}, Verdict: decide.Same, Within: 0.005},
		"new is 1.02 ± 0.06 times old: inconclusive; about 9.4 times as many rounds would decide it": {Ratio: stat.Interval{Center: 1.02, Lo: 0.96, Hi: 1.08}},
	} {
		c.Base, c.Other, c.Ratio.Level = "old", "new", 0.99
		if got := c.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestGateRaisesItsLimitToTheDifferenceThatDoesNotCount(t *testing.T) {
	slower := Comparison{Base: "a", Other: "b", Within: 0.02, Ratio: stat.Interval{Center: 1.015, Lo: 1.011, Hi: 1.019, Level: 0.99}}
	for _, c := range []struct {
		limit, within float64
		want          decide.Outcome
	}{
		{0.01, 0.02, decide.Passed}, {0.01, 0, decide.Failed}, {0, 0, decide.Failed}, {-5, 0, decide.Failed}, {-5, 0.02, decide.Passed}, {-5, -1, decide.Failed}, {0.019, 0, decide.Passed},
		{0.0189, 0, decide.Undecided}, {0.011, 0, decide.Undecided}, {0.0109, 0, decide.Failed}, {math.NaN(), 0.02, decide.Undecided}, {math.Inf(1), 0, decide.Passed},
	} {
		slower.Within = c.within
		if o, reason := Gate(slower, c.limit); o != c.want || reason == "" {
			t.Errorf("limit %v, within %v: %s, %s", c.limit, c.within, o, reason)
		}
	}
	slower.Ratio.Center, slower.Ratio.Lo, slower.Ratio.Hi = 0.9, 0.85, 0.95
	if o, _ := Gate(slower, -0.2); o != decide.Passed { // faster always passes
		t.Errorf("%s", o)
	}
}

func TestGateNamesTheConfidenceOfOneSide(t *testing.T) {
	c := Comparison{Base: "old", Other: "new", Ratio: stat.Interval{Center: 1.04, Lo: 1.02, Hi: 1.06, Level: 0.99}}
	for limit, want := range map[float64]string{
		0.1:  "new costs +4.0 % against old, with 99.5 % confidence at most +6.0 %: no more than the allowed +10 %",
		0.01: "new costs +4.0 % against old, with 99.5 % confidence at least +2.0 %: more than the allowed +1 %",
		0.05: "new costs +4.0 % against old, between +2.0 % and +6.0 %: the allowed +5 % is between them; about 4 times as many rounds would decide it",
	} {
		if _, reason := Gate(c, limit); reason != want {
			t.Errorf("%s, want %s", reason, want)
		}
	}
	// A bound has enough digits to distinguish it from the limit.
	for _, x := range []struct {
		lo, hi float64
		want   string
	}{
		{1.0502, 1.09, "at least +5.02 %: more than the allowed +5 %"},
		{1.01, 1.0498, "at most +4.98 %: no more than the allowed +5 %"},
		{1.0499, 1.09, "between +4.99 % and +9.0 %: the allowed +5 % is"},
		{0, 1.07, "costs +4.0 % against old, at most +7.0 %: more than the allowed +5 %;"},
		{1.01, math.MaxFloat64, "costs +4.0 % against old, at least +1.0 %: less than the allowed +5 %;"},
	} {
		d := c
		d.Ratio.Lo, d.Ratio.Hi = x.lo, x.hi
		if _, reason := Gate(d, 0.05); !strings.Contains(reason, x.want) {
			t.Errorf("%s, want %s", reason, x.want)
		}
	}
	c.Ratio.Level = 0.999999
	if _, reason := Gate(c, 0.1); !strings.Contains(reason, "with 99.99 % confidence") {
		t.Error(reason)
	}
	c.Ratio.Center, c.Ratio.Lo, c.Ratio.Hi = 190, 100, 360
	if _, reason := Gate(c, 0.1); !strings.HasPrefix(reason, "new costs +19000 % against old, with 99.99 % confidence at least +10000 %") {
		t.Error(reason)
	}
}

// An interval that is open on both sides decides nothing, whatever its level says: no bound is printed, and the reason is.
func TestGateDecidesNothingByAnIntervalThatIsOpenOnBothSides(t *testing.T) {
	for _, bounds := range [][2]float64{{math.Inf(-1), math.Inf(1)}, {0, math.MaxFloat64}, {0, math.Inf(1)}, {exp(-1e9), exp(1e9)}} {
		c := Comparison{Base: "old", Other: "new", Ratio: stat.Interval{Center: 0.5, Lo: bounds[0], Hi: bounds[1], Level: 0.99, N: 9, Reason: "too few rounds"}}
		for _, limit := range []float64{0, 0.05, 1e12} {
			if o, reason := Gate(c, limit); o != decide.Undecided || reason != "new against old: 0.5 (no interval: too few rounds)" {
				t.Errorf("%v, limit %v: %v, %q", bounds, limit, o, reason)
			}
		}
	}
}

// What a context ends has the samples so far, at least one, and its cause; with a context that goes on there is no error.
func TestAContextEndsAMeasurement(t *testing.T) {
	cause := errors.New("enough")
	for _, calls := range []int{0, 3, 300} { // before the first call, at the size of a batch, and later
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		n := 0
		f := func() {
			if n++; n > calls {
				cancel(cause)
			}
			time.Sleep(20 * time.Microsecond)
		}
		if calls == 0 {
			cancel(cause)
		}
		start := clock.Now()
		o := Options{MinRepeat: 1 << 20, MinTime: time.Hour, MaxTime: time.Hour, Precision: -1, NoCounters: true}
		r, err := RunContext(ctx, "f", f, o)
		if err != cause || r.Time.N < 1 || r.Time.N > 1<<10 || !(r.Fastest > 0) || r.Slowest < r.Fastest || clock.Since(start) > time.Minute {
			t.Errorf("%d calls: %v, %v", calls, r, err)
		}
		ctx, cancel = context.WithCancelCause(t.Context())
		defer cancel(nil)
		if n = 0; calls == 0 {
			cancel(cause)
		}
		c, err := CompareContext(ctx, f, f, CompareOptions{MinRounds: 1 << 20, MaxTime: time.Hour, WarmUp: time.Hour})
		if err != cause || c.Ratio.N < 1 || c.Ratio.N > 1<<10 || c.Verdict == decide.Same || clock.Since(start) > time.Minute {
			t.Errorf("%d calls: %v, %v", calls, c, err)
		}
	}
	if _, err := RunContext(t.Context(), "f", called(10), quick); err != nil {
		t.Error(err)
	}
}

// The comments of Options and CompareOptions name these defaults.
func TestDefaultsAreThoseOfTheDocuments(t *testing.T) {
	if got, w := (Options{}).filled(); w != nil || got != (Options{MinRepeat: 10, MinTime: 400 * time.Millisecond, MaxRepeat: 1_000_000, MaxTime: 2 * time.Second, Precision: 0.01, Level: 0.95}) {
		t.Errorf("%+v, %q", got, w)
	}
	if got, w := (CompareOptions{}).filled(); w != nil || got != (CompareOptions{MinRounds: 10, MaxTime: 2 * time.Second, WarmUp: 200 * time.Millisecond, Precision: 0.0025, Level: 0.99, Within: 0.005}) {
		t.Errorf("%+v, %q", got, w)
	}
}

func TestOptionsThatMakeNoSenseAreNamed(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		o    Options
		want []string
	}{
		{Options{}, nil},
		{Options{MinRepeat: 2, MinTime: -1, MaxRepeat: 2, MaxTime: 1, Precision: -1, Level: 0.5}, nil},
		{Options{Precision: 0.999, Level: 0.999}, nil},
		{Options{Level: 95}, []string{"Level 95 is invalid (want a fraction between 0 and 1): used 0.95"}},
		{Options{Level: 1, Precision: 1}, []string{"Precision 1", "Level 1"}},
		{Options{Level: nan, Precision: nan}, []string{"Precision NaN", "Level NaN"}},
		{Options{MinRepeat: 1, MaxTime: -time.Second}, []string{"MinRepeat 1 ", "MaxTime -1s is invalid (want more than 0): used 2s"}},
		{Options{MinRepeat: 20, MaxRepeat: 19}, []string{"MaxRepeat 19"}},
		{Options{MinRepeat: 2_000_000}, nil},
	} {
		got, warnings := c.o.filled()
		checkWarnings(t, fmt.Sprintf("%+v", c.o), warnings, c.want)
		if again, more := got.filled(); again != got || more != nil || got.MaxRepeat < got.MinRepeat || got.MinRepeat < 2 || got.MaxTime <= 0 || !(got.Level > 0 && got.Level < 1) {
			t.Errorf("%+v became %+v, then %+v, %q", c.o, got, again, more)
		}
	}
	for _, c := range []struct {
		o    CompareOptions
		want []string
	}{
		{CompareOptions{}, nil},
		{CompareOptions{MinRounds: 6, WarmUp: -1, Precision: -1, Within: -1, Gate: 2, Seed: 1, Level: 0.999}, nil},
		{CompareOptions{Level: 99}, []string{"Level 99 is invalid (want a fraction between 0 and 1): used 0.99"}},
		{CompareOptions{MinRounds: 5, Within: 1, Precision: 5}, []string{"MinRounds 5", "Precision 5", "Within 1"}},
		{CompareOptions{Level: 1}, []string{"Level 1 "}},
		{CompareOptions{Level: 2, MaxTime: 1, Precision: 0.999, Within: 0.999}, []string{"Level 2 "}},
		{CompareOptions{Precision: 1}, []string{"Precision 1 "}},
		{CompareOptions{Gate: -0.05}, []string{"Gate -0.05"}},
		{CompareOptions{Gate: math.Inf(1), Within: math.Inf(1), MaxTime: -1}, []string{"MaxTime", "Within", "Gate"}},
	} {
		got, warnings := c.o.filled()
		checkWarnings(t, fmt.Sprintf("%+v", c.o), warnings, c.want)
		if again, more := got.filled(); again != got || more != nil || got.MinRounds < 6 || got.MaxTime <= 0 || got.Gate < 0 {
			t.Errorf("%+v became %+v, then %+v, %q", c.o, got, again, more)
		}
	}
	if got, _ := (CompareOptions{MaxTime: time.Minute}).filled(); got.WarmUp != 6*time.Second {
		t.Errorf("a warm-up of %v in a minute", got.WarmUp)
	}
}

func checkWarnings(t *testing.T, what string, got, want []string) {
	t.Helper()
	ok := len(got) == len(want)
	for i := range want {
		ok = ok && strings.HasPrefix(got[i], want[i])
	}
	if !ok {
		t.Errorf("%s: warnings %q, want %q", what, got, want)
	}
}

func TestOptionsThatMakeNoSenseAreInTheResults(t *testing.T) {
	o := quick
	o.Level, o.NoCounters = 95, true
	if r := Run("level", called(10), o); len(r.Warnings) == 0 || !strings.HasPrefix(r.Warnings[0], "Level 95") || r.Time.Level != 0.95 {
		t.Errorf("%q, level %v", r.Warnings, r.Time.Level)
	}
	c := Compare(called(10), called(10), CompareOptions{Level: 99, MaxTime: 10 * time.Millisecond})
	if n := strings.Count(strings.Join(c.Ratio.Warnings, "; "), "Level 99"); n != 1 || c.Options.Level != 0.99 {
		t.Errorf("%q, level %v", c.Ratio.Warnings, c.Options.Level)
	}
	if c := NewPairs("a", "b", CompareOptions{Level: 99}).Comparison(); !strings.Contains(strings.Join(c.Ratio.Warnings, "; "), "Level 99") {
		t.Errorf("%q", c.Ratio.Warnings)
	}
}

func TestBatchesOfOneTakeLongestFunctions(t *testing.T) {
	n := 0
	if got := newCaller(func() { n++; time.Sleep(time.Millisecond) }).batch(time.Millisecond); got != 1 || n != 2 {
		t.Errorf("a batch of %d, after %d calls", got, n)
	}
}
