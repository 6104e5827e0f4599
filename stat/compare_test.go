// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// benchmarks reads Go benchmark text: the values of every unit by "name unit". The text may hold two configurations,
// told apart by lines "note: before" and "note: after".
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
			if shown := !strings.Contains(line, "~"); shown != (got.Verdict == "higher" || got.Verdict == "lower") {
				t.Errorf("%s: verdict %q for %q", key, got.Verdict, line)
			}
			rows++
		}
		if rows < c.rows {
			t.Errorf("%s: only %d rows", c.answers, rows)
		}
	}
}

// permutations returns the two-sided p-value by trying every choice of len(a) from all values.
func permutations(a, b []float64) float64 {
	all := slices.Concat(a, b)
	u := func(chosen uint) (twice int) {
		for i := range all {
			for j := range all {
				if chosen>>i&1 == 1 && chosen>>j&1 == 0 {
					switch {
					case all[i] > all[j]:
						twice += 2
					case all[i] == all[j]:
						twice++
					}
				}
			}
		}
		return twice
	}
	at := u(1<<len(a) - 1)
	low, high, total := 0, 0, 0
	for chosen := range uint(1) << len(all) {
		count := 0
		for c := chosen; c > 0; c &= c - 1 {
			count++
		}
		if count != len(a) {
			continue
		}
		total++
		if v := u(chosen); v <= at {
			low++
			if v == at {
				high++
			}
		} else {
			high++
		}
	}
	return min(1, 2*float64(min(low, high))/float64(total))
}

func TestMannWhitneyCountsPermutationsAlsoWithTies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		a, b := make([]float64, 1+r.IntN(6)), make([]float64, 1+r.IntN(6))
		span := 2 + r.IntN(12)
		for i := range a {
			a[i] = float64(r.IntN(span))
		}
		for i := range b {
			b[i] = float64(r.IntN(span))
		}
		want := permutations(a, b)
		slices.Sort(a)
		slices.Sort(b)
		if p, least := mannWhitney(a, b); math.Abs(p-want) > 1e-12 || least > p+1e-12 {
			t.Errorf("%v and %v: p %v, want %v, least %v", a, b, p, want, least)
		}
	}
}

func TestBothWaysToCountWithoutTiesAgree(t *testing.T) {
	const n, m = 9, 7
	byGroups := tiedWays(n, m, slices.Repeat([]int{1}, n+m))
	direct := gaussian(n, m)
	total := 0.0
	for u, w := range direct {
		total += w
		if byGroups[2*u] != w {
			t.Errorf("U=%d: %v and %v", u, byGroups[2*u], w)
		}
	}
	if total != binomial(n+m, n) {
		t.Errorf("%v ways, want %v", total, binomial(n+m, n))
	}
}

func TestHodgesLehmannIsTheMedianOfAllDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 30 {
		a, b := make([]float64, 5+r.IntN(20)), make([]float64, 5+r.IntN(20))
		for i := range a {
			a[i] = r.NormFloat64()
		}
		for i := range b {
			b[i] = r.NormFloat64() + 1
		}
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
		k := rankOfInterval(len(a), len(b), 0.1)
		if iv.Lo != all[k-1] || iv.Hi != all[n-k] {
			t.Errorf("%v to %v, want %v to %v", iv.Lo, iv.Hi, all[k-1], all[n-k])
		}
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
		verdict     string
	}{
		{"slower", steady(10, 10), steady(11, 10), "higher"},
		{"faster", steady(11, 10), steady(10, 10), "lower"},
		{"same", steady(10, 10), steady(10, 10), "no difference shown"},
		{"equal", []float64{5, 5, 5}, []float64{5, 5}, "no difference shown"},
		{"three", steady(10, 3), steady(20, 3), "too few samples"},
		{"one", steady(10, 1), steady(20, 1), "too few samples"},
		{"none", nil, steady(20, 9), "too few samples"},
		{"both none", nil, nil, "too few samples"},
		{"not a number", []float64{1, 2, math.NaN()}, steady(20, 9), "too few samples"},
		{"large", steady(10, 300), steady(10.2, 200), "higher"},
		{"zero", make([]float64, 6), steady(10, 6), "higher"},
		{"negative", steady(-10, 6), steady(-5, 6), "higher"},
	} {
		got := Compare(c.base, c.other, 0)
		if got.Verdict != c.verdict {
			t.Errorf("%s: %q, want %q (p=%v)", c.name, got.Verdict, c.verdict, got.P)
		}
		for name, iv := range map[string]Interval{"difference": got.Difference, "ratio": got.Ratio,
			"mean difference": got.MeanDifference, "mean ratio": got.MeanRatio} {
			sum := iv.Center + iv.Lo/4 + iv.Hi/4 + iv.NEff + got.P + got.WelchP
			if math.IsNaN(sum) || math.IsInf(sum, 0) || iv.Method == "" || iv.Level == 0 && len(iv.Warnings) == 0 {
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
		if Compare(a, b, 0.95).Verdict == "no difference shown" {
			rank++
		}
	}
	for name, count := range map[string]int{"verdict": rank, "difference": shift, "mean ratio": mean} {
		if share := 100 * float64(count) / rounds; share < 94 || share > 96.5 {
			t.Errorf("%s: right in %.1f %% of cases, nominal 95", name, share)
		}
	}
}
