// SPDX-License-Identifier: BSD-3-Clause

package dist

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// agree reports whether two numbers agree to the given number of digits.
func agree(got, want, digits float64) bool {
	return got == want || math.Abs(got-want) <= math.Pow(10, -digits)*math.Abs(want)
}

func TestUpperQuantilesHaveTwelveDigits(t *testing.T) {
	file, err := os.Open("testdata/upper.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, worst := 0, 15.0
	for scan := bufio.NewScanner(file); scan.Scan(); {
		if strings.HasPrefix(scan.Text(), "#") {
			continue
		}
		var x [3]float64
		for i, field := range strings.Fields(scan.Text()) {
			if x[i], err = strconv.ParseFloat(field, 64); err != nil {
				t.Fatal(err)
			}
		}
		rows++
		nu, q, want := x[0], x[1], x[2]
		got := StudentUpper(q, nu)
		if !agree(got, want, 13) {
			t.Errorf("nu %v, q %v: got %v, want %v", nu, q, got, want)
		}
		if got != want {
			worst = min(worst, -math.Log10(math.Abs(got/want-1)))
		}
		if back := StudentTail(want, nu); !agree(back, q, 12) {
			t.Errorf("nu %v: tail of %v is %v, want %v", nu, want, back, q)
		}
	}
	if rows < 300 {
		t.Fatalf("only %d rows", rows)
	}
	t.Logf("%d quantiles, the worst with %.1f digits", rows, worst)
}

// properties reads "key = value \" files and returns the list of numbers under a key.
func properties(t *testing.T, path string) func(key string) []float64 {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lists := map[string][]float64{}
	for _, line := range strings.Split(strings.ReplaceAll(string(text), "\\\n", " "), "\n") {
		key, values, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		key = strings.TrimSpace(key)
		for _, field := range strings.FieldsFunc(values, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }) {
			if x, err := strconv.ParseFloat(field, 64); err == nil {
				lists[key] = append(lists[key], x)
			}
		}
	}
	return func(key string) []float64 { return lists[key] }
}

func TestTailsAgreeWithPublishedTables(t *testing.T) {
	files, _ := filepath.Glob("testdata/student-t/*.properties")
	points := 0
	for _, path := range files {
		list := properties(t, path)
		nu := list("parameters")[0]
		at := list("cdf.points")
		for _, sets := range [][2]string{{"cdf.points", "sf.values"}, {"sf.hp.points", "sf.hp.values"}, {"cdf.hp.points", "cdf.hp.values"},
			{"cdf.points", "cdf.values"}} {
			at, want := list(sets[0]), list(sets[1])
			if len(at) != len(want) {
				continue
			}
			for i, x := range at {
				got := StudentTail(x, nu)
				if strings.HasPrefix(sets[1], "cdf") {
					got = StudentTail(-x, nu)
				}
				points++
				if !agree(got, want[i], 13) {
					t.Errorf("%s: nu %v at %v: got %v, want %v", filepath.Base(path), nu, x, got, want[i])
				}
			}
		}
		if len(at) == 0 {
			t.Errorf("%s: no points", path)
		}
	}
	if len(files) != 6 || points < 100 {
		t.Errorf("%d files, %d points", len(files), points)
	}
}

// For one, two and four degrees of freedom the quantile has a closed form.
func TestFarTailsHaveTwelveDigits(t *testing.T) {
	for exponent := -20.0; exponent >= -300; exponent -= 3.7 {
		q := math.Pow(10, exponent)
		alpha := 4 * q * (1 - q)
		four := 2 * math.Sqrt(math.Cos(math.Acos(math.Sqrt(alpha))/3)/math.Sqrt(alpha)-1)
		for nu, want := range map[float64]float64{1: 1 / math.Tan(math.Pi*q), 2: (1 - 2*q) * math.Sqrt(2/alpha), 4: four} {
			got := StudentUpper(q, nu)
			if !agree(got, want, 12) {
				t.Errorf("nu %v, q %v: got %v, want %v", nu, q, got, want)
			}
			if back := StudentTail(want, nu); !agree(back, q, 12) {
				t.Errorf("nu %v: tail of %v is %v, want %v", nu, want, back, q)
			}
		}
	}
}

func TestTailAndQuantileAreInverse(t *testing.T) {
	for _, nu := range []float64{1, 1.01, 2.5, 31, 1e3, 7.7e4, 1e9, 1e12, math.Inf(1)} {
		for q := 1e-9; q < 1; q += 0.0137 {
			x := StudentUpper(q, nu)
			if back := StudentTail(x, nu); math.Abs(back-q) > 1e-13*min(q, 1-q)+1e-16 {
				t.Errorf("nu %v: tail of quantile %v is %v", nu, q, back)
			}
			if mirror := StudentUpper(1-q, nu); q > 0.01 && q < 0.99 && !agree(-mirror, x, 12) && math.Abs(x) > 1e-9 {
				t.Errorf("nu %v: %v and %v are not mirror images", nu, x, mirror)
			}
		}
	}
}

func TestArgumentsOutsideTheDomainGiveNumbers(t *testing.T) {
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1, 2, 1e-320, 1e300, math.MaxFloat64, math.SmallestNonzeroFloat64}
	for _, a := range odd {
		for _, nu := range odd {
			for name, x := range map[string]float64{"tail": StudentTail(a, nu), "upper": StudentUpper(a, nu), "normal tail": NormalTail(a),
				"normal upper": NormalUpper(a)} {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Errorf("%s of %v, nu %v is %v", name, a, nu, x)
				}
			}
		}
	}
}

func BenchmarkStudentUpper(b *testing.B) {
	for b.Loop() {
		StudentUpper(0.025, 31.4)
	}
}

func TestQuantilesOfUpperHalvesAreMirrored(t *testing.T) {
	if got := NormalUpper(0.975); !agree(got, -1.9599639845400545, 15) {
		t.Errorf("NormalUpper(0.975) = %v", got)
	}
	if got := StudentUpper(0.975, 10); !agree(got, -StudentUpper(0.025, 10), 15) {
		t.Errorf("StudentUpper(0.975, 10) = %v", got)
	}
	for _, nu := range []float64{0.5, 1, 10, math.Inf(1)} {
		if got := StudentUpper(0.5, nu); got != 0 {
			t.Errorf("StudentUpper(0.5, %v) = %v", nu, got)
		}
		if got := StudentUpper(math.NaN(), nu); got != 0 {
			t.Errorf("StudentUpper(NaN, %v) = %v", nu, got)
		}
	}
	if got := NormalUpper(0.5); got != 0 {
		t.Errorf("NormalUpper(0.5) = %v", got)
	}
}

// With few degrees of freedom a large part of the probability lies far from the center.
func TestHalfIntervalsThatReachFar(t *testing.T) {
	for _, nu := range []float64{0.02, 0.03, 0.05, 0.1, 0.3, 1, 2} {
		for _, q := range []float64{0.26, 0.3, 0.4, 0.45} {
			if x := StudentUpper(q, nu); !agree(StudentTail(x, nu), q, 12) {
				t.Errorf("%v degrees of freedom: the tail beyond %v is %v, not %v", nu, x, StudentTail(x, nu), q)
			}
		}
	}
}
