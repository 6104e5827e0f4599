// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/series"
	"github.com/strobe-go/strobe/stat/decide"
)

// benchmarks reads Go benchmark text: the values of every unit by "name unit". The text may hold two configurations, separated by
// lines "note: before" and "note: after".
func benchmarks(t *testing.T, path string) map[string][]float64 {
	t.Helper()
	text, err := os.ReadFile("testdata/benchfmt/" + path)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]float64{}
	note := ""
	for _, line := range strings.Split(string(text), "\n") {
		if side, ok := strings.CutPrefix(line, "note: "); ok && (side == "before" || side == "after") {
			note = " " + side
		}
		name, ok := strings.CutPrefix(line, "Benchmark")
		fields := strings.Fields(name)
		if !ok || len(fields) < 4 {
			continue
		}
		for i := 2; i+1 < len(fields); i += 2 {
			x, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			key := fields[0] + " " + fields[i+1] + note
			values[key] = append(values[key], x)
		}
	}
	return values
}

func TestMannWhitneyIsThatOfBenchstat(t *testing.T) {
	units := map[string]string{"sec/op": "ns/op", "B/s": "MB/s"}
	answer := regexp.MustCompile(`^(\S+) .*\(p=([0-9.]+) n=`)
	heldBack := 0
	for _, c := range []struct {
		old, new, answers string
		rows              int
	}{
		{"old.txt", "new.txt", "oldNew.stdout", 2},
		{"crc-old.txt", "crc-new.txt", "crcIgnore.stdout", 60},
		{"issue19634.txt", "issue19634.txt", "issue19634.stdout", 1},
		{"issue19565.txt", "issue19565.txt", "issue19565.stdout", 1},
		{"smallSample.txt", "smallSample.txt", "smallSample.stdout", 1},
	} {
		old, new := benchmarks(t, c.old), benchmarks(t, c.new)
		text, err := os.ReadFile("testdata/benchfmt/" + c.answers)
		if err != nil {
			t.Fatal(err)
		}
		unit, rows := "", 0
		for _, line := range strings.Split(string(text), "\n") {
			for printed, raw := range units {
				if strings.Contains(line, " "+printed+" ") {
					unit = raw
				}
			}
			row := answer.FindStringSubmatch(line)
			if row == nil {
				continue
			}
			key := row[1] + " " + unit
			a, b := old[key], new[key]
			if c.old == c.new {
				a, b = old[key+" before"], new[key+" after"]
			}
			if len(a) == 0 || len(b) == 0 {
				t.Fatalf("%s: no values for %q", c.answers, key)
			}
			got := Compare(a, b, 0.95)
			if p := fmt.Sprintf("%.3f", got.P); p != row[2] {
				t.Errorf("%s: p=%s (%v), want %s", key, p, got.P, row[2])
			}
			if got.Finding == NoDifference && len(got.Warnings) == 2 && strings.Contains(got.Warnings[1], "with the correlation allowed for") {
				heldBack++ // benchstat ignores the order of the values
			} else if shown := !strings.Contains(line, "~"); shown != (got.Finding == Higher || got.Finding == Lower) {
				t.Errorf("%s: finding %q for %q", key, got.Finding, line)
			}
			rows++
		}
		if rows < c.rows {
			t.Errorf("%s: only %d rows", c.answers, rows)
		}
	}
	if heldBack != 2 { // a benchmark in ns/op and in B/s
		t.Errorf("%d rows are called correlated", heldBack)
	}
}

func TestHodgesLehmannIsTheMedianOfAllDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	wider := 0
	for range 30 {
		a, b := make([]float64, 5+r.IntN(20)), make([]float64, 5+r.IntN(20))
		for i := range a {
			a[i] = r.NormFloat64()
		}
		for i := range b {
			b[i] = r.NormFloat64() + 1
		}
		order := orderOf(a, b)
		var all []float64
		for _, x := range a {
			for _, y := range b {
				all = append(all, y-x)
			}
		}
		slices.Sort(all)
		iv := Compare(a, b, 0.9).Difference
		n := len(all)
		if want := (all[(n-1)/2] + all[n/2]) / 2; math.Abs(iv.Center-want) > 1e-12 {
			t.Errorf("center %v, want %v", iv.Center, want)
		}
		slices.Sort(a)
		slices.Sort(b)
		cut, _ := decide.Cut(len(a), len(b), 0.05)
		k := min(cut+1, rankForSpreads(a, b, iv.Center, 0.1))
		if order.Inflation > 1 {
			wider++
			if iv.Lo > all[k-1] || iv.Hi < all[n-k] {
				t.Errorf("%v to %v of correlated values, narrower than %v to %v", iv.Lo, iv.Hi, all[k-1], all[n-k])
			}
		} else if iv.Lo != all[k-1] || iv.Hi != all[n-k] {
			t.Errorf("%v to %v, want %v to %v", iv.Lo, iv.Hi, all[k-1], all[n-k])
		}
	}
	if wider < 1 || wider > 4 {
		t.Errorf("%d of 30 pairs are taken for correlated", wider)
	}
}

func TestWelchAgreesWithR(t *testing.T) {
	// R's "sleep" data: t.test(extra ~ group, data = sleep) prints
	// t = -1.8608, df = 17.776, p-value = 0.07939, 95 percent interval -3.3654832 0.2054832.
	first := []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	second := []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	c := Compare(second, first, 0.95)
	if got := fmt.Sprintf("%.5f %.7f %.7f", c.WelchP, c.MeanDifference.Lo, c.MeanDifference.Hi); got != "0.07939 -3.3654832 0.2054832" {
		t.Errorf("got %s", got)
	}
}

func TestEveryOutcomeIsAResult(t *testing.T) {
	steady := func(around float64, n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = around + float64(i%5)/10 + float64(i)/1e4
		}
		return x
	}
	for _, c := range []struct {
		name        string
		base, other []float64
		verdict     Finding
	}{
		{"slower", steady(10, 10), steady(11, 10), Higher},
		{"faster", steady(11, 10), steady(10, 10), Lower},
		{"same", steady(10, 10), steady(10, 10), NoDifference},
		{"equal", []float64{5, 5, 5}, []float64{5, 5}, NoDifference},
		{"three", steady(10, 3), steady(20, 3), TooFew},
		{"one", steady(10, 1), steady(20, 1), TooFew},
		{"none", nil, steady(20, 9), TooFew},
		{"both none", nil, nil, TooFew},
		{"not a number", []float64{1, 2, math.NaN()}, steady(20, 9), TooFew},
		{"large", steady(10, 300), steady(10.2, 200), Higher},
		{"zero", make([]float64, 6), steady(10, 6), Higher},
		{"negative", steady(-10, 6), steady(-5, 6), Higher},
	} {
		got := Compare(c.base, c.other, 0)
		if got.Finding != c.verdict {
			t.Errorf("%s: %q, want %q (p=%v)", c.name, got.Finding, c.verdict, got.P)
		}
		for name, iv := range map[string]Interval{"difference": got.Difference, "ratio": got.Ratio,
			"mean difference": got.MeanDifference, "mean ratio": got.MeanRatio} {
			sum := iv.Center + iv.NEff + got.P + got.WelchP
			if math.IsNaN(sum+iv.Half()) || math.IsInf(sum, 0) || iv.Method == "" || iv.Bounded() != (iv.Reason == "") {
				t.Errorf("%s: %s is %+v", c.name, name, iv)
			}
			if iv.Level != 0 && (iv.Lo > iv.Center || iv.Center > iv.Hi) {
				t.Errorf("%s: %s has its center outside: %+v", c.name, name, iv)
			}
		}
	}
}

func TestComparisonDoesNotSeeWhatIsNotThere(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	const rounds = 3000
	rank, mean, shift := 0, 0, 0
	for range rounds {
		a, b := make([]float64, 12), make([]float64, 9)
		for i := range a {
			a[i] = 10 + r.NormFloat64()
		}
		for i := range b {
			b[i] = 11 + r.NormFloat64()
		}
		c := Compare(a, b, 0.95)
		if c.Difference.Lo <= 1 && 1 <= c.Difference.Hi {
			shift++
		}
		if c.MeanRatio.Lo <= 1.1 && 1.1 <= c.MeanRatio.Hi {
			mean++
		}
		for i := range b {
			b[i]--
		}
		if Compare(a, b, 0.95).Finding == NoDifference {
			rank++
		}
	}
	for name, count := range map[string]int{"verdict": rank, "difference": shift, "mean ratio": mean} {
		if share := 100 * float64(count) / rounds; share < 94 || share > 96.5 {
			t.Errorf("%s: right in %.1f %% of cases, nominal 95", name, share)
		}
	}
}

func TestDirectionIsThatOfMostPairs(t *testing.T) {
	base := append(make([]float64, 24), 1000) // a higher mean, but lower than other in most pairs that differ
	other := slices.Repeat([]float64{0, 1, 0, 1, 0}, 5)
	if c := Compare(base, other, 0.95); c.Finding != Higher || c.MeanDifference.Center > 0 || c.Difference.Center != 0 {
		t.Errorf("%s, means differ by %v, p %v", c.Finding, c.MeanDifference.Center, c.P)
	}
	if c := Compare(other, base, 0.95); c.Finding != Lower {
		t.Errorf("the other way round: %s", c.Finding)
	}
}

func TestComparisonOfAnyFiniteValuesIsFiniteAndIndependentOfTheUnit(t *testing.T) {
	a, b := []float64{1, 1.1, 1.2, 1.3, 1.05, 1.15}, []float64{1.6, 1.7, 1.65, 1.5, 1.55, 1.75}
	want := Compare(a, b, 0.95)
	for _, e := range []int{1023, 900, 600, -600, -900, -1000} {
		x, y := slices.Clone(a), slices.Clone(b)
		scale(x, e)
		scale(y, e)
		got := Compare(x, y, 0.95)
		for _, pair := range [][2]float64{{got.P, want.P}, {got.WelchP, want.WelchP}, {got.MeanRatio.Lo, want.MeanRatio.Lo},
			{got.Ratio.Hi, want.Ratio.Hi}, {math.Ldexp(got.MeanDifference.Hi, -e), want.MeanDifference.Hi},
			{math.Ldexp(got.Difference.Lo, -e), want.Difference.Lo}} {
			if math.Abs(pair[0]-pair[1]) > 1e-12*math.Abs(pair[1]) {
				t.Errorf("times 2^%d: %v, want %v", e, pair[0], pair[1])
			}
		}
	}
	tiny, huge := []float64{1e-6, 1.2e-6, 1.1e-6, 1.3e-6, 1.15e-6, 1.25e-6}, []float64{1e308, 1.2e308, 1.1e308, 1.3e308, 1.15e308, 1.25e308}
	if c := Compare(tiny, huge, 0.95); c.Ratio.Center != math.MaxFloat64 || c.Ratio.Hi != math.MaxFloat64 || c.Ratio.Lo != math.MaxFloat64 {
		t.Errorf("a ratio too large for a float64: %+v", c.Ratio)
	}
	if c := Compare([]float64{1e-3, 1e-3, 1e-3}, []float64{1e305, 1e305, 1e305}, 0.5); math.Abs(c.Ratio.Center/1e308-1) > 1e-9 {
		t.Errorf("a ratio of almost the largest float64: %+v", c.Ratio)
	}
	signs := []float64{math.MaxFloat64, -math.MaxFloat64, 1e308, -1e308, math.MaxFloat64, 5e-324, 0}
	for _, c := range []Comparison{Compare(signs, a, 0.95), Compare(a, signs, 0.95), Compare(signs, signs, 0.95),
		Compare(tiny, huge, 0.95), Compare(huge, tiny, 0.95),
		Compare([]float64{5e-324, 5e-324, 1e-323, 2e-323}, []float64{1e308, 1.1e308, 1.2e308, 1.3e308}, 0.95)} {
		text, err := json.Marshal(c) // json.Marshal rejects NaN and infinities
		if err != nil {
			t.Errorf("%v: %s", err, text)
		}
		if d := c.Difference; d.Lo > d.Center || d.Center > d.Hi {
			t.Errorf("%+v", d)
		}
	}
}

// normals returns n normal values around center.
func normals(r *rand.Rand, n int, center, sd float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = center + sd*r.NormFloat64()
	}
	return x
}

func TestUnequalSpreadsAreNotADifference(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	const rounds = 1000
	for _, c := range []struct {
		n, m   int
		sa, sb float64
	}{{10, 40, 5, 1}, {40, 10, 1, 5}, {10, 20, 3, 1}, {10, 10, 5, 1}} {
		shown, covered, warned := 0, 0, 0
		for range rounds {
			got := Compare(normals(r, c.n, 10, c.sa), normals(r, c.m, 10, c.sb), 0.95)
			if got.Finding != NoDifference {
				shown++
			} else if got.P < 0.05 && len(got.Warnings) == 1 && strings.Contains(got.Warnings[0], "spreads differ") {
				warned++
			}
			if got.Difference.Lo <= 0 && 0 <= got.Difference.Hi {
				covered++
			}
		}
		if shown > rounds*7/100 || covered < rounds*92/100 {
			t.Errorf("%+v: a difference shown in %d, covered in %d of %d", c, shown, covered, rounds)
		}
		if c.n != c.m && warned < rounds/50 {
			t.Errorf("%+v: only %d times said that spreads differ", c, warned)
		}
	}
}

// If a few values have a large spread and many a small one, at most 5 of 100 pairs show a false difference, and a difference that
// Welch's test detects is shown.
func TestFewValuesOfALargeSpreadSeldomDiffer(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 15))
	const rounds = 4000
	for _, c := range []struct {
		n, m   int
		sa, sb float64
	}{{5, 20, 5, 1}, {5, 20, 50, 1}, {6, 20, 5, 1}, {8, 30, 10, 1}, {30, 8, 1, 10}, {9, 18, 3, 1}} {
		shown, seen, power, held := 0, 0, 0, 0
		for range rounds {
			if v := Compare(normals(r, c.n, 10, c.sa), normals(r, c.m, 10, c.sb), 0.95).Finding; v == Higher || v == Lower {
				shown++
			}
			got := Compare(normals(r, c.n, 10, c.sa), normals(r, c.m, 10+1.5*max(c.sa, c.sb), c.sb), 0.95)
			if got.WelchP < 0.05 && got.P < 0.05 && got.BrunnerMunzelP < 0.05 {
				seen++
				if got.Finding == Higher {
					power++
				}
			} else if got.P < 0.05 && slices.ContainsFunc(got.Warnings, func(w string) bool { return strings.Contains(w, "by far the larger spread") }) {
				held++
			}
		}
		t.Logf("%+v: a difference shown in %d of %d; of a real one in %d of %d that Welch's test sees, and %d held back", c, shown, rounds, power, seen, held)
		if shown > rounds*57/1000 || power < seen*9/10 || seen < rounds/4 {
			t.Errorf("%+v: a difference shown in %d of %d; of a real one in %d of %d that Welch's test sees", c, shown, rounds, power, seen)
		}
	}
}

// An outlier on the small side makes its spread so large that Welch's test detects nothing. Samples that do not overlap still
// differ, unless the small side has so few values that this happens by chance.
func TestASmallSideWithAnOutlierStillDiffers(t *testing.T) {
	base := []float64{10.5, 10.1, 10.8, 10.3, 10.9, 10, 10.6, 10.2, 10.7, 10.4, 10.45, 10.35}
	six := []float64{12, 90, 11.9, 12.1, 11.8, 12.2}
	if c := Compare(base, six, 0.95); c.Finding != Higher || c.WelchP < 0.05 {
		t.Errorf("six values: %s, Welch p %v", c.Finding, c.WelchP)
	}
	c := Compare(base, six[:5], 0.95)
	if c.Finding != NoDifference || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "take as many values of each side") {
		t.Errorf("five values: %s, %q", c.Finding, c.Warnings)
	}
}

// R: brunnermunzel.test(x, y) of the package of that name on its own example (Hollander and Wolfe, pain scores) gives
// statistic 3.1375, df 17.683, p 0.005786.
func TestBrunnerMunzelAgreesWithR(t *testing.T) {
	x := []float64{1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 1, 1}
	y := []float64{3, 3, 4, 3, 1, 2, 3, 1, 1, 5, 4}
	slices.Sort(x)
	slices.Sort(y)
	p := placementsOf(x, y)
	w := (p.u - float64(len(x)*len(y))/2) / p.sd
	if got := fmt.Sprintf("%.4f %.3f %.6f", w, p.free, brunnerMunzel(x, y)); got != "3.1375 17.683 0.005786" {
		t.Errorf("got %s", got)
	}
	if p := brunnerMunzel([]float64{1, 2}, []float64{3, 4}); p != 0 {
		t.Errorf("samples that do not overlap: %v", p)
	}
	for _, c := range [][2][]float64{{{1, 2}, {1, 2}}, {{1}, {2, 3}}, {{2, 3}, {1}}, {{5, 5}, {5, 5}}} {
		if p := brunnerMunzel(c[0], c[1]); p != 1 {
			t.Errorf("%v: %v", c, p)
		}
	}
}

func TestComparisonThatCannotBeMadeSaysSo(t *testing.T) {
	c := Compare([]float64{1, 2, 3}, nil, 0.95)
	for _, iv := range []Interval{c.Difference, c.Ratio, c.MeanDifference, c.MeanRatio} {
		if iv.Known() || iv.Reason == "" || iv.Method == "" || c.P != 1 || c.BrunnerMunzelP != 1 || c.WelchP != 1 || c.Finding != TooFew {
			t.Errorf("%+v", c)
		}
	}
	if c := Compare([]float64{1, 2, 3}, []float64{4, 5, 6}, 1.5); c.Finding != TooFew || !strings.Contains(c.Warnings[0], "level 1.5") {
		t.Errorf("%+v", c)
	}
}

func TestMeanRatioIsThatOfFieller(t *testing.T) {
	a, b := []float64{10, 11, 9, 10.5, 9.5}, []float64{20, 23, 19, 21}
	c := Compare(a, b, 0.95)
	da, db := series.Describe(a), series.Describe(b)
	va, vb := da.Variance/5, db.Variance/4
	// The bounds are the ratios r for which the t test of b - r·a, with Welch's degrees of freedom, is just significant.
	quantile := c.MeanDifference.Half() / math.Sqrt(va+vb)
	for _, r := range []float64{c.MeanRatio.Lo, c.MeanRatio.Hi} {
		if t1 := math.Abs(db.Mean-r*da.Mean) / math.Sqrt(vb+r*r*va); math.Abs(t1-quantile) > 1e-9 {
			t.Errorf("ratio %v has t %v, want %v", r, t1, quantile)
		}
	}
}
