// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/stat"
)

func iv(center, lo, hi float64) stat.Interval {
	return stat.Interval{Center: center, Lo: lo, Hi: hi, Level: 0.95, Method: "mean", N: 100}
}

func TestTheFigureToQuoteIsTheMeanUnlessOthersSpoilIt(t *testing.T) {
	quiet := make([]int64, 40)
	for i := range quiet {
		quiet[i] = int64(300 + i%3)
	}
	cpu := func(x float64) stat.Interval { return iv(x, 0.99*x, 1.01*x) }
	for _, c := range []struct {
		what             string
		mean             stat.Interval
		median, fastest  float64
		cpu              stat.Interval
		alone            []int64
		want             float64
		method, warnings string
	}{
		{"undisturbed", iv(2.7, 2.6, 2.8), 2.6, 2.5, cpu(2.65), nil, 2.7, "mean", ""},
		{"loaded", iv(55.9, 20, 120), 2.6, 2.5, cpu(2.65), nil, 2.6, "median of the samples", ""},
		{"loaded, with quiet samples", iv(55.9, 20, 120), 4, 2.5, cpu(2.65), quiet, 2.91, "median of the samples during which nothing else used the core", ""},
		{"a shared core", iv(4, 3.9, 4.1), 4, 2.5, cpu(2.95), quiet, 2.91, "median of the samples during which nothing else used the core", ""},
		{"some calls are dear", iv(3.4, 3.3, 3.5), 2.6, 2.5, cpu(3.4), nil, 3.4, "mean", ""},
		{"loaded, and some calls are dear", iv(55.9, 20, 120), 2.91, 2.5, cpu(4), quiet, 4, "mean", "the cost depends on the number of calls: 2.91 ns in batches of 100, 4 ns of processor time"},
		{"loaded, some calls are dear, and no samples are quiet", iv(55.9, 20, 120), 2.91, 2.5, cpu(4), nil, 4, "mean", "the cost depends on the number of calls: 2.91 ns in batches of 100, 4 ns of processor time"},
		{"dear in long stretches alone", iv(3, 2.9, 3.1), 2.95, 2.5, cpu(4), nil, 3, "mean", "the cost depends on the number of calls"},
		{"dear in long stretches alone, and few samples", stat.Point(3, 2, "mean", "few"), 2.95, 2.5, cpu(4), nil, 3, "mean", ""},
		{"a function that waits", iv(2900, 2800, 3000), 2500, 2400, cpu(50), nil, 2900, "mean", ""},
		{"loaded, without processor time", iv(55.9, 20, 120), 2.6, 2.5, stat.Unknown("none"), nil, 2.6, "median of the samples", ""},
	} {
		r := Result{Options: Options{Level: 0.95}, Batch: 100, Time: c.mean, Median: c.median, Fastest: c.fastest, Loop: iv(0.1, 0.09, 0.11), Long: Stretches{CPU: c.cpu}}
		r.lead(c.alone, 10)
		if text := strings.Join(r.Warnings, "; "); r.Cost.Center != c.want || r.Cost.Method != c.method || (text == "") != (c.warnings == "") || !strings.Contains(text, c.warnings) {
			t.Errorf("%s: %v by %s, %q", c.what, r.Cost, r.Cost.Method, text)
		}
		if spoiled := strings.HasPrefix(c.what, "loaded") || c.what == "a shared core"; (r.Spoiled != "") != spoiled || spoiled && !strings.Contains(r.String(), r.Spoiled) {
			t.Errorf("%s: %q in %q", c.what, r.Spoiled, r)
		}
	}
}

func TestAResultShowsBothCostsAndWhatTheySaw(t *testing.T) {
	r := Result{Name: "parse", Batch: 1200, Time: iv(83.4, 83.1, 83.7), Median: 83.1, Fastest: 82.5, Loop: stat.Point(1.3, 5, "", ""),
		Long: Stretches{Time: iv(90, 88, 92), CPU: iv(83.9, 83.4, 84.4), N: 20, Calls: 4_123_000, Collections: 7}}
	r.Time.N = 1240
	if got, want := r.String(), "parse: mean 83.40 ± 0.30 ns, median 83.1 ns, fastest 82.5 ns, 83.9 ± 0.5 ns of processor time in long stretches (4.123 M calls, 7 collections), 0 allocations (1240 samples of 1200 calls, less 1.3 ns of loop)"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	r.Long.CPU = stat.Unknown("none")
	if got := r.String(); !strings.Contains(got, ", 90.0 ± 2.0 ns in long stretches (") && !strings.Contains(got, ", 90 ± 2 ns in long stretches (") {
		t.Error(got)
	}
}

func TestRunMakesLongStretchesAsWell(t *testing.T) {
	r := Run("short", called(10), quick)
	if s := r.Long; s.N < fewestStretches || s.Calls < uint64(s.N) || !s.Time.Bounded() || !s.CPU.Bounded() && s.CPU.Reason == "" || r.Cost.Center <= 0 {
		t.Errorf("%+v", r)
	}
	// The samples of a function that is slow are long stretches.
	n := 0
	r = Run("long", func() { n++; time.Sleep(time.Millisecond) }, Options{MinRepeat: 10, MinTime: -1, MaxTime: time.Millisecond, NoCounters: true})
	if s := r.Long; s.N != 10 || s.Calls != 10 || s.Time.Center < 1e6 || s.CPU.Known() && s.CPU.Center <= 0 || n > 40 {
		t.Errorf("%d calls, %+v", n, s)
	}
}

func TestWhatHappensOnceInManyCallsIsInTheCost(t *testing.T) {
	n := 0
	r := Run("compacts", func() {
		evenCall()
		if n++; n%4096 == 0 {
			Keep(xorshift(turnsOfACall * 4096 * 60 / 100))
		}
	}, Options{MinTime: time.Millisecond, MaxTime: 200 * time.Millisecond})
	if r.Cost.Center < 1.3*r.Fastest {
		t.Errorf("%v", r)
	}
}
