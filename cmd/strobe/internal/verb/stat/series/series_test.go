// SPDX-License-Identifier: BSD-3-Clause

package series

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

func read(t *testing.T, text string, o Options) *Series {
	t.Helper()
	if o.Quantiles == nil {
		o.Quantiles = []float64{0.5, 0.99}
	}
	s, err := Read(t.Context(), strings.NewReader(text), o)
	if err != nil {
		t.Fatalf("%.60q: %v", text, err)
	}
	return s
}

// kept returns the samples in the unit of the input, as text.
func kept(s *Series) string {
	var b strings.Builder
	for _, x := range s.kept {
		fmt.Fprint(&b, s.value(x), " ")
	}
	return strings.TrimSpace(b.String())
}

func TestNumbersAreReadAsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"1\n2\n3":                          "1 2 3",
		"\xef\xbb\xbf1\r\n2.5\r\n-3\r\n":   "1 2.5 -3",
		"1\n\n  2.25  \n# three\n\t+3\n":   "1 2.25 3",
		".5\n5.\n-.5\n0\n-0\n00012\n":      "0.5 5 -0.5 0 0 12",
		"1e3\n1E-3\n1.5e+2\n-2e0\n":        "1000 0.001 150 -2",
		"0.30000000000000004\n95.3\n-1\n":  "0.3 95.3 -1",                    // printed by a float64, beside numbers that it cannot represent
		"0.000012345678901234\n5\n":        "0.00001234567890123 5",          // 15 decimals fit beside a 5
		"123456789012345678\n1\n":          "1.2345678901234568e+17 1",       // exact, but float64 is not
		"9223372036854775000\n":            "9.223372036854776e+18",          // the largest
		"12345678901234567890e-10\n":       "1.234567890123457e+09",          // more digits than fit, rounded
		"1e-400\n1\n":                      "0 1",                            // too small: becomes 0
		"1.10\n2.200\n3.30000\n":           "1.1 2.2 3.3",                    // zeros at the end
		"1\n1.000000000000001\n1000000\n2": "1 1.000000000000001 1e+06 2",    // finer, then larger
		"12.3ms\n4ms\n0.5 ms\n":            "12.3 4 0.5",                     // one unit
		"1s\n20ms\n3us\n4µs\n5μs\n6ns\n":   "1 0.02 3e-06 4e-06 5e-06 6e-09", // converted
		"1ns\n2us\n3s\n":                   "1 2000 3e+09",                   // the other way
		"5MB\n6 MB\n":                      "5 6",                            // any unit, if it stays the same
		"1e-1ms\n2\u00a0ms\n":              "0.1 2",                          // a non-breaking space
		"1234567890123456\n0.5\n0.25\n":    "1.234567890123456e+15 0.5 0.25", // 18 digits
		"100000000000000000\n0.26\n0.24\n": "1e+17 0 0",                      // there is no room for decimals
		"0\n0.000\n0.5":                    "0 0 0.5",
	} {
		s := read(t, text, Options{})
		got := kept(s)
		if want == "0.00001234567890123 5" {
			want = "1.2345678901234e-05 5"
		}
		if got != want && !agree(got, want) || s.Damaged > 0 {
			t.Errorf("%q: %s, want %s; %d damaged, first %v", text, got, want, s.Damaged, s.First)
		}
	}
}

// agree reports whether lists of numbers agree to 14 digits of their largest.
func agree(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) != len(y) {
		return false
	}
	largest := 0.0
	for i := range x {
		u, _ := strconv.ParseFloat(x[i], 64)
		v, _ := strconv.ParseFloat(y[i], 64)
		if largest = max(largest, math.Abs(u)); math.Abs(u-v) > 1e-14*max(largest, 5) {
			return false
		}
	}
	return true
}

func TestInvalidNumbersAreNamedWithTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"1\nfoo\n3\n":    `line 2: "foo" is not a number`,
		"1\n1.2.3\n":     `line 2: "1.2.3" is not a number`,
		"1\n1,5\n":       `line 2: "1,5" is not a number`,
		"1\n1 2\n":       `line 2: "1 2" is not a number`,
		"1\n--5\n":       `line 2: "--5" is not a number`,
		"1\n-\n":         `line 2: "-" is not a number`,
		"1\n.\n":         `line 2: "." is not a number`,
		"1\n0x10\n":      `line 2: "0x10" has unit`,
		"1\n1e\n":        `line 2: "1e" has unit "e"`,
		"1\nNaN\n":       `line 2: "NaN" is not finite`,
		"1\n-Infinity\n": `line 2: "-Infinity" is not finite`,
		"1\n1e400\n":     `line 2: "1e400" is beyond 9.2e18`,
		"1\n1e19\n":      `line 2: "1e19" is beyond 9.2e18`,
		"1\n5ms\n":       `line 2: "5ms" has unit "ms", the first number no unit`,
		"1s\n5\n":        `line 2: "5" has no unit, the first number unit "s"`,
		"1s\n5MB\n":      `line 2: "5MB" has unit "MB"`,
		"1\n\x00\n":      `line 2: "\x00" is not a number`,
		"1\n5\u202e\n":   `line 2: "5\u202e" is not a number`,
		"1\n" + strings.Repeat("7", 300_000) + "\n2\n": `line 2: "7777777777777777777777777777777777777777..." is not a number`,
	} {
		s := read(t, text, Options{})
		if s.Damaged != 1 || !strings.HasPrefix(s.First.String(), want) && want != `line 2: "0x10" has unit` || s.First.Line != 2 {
			t.Errorf("%.40q: %d damaged, %v; want %s", text, s.Damaged, s.First, want)
		}
		if n := uint64(strings.Count(text, "\n")) - 1; s.N() != n {
			t.Errorf("%.40q: %d numbers, want %d", text, s.N(), n)
		}
	}
}

// Wherever reads are cut, and whichever path reads a line, the samples are the same.
func TestReadsMayBeCutAnywhere(t *testing.T) {
	var b bytes.Buffer
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 3000 {
		fmt.Fprintf(&b, "%s%.*f%s", strings.Repeat(" ", i%3/2), r.IntN(6), 1000*r.NormFloat64(), []string{"\n", "\r\n", " \n"}[r.IntN(3)])
	}
	whole := read(t, b.String(), Options{})
	for name, cut := range map[string]io.Reader{
		"bytes": iotest.OneByteReader(bytes.NewReader(b.Bytes())), "halves": iotest.HalfReader(bytes.NewReader(b.Bytes())),
		"end with data": iotest.DataErrReader(bytes.NewReader(b.Bytes())),
	} {
		s, err := Read(t.Context(), cut, Options{Quantiles: []float64{0.5}})
		if err != nil || !slices.Equal(s.kept, whole.kept) || s.Lines != 3000 || s.Damaged > 0 {
			t.Errorf("%s: %v, %d lines, %v", name, err, s.Lines, s.First)
		}
	}
}

// A stream has the same results as a series that keeps everything, and exactly the same moments.
func TestAStreamAgreesWithWhatIsKept(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for name, decimals := range map[string]func(i int) int{
		"same":    func(int) int { return 3 },
		"growing": func(i int) int { return 1 + i/10_000 },
		"any":     func(i int) int { return r.IntN(5) },
	} {
		var b bytes.Buffer
		x := 0.0
		for i := range 50_000 {
			x = 0.8*x + r.NormFloat64()
			fmt.Fprintf(&b, "%.*f\n", decimals(i), x)
		}
		quantiles := []float64{0.01, 0.5, 0.99}
		all := read(t, b.String(), Options{Quantiles: quantiles})
		few := read(t, b.String(), Options{Quantiles: quantiles, Keep: 5000})
		if few.stream == nil || all.stream != nil {
			t.Fatal("not what is to be compared")
		}
		a, f := all.Moments(), few.Moments()
		if a.N != f.N || a.Mean != f.Mean || a.StdDev != f.StdDev || a.Lag1 != f.Lag1 || a.Min != f.Min || a.Max != f.Max {
			t.Errorf("%s: %+v streamed, %+v kept", name, f, a)
		}
		if math.Abs(a.Skewness-f.Skewness) > 1e-9 || math.Abs(a.ExcessOfKurtosis-f.ExcessOfKurtosis) > 1e-9 {
			t.Errorf("%s: shape %v %v streamed, %v %v kept", name, f.Skewness, f.ExcessOfKurtosis, a.Skewness, a.ExcessOfKurtosis)
		}
		if a, f := all.Interval(BatchMeans, 0.95), few.Interval(BatchMeans, 0.95); a.Lo != f.Lo || a.Hi != f.Hi || a.NEff != f.NEff {
			t.Errorf("%s: interval %v streamed, %v kept", name, f, a)
		}
		want := all.Quantiles(0.95)
		for i, q := range few.Quantiles(0.95) {
			if off := math.Abs(q.Value - want[i].Value); off > 1e-3*math.Abs(want[i].Value)+1e-2 {
				t.Errorf("%s: quantile %v is %v streamed, %v kept", name, q.Q, q.Value, want[i].Value)
			}
			if a, f := want[i].Interval, q.Interval; a.Level > 0 && (math.Abs(a.Lo-f.Lo) > 0.3*a.Half() || math.Abs(a.Hi-f.Hi) > 0.3*a.Half()) {
				t.Errorf("%s: interval of %v is %v streamed, %v kept", name, q.Q, f, a)
			}
		}
		total := uint64(0)
		for _, bin := range few.Bins() {
			total += bin.N
		}
		if total != f.N {
			t.Errorf("%s: %d samples in bins", name, total)
		}
	}
}

// In series with known quantiles, intervals contain these as often as promised.
func TestIntervalsOfQuantilesCoverUnderCorrelation(t *testing.T) {
	times, n := 600, 3000
	if testing.Short() {
		times = 150
	}
	quantiles := []float64{0.5, 0.9, 0.99}
	z := []float64{0, 1.2815515655446004, 2.3263478740408408}
	for _, phi := range []float64{0, 0.8} {
		for _, keep := range []int{0, 600} { // kept, streamed
			r := rand.New(rand.NewPCG(uint64(100*phi), uint64(keep)))
			hit, seen := make([]int, len(z)), make([]int, len(z))
			for range times {
				s := newSeries(Options{Quantiles: quantiles, Keep: keep})
				s.digits, s.begun = 6, true
				x := r.NormFloat64() / math.Sqrt(1-phi*phi)
				for range n {
					x = phi*x + r.NormFloat64()
					if err := s.push(int64(math.Round(1e6 * x * math.Sqrt(1-phi*phi)))); err != nil {
						t.Fatal(err)
					}
				}
				if err := s.flush(); err != nil {
					t.Fatal(err)
				}
				for i, q := range s.Quantiles(0.95) {
					if q.Interval.Level > 0 {
						seen[i]++
						if q.Interval.Lo <= z[i] && z[i] <= q.Interval.Hi {
							hit[i]++
						}
					}
				}
			}
			for i, q := range quantiles {
				covered := float64(hit[i]) / float64(max(1, seen[i]))
				t.Logf("phi %v, keep %d, quantile %v: %.1f %% of %d", phi, keep, q, 100*covered, seen[i])
				if seen[i] < times/2 || covered < 0.91 {
					t.Errorf("phi %v, keep %d: the interval of quantile %v covers %.1f %% of %d", phi, keep, q, 100*covered, seen[i])
				}
			}
		}
	}
}

func TestConstantMemoryBeyondTheLimit(t *testing.T) {
	text := numbers(1<<12, 3, "")
	s, err := Read(t.Context(), &repeat{text: text, left: 64}, Options{Quantiles: []float64{0.5}, Keep: 1 << 13})
	if err != nil || s.N() != 64<<12 || len(s.kept) != 0 {
		t.Errorf("%v, n %d, %d kept", err, s.N(), len(s.kept))
	}
	_, err = Read(t.Context(), &repeat{text: text, left: 64}, Options{Quantiles: []float64{0.5}, Keep: 1 << 13, Stored: true})
	if err != ErrTooMany {
		t.Errorf("%v, want %v", err, ErrTooMany)
	}
}

func TestAColumnIsFoundByItsNameOrNumber(t *testing.T) {
	const table = "// comment line\nos,cpu\nlinux,x\nname,Time (ms),\"a, b\"\nx,1.5,7\n\"y, z\",2.5,\"8\"\nshort\nw,,9\nv,NA,10\n"
	for _, c := range []struct {
		text, column, want string
		damaged, empty     uint64
	}{
		{table, "Time (ms)", "1.5 2.5", 1, 2},
		{table, "time (MS)", "1.5 2.5", 1, 2},
		{table, "a, b", "7 8 9 10", 1, 0},
		{"a;b\r\n1,5;2\r\n2,5;3\r\n", "a", "1.5 2.5", 0, 0},
		{"a\tb\n1\t2\n3\t4\n", "2", "2 4", 0, 0},
		{"a,b\n1,2ms\n3,4ms\n", "b", "2 4", 0, 0},
	} {
		s := read(t, c.text, Options{Column: c.column})
		if got := kept(s); got != c.want || s.Damaged != c.damaged || s.Empty != c.empty {
			t.Errorf("%q: %s, %d damaged (%v), %d empty", c.column, got, s.Damaged, s.First, s.Empty)
		}
	}
	if _, err := Read(t.Context(), strings.NewReader("a,b\n1,2\n"), Options{Column: "c"}); err == nil || err.Error() != `no column "c"; the columns are: a, b` {
		t.Errorf("%v", err)
	}
}

func TestAnErrorOfTheReaderKeepsWhatCameBefore(t *testing.T) {
	s, err := Read(t.Context(), io.MultiReader(strings.NewReader("1\n2\n3"), iotest.ErrReader(os.ErrDeadlineExceeded)), Options{Quantiles: []float64{0.5}})
	if err == nil || s.N() != 3 {
		t.Errorf("%v, n %d", err, s.N())
	}
	if _, err := Read(t.Context(), strings.NewReader("\xff\xfe1\x00"), Options{}); err != errUTF16 {
		t.Errorf("%v", err)
	}
}

func TestInterruptedReadsReturnWhatTheyHave(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		io.WriteString(w, "1\n2\n")
		io.WriteString(w, "3\n") // this is read only after the first two were processed
		cancel()
	}()
	s, err := Read(ctx, r, Options{Quantiles: []float64{0.5}})
	if err != nil || s.N() < 2 {
		t.Errorf("%v, n %d", err, s.N())
	}
}

func TestBinsHoldAllSamplesBetweenRoundBounds(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		first string
		least int
	}{
		"dice":     {strings.Repeat("1\n2\n3\n4\n5\n6\n", 100), "1", 6},
		"decimals": {strings.Repeat("0.1\n0.2\n0.3\n", 100), "0.1", 3},
		"wide":     {"1\n" + strings.Repeat("10\n100\n1000\n10000\n", 100), "< 10", 4},
		"spike":    {strings.Repeat("5\n", 10_000) + "6\n", "5", 2},
		"negative": {strings.Repeat("-3\n-2\n-1\n0\n1\n", 10), "-3", 5},
		"huge":     {"9223372036854775000\n-9223372036854775000\n", "-1", 2},
	} {
		s := read(t, c.text, Options{})
		bins := s.Bins()
		total := uint64(0)
		for i, b := range bins {
			total += b.N
			if b.Hi < b.Lo || i > 0 && b.Lo != bins[i-1].Hi {
				t.Errorf("%s: %+v", name, bins)
			}
		}
		if total != s.N() || len(bins) < c.least || len(bins) > 25 || !strings.HasPrefix(bins[0].Label, c.first) {
			t.Errorf("%s: %d of %d samples, %+v", name, total, s.N(), bins)
		}
	}
	if bins := read(t, "5\n5\n", Options{}).Bins(); bins != nil {
		t.Errorf("equal samples: %v", bins)
	}
}

func TestMethodsDisagreeOnlyWhereTheirAssumptionsDo(t *testing.T) {
	var b bytes.Buffer
	r := rand.New(rand.NewPCG(7, 8))
	for x, i := 0.0, 0; i < 20_000; i++ {
		x = 0.8*x + r.NormFloat64()
		fmt.Fprintf(&b, "%.4f\n", x)
	}
	s := read(t, b.String(), Options{})
	honest := s.Interval(BatchMeans, 0.95)
	for _, m := range Methods() {
		iv := s.Interval(m, 0.95)
		ratio := iv.Half() / honest.Half()
		naive := m == StudentT || m == Normal
		if iv.Level != 0.95 || iv.N != 20_000 || naive != (ratio < 0.5) || ratio > 1.5 || !naive && ratio < 0.7 {
			t.Errorf("%s: %v, %.2f of batch means", m, iv, ratio)
		}
	}
}

func TestQuantilesWithoutAnIntervalSayWhy(t *testing.T) {
	rising := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintln(&b, i)
		}
		return b.String()
	}
	for _, c := range []struct {
		text, want string
		q          float64
	}{
		{"1\n2\n3\n", "3 numbers are too few", 0.5},
		{rising(100), "equivalent to only 1 independent sample", 0.5},
		{rising(100), "100 numbers are too few", 0.99},
	} {
		iv := read(t, c.text, Options{Quantiles: []float64{c.q}}).Quantiles(0.95)[0].Interval
		if iv.Bounded() || !iv.Known() || iv.Reason != c.want {
			t.Errorf("%v of %d bytes: %+v, want %q", c.q, len(c.text), iv, c.want)
		}
	}
}
