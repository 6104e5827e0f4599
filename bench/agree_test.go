// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

func ratio(center, half float64, method string) stat.Interval {
	return stat.Interval{Center: center, Lo: center - half, Hi: center + half, Level: 0.99, Method: "ratio of means of " + method, N: 20}
}

func TestAGateNeedsTheLongStretchesToo(t *testing.T) {
	quiet := stat.Point(0, 1, "", "")
	for _, c := range []struct {
		what                 string
		short, long, elapsed stat.Interval
		beside, collector    float64
		live                 uint64
		want                 decide.Outcome
		reason               string
	}{
		{"all agree", ratio(1, 0.01, ""), ratio(1.01, 0.03, byCPU), ratio(1.1, 0.4, byElapsed), 0, 0, 0, decide.Passed, ""},
		{"dear in the long run", ratio(1, 0.01, ""), ratio(1.3, 0.1, byCPU), ratio(1.2, 0.4, byElapsed), 0, 0, 0, decide.Failed, "new costs +30 % against old, with 99.5 % confidence at least +20 %: more than the allowed +5 %, by processor time in long stretches of calls; in short ones the ratio is 1.000 ± 0.010: the cost depends on the number of calls"},
		{"dear in the long run, by elapsed time", ratio(1, 0.01, ""), ratio(1.3, 0.1, byElapsed), ratio(1.3, 0.1, byElapsed), 0, 0, 0, decide.Failed, "by elapsed time in long stretches"},
		{"dear for the processor alone", ratio(1, 0.01, ""), ratio(1.3, 0.1, byCPU), ratio(1, 0.01, byElapsed), 0, 0, 0, decide.Undecided, "but in long stretches of calls it costs +30 ± 10 % by processor time"},
		{"takes longer without a processor", ratio(1, 0.01, ""), ratio(1, 0.02, byCPU), ratio(1.3, 0.1, byElapsed), 0, 0, 0, decide.Undecided, "but long stretches of calls take +30 ± 10 % longer"},
		{"perhaps dear", ratio(1, 0.01, ""), ratio(1.06, 0.09, byCPU), ratio(1.1, 0.4, byElapsed), 0, 0, 0, decide.Undecided, "but in long stretches of calls it costs +6 ± 9 %"},
		{"not known well", ratio(1, 0.01, ""), ratio(1.01, 0.11, byCPU), ratio(1.1, 0.4, byElapsed), 0, 0, 0, decide.Undecided, "known only as +1 ± 11 %, which more time would improve"},
		{"not known", ratio(1, 0.01, ""), stat.Unknown("no time"), stat.Unknown("no time"), 0, 0, 0, decide.Undecided, "not known: no time"},
		{"somebody works", ratio(1, 0.01, ""), ratio(1.01, 0.03, byCPU), ratio(1.1, 0.4, byElapsed), 0.27, 0, 0, decide.Undecided, "used 27 % as much processor time as during the calls"},
		{"somebody works a little", ratio(1, 0.01, ""), ratio(1.01, 0.03, byCPU), ratio(1.1, 0.4, byElapsed), 0.024, 0, 0, decide.Passed, ""},
		{"a heap to mark", ratio(1, 0.01, ""), ratio(1.01, 0.03, byCPU), ratio(1.1, 0.4, byElapsed), 0, 0.3, 100 << 20, decide.Undecided, "took 30 % of the processor time for a heap of 100 MB"},
		{"a small heap", ratio(1, 0.01, ""), ratio(1.01, 0.03, byCPU), ratio(1.1, 0.4, byElapsed), 0, 0.3, 4 << 20, decide.Passed, ""},
		{"a heap that is hardly marked", ratio(1, 0.01, ""), ratio(1.01, 0.03, byCPU), ratio(1.1, 0.4, byElapsed), 0, 0.02, 100 << 20, decide.Passed, ""},
		{"dear at first alone", ratio(1.3, 0.01, ""), ratio(1, 0.03, byCPU), ratio(1, 0.04, byElapsed), 0, 0, 0, decide.Undecided, "more than the allowed +5 %; but in long stretches of calls new costs 0 % against old"},
		{"dear, and long ones say little", ratio(1.3, 0.01, ""), ratio(1, 0.03, byCPU), ratio(1, 0.4, byElapsed), 0, 0, 0, decide.Failed, ""},
		{"undecided, and dear in the long run", ratio(1.04, 0.03, ""), ratio(1.3, 0.1, byCPU), ratio(1.2, 0.4, byElapsed), 0, 0, 0, decide.Failed, "long stretches"},
		{"undecided", ratio(1.04, 0.03, ""), ratio(1.04, 0.1, byCPU), ratio(1.2, 0.4, byElapsed), 0, 0, 0, decide.Undecided, "the allowed +5 % is between them"},
	} {
		x := Comparison{Base: "old", Other: "new", Ratio: c.short, Long: &Long{Ratio: c.long, Elapsed: c.elapsed, Live: c.live, Beside: quiet, Collector: quiet}}
		x.Long.Beside.Center, x.Long.Collector.Center = c.beside, c.collector
		if o, reason := Gate(x, 0.05); o != c.want || !strings.Contains(reason, c.reason) {
			t.Errorf("%s: %s, %s\nwant %s, %s", c.what, o, reason, c.want, c.reason)
		}
	}
}

func TestVerdictsAreAboutTheLongStretchesWhereTheyContradict(t *testing.T) {
	quiet := stat.Point(0, 1, "", "")
	for _, c := range []struct {
		what                 string
		short, long, elapsed stat.Interval
		beside               float64
		want                 decide.Verdict
		depends              bool
	}{
		{"agree", ratio(1, 0.004, ""), ratio(1.01, 0.03, byCPU), ratio(1.1, 0.4, byElapsed), 0, decide.Same, false},
		{"nearly agree", ratio(1, 0.004, ""), ratio(1.02, 0.01, byCPU), ratio(1.1, 0.4, byElapsed), 0, decide.Same, false},
		{"dear in the long run", ratio(1, 0.004, ""), ratio(1.3, 0.1, byCPU), ratio(1.2, 0.4, byElapsed), 0, decide.Slower, true},
		{"cheap in the long run", ratio(1, 0.004, ""), ratio(0.7, 0.1, byCPU), ratio(0.8, 0.4, byElapsed), 0, decide.Faster, true},
		{"faster, not in the long run", ratio(0.8, 0.01, ""), ratio(1.3, 0.1, byCPU), ratio(1.2, 0.4, byElapsed), 0, decide.Slower, true},
		{"dear for the processor alone", ratio(1, 0.004, ""), ratio(1.3, 0.1, byCPU), ratio(1, 0.01, byElapsed), 0, decide.Inconclusive, false},
		{"somebody works", ratio(1, 0.004, ""), ratio(1.01, 0.03, byCPU), ratio(1.1, 0.4, byElapsed), 0.5, decide.Inconclusive, false},
		{"slower", ratio(1.1, 0.004, ""), ratio(1.1, 0.03, byCPU), ratio(1.1, 0.4, byElapsed), 0.5, decide.Slower, false},
	} {
		x := Comparison{Base: "old", Other: "new", Within: 0.005, Ratio: c.short, Verdict: judge(c.short, 0.005), Long: &Long{Ratio: c.long, Elapsed: c.elapsed, Beside: quiet, Collector: quiet}}
		x.Long.Beside.Center = c.beside
		if got := x.weigh(); got != c.want || x.depends() != c.depends || strings.Contains(x.String(), "depends on the number of calls") != c.depends {
			t.Errorf("%s: %s, depends %v: %v", c.what, got, x.depends(), x)
		}
	}
}

func TestTheRatioOfMeansCovers(t *testing.T) {
	n := 1000
	for name, draw := range map[string]func(*rand.Rand) float64{
		"normal": func(r *rand.Rand) float64 { return 1 + 0.1*r.NormFloat64() },
		"rare": func(r *rand.Rand) float64 { // a collection in every third
			if r.IntN(3) == 0 {
				return 1.6 + 0.1*r.NormFloat64()
			}
			return 0.8 + 0.1*r.NormFloat64()
		},
	} {
		missed := 0
		for seed := range uint64(n) {
			r := rand.New(rand.NewPCG(seed, 5))
			var a, b []float64
			for range 20 {
				a, b = append(a, draw(r)), append(b, 1.25*draw(r))
			}
			if x := ratioOfMeans(a, b, 0.95, byCPU); x.Lo > 1.25 || x.Hi < 1.25 || !x.Bounded() {
				missed++
			}
		}
		if limit := 0.07*float64(n) + 3*math.Sqrt(0.07*0.93*float64(n)); float64(missed) > limit || missed < 20 {
			t.Errorf("%s: %d of %d intervals of 95 %% miss the ratio", name, missed, n)
		}
	}
	few := []float64{1, 1, 1, 1, 1, 1, 1}
	for _, x := range []stat.Interval{ratioOfMeans(nil, nil, 0.95, byCPU), ratioOfMeans([]float64{0, 0}, []float64{1, 1}, 0.95, byCPU), ratioOfMeans(few, few, 0.95, byCPU)} {
		if x.Bounded() || x.Reason == "" {
			t.Errorf("%+v", x)
		}
	}
}

func TestAFunctionThatWaitsIsComparedByElapsedTime(t *testing.T) {
	for _, used := range []float64{1, 0.71, 0.69, 0.1} {
		c := newContest(nil, compareDefaults, 100, 10)
		c.fastest = [2]int64{10_010, 10_010} // 100 ns a call
		for i := range c.long {
			for range fewestStretches {
				c.long[i].add(stretch{calls: 1000, wall: 100 * time.Microsecond, cpu: time.Duration(used * 1e5), known: true}, 0)
			}
		}
		l := new(Long)
		l.ratios(&c.long, 0.99, c.waits())
		if want := map[bool]string{true: "elapsed time", false: "processor time"}[used < 0.7]; costName(l.Ratio) != want {
			t.Errorf("%v of the time: %s", used, costName(l.Ratio))
		}
		c.long[1].known = false
		if l.ratios(&c.long, 0.99, false); costName(l.Ratio) != "elapsed time" {
			t.Errorf("without processor time: %s", costName(l.Ratio))
		}
	}
}

func TestTheNextCollectionIsForeseen(t *testing.T) {
	before := memory{allocated: 100, live: 40, goal: 80}
	for want, now := range map[time.Duration]memory{
		4 * time.Second: {allocated: 110, live: 40, goal: 80}, // 10 in a second, 40 to go
		0:               {allocated: 100, live: 40, goal: 80},
		time.Hour:       {allocated: 101, live: 0, goal: 1 << 60},
	} {
		if got := now.period(before, time.Second); got != want {
			t.Errorf("%+v: %v, want %v", now, got, want)
		}
	}
	if got := (memory{allocated: 200, live: 80, goal: 80}).period(before, time.Second); got != 0 {
		t.Errorf("at the goal: %v", got)
	}
	was := readMemory()
	escaped = make([]byte, 1<<20)
	if now := readMemory(); now.allocated < was.allocated+1<<20 || now.goal == 0 {
		t.Errorf("%+v after %+v", now, was)
	}
}

func TestStretchesEndWhenTheyTakeTooLong(t *testing.T) {
	n := 0
	s := newCaller(func() { n++; time.Sleep(time.Millisecond) }).longAt(3, 640, 5*time.Millisecond)
	if s.calls != n || n < 10 || s.calls >= 640 || s.wall < time.Duration(n)*time.Millisecond {
		t.Errorf("%d calls: %+v", n, s)
	}
	n = 0
	if s = newCaller(func() { n++ }).longAt(0, 1000, time.Hour); n != 1000 || s.calls != 1000 || s.wall <= 0 {
		t.Errorf("%d calls: %+v", n, s)
	}
	if used, known := processTime(); known && used <= 0 {
		t.Errorf("%v of processor time", used)
	}
}

func TestACheapFunctionIsMeasuredBesideTheLoop(t *testing.T) {
	r := Result{Batch: 10, Median: 99, Fastest: 98}
	r.beside([]int64{30, 20, 40, 25, 1000}, 15)
	if r.Median != 3 || r.Fastest != 1.5 {
		t.Errorf("median %v, fastest %v", r.Median, r.Fastest)
	}
	r.beside([]int64{-5, -3, 2, -1, -2}, 4)
	if r.Median != 0 || r.Fastest != 0 {
		t.Errorf("median %v, fastest %v", r.Median, r.Fastest)
	}
}
