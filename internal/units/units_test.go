// SPDX-License-Identifier: BSD-3-Clause

package units

import (
	_ "embed"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

//go:embed testdata/uncertain.json
var uncertainJSON []byte

// Pages use these texts too; the tests of tools/e2e/pages check their digits.
func TestDigitsFollowTheUncertainty(t *testing.T) {
	var cases []struct {
		Why, Unit, Text string
		Center          float64
		Half            *float64
		Lo, Hi          float64
		Change, Ratio   bool
	}
	if err := json.Unmarshal(uncertainJSON, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		var got string
		switch {
		case c.Half != nil:
			got = Uncertain(c.Center, *c.Half, c.Unit)
		case c.Change:
			got = Change(c.Center, c.Lo, c.Hi, c.Unit)
		case c.Ratio:
			got = Ratio(c.Center, c.Lo, c.Hi)
		default:
			got = Interval(c.Center, c.Lo, c.Hi, c.Unit)
		}
		if got != c.Text {
			t.Errorf("%s: %q, want %q", c.Why, got, c.Text)
		}
	}
	for got, want := range map[string]string{
		Uncertain(12.345678, -0.0049, "ms"):                       "12.346 ± 0.005 ms", // the sign of the half-width does not matter
		Uncertain(math.MaxFloat64, math.MaxFloat64, ""):           "(1.8 ± 1.8)e308",
		Uncertain(math.SmallestNonzeroFloat64, 0, ""):             "(5 ± 0)e-324",
		Uncertain(math.NaN(), 1, "ns"):                            "unknown",
		Uncertain(1, math.Inf(1), "ns"):                           "unknown",
		Interval(1, 2, 0, "s"):                                    "unknown",
		Interval(math.NaN(), 0, 1, "s"):                           "unknown",
		Interval(0, -math.MaxFloat64, math.MaxFloat64, "s"):       "(0.0 ± 1.8)e308 s",
		Interval(1e14, 1e14-0.001, 1e14+0.001, ""):                "100000000000000 ± 0", // float64 cannot distinguish the bounds from the center
		Interval(1e9, 1e9-1.0/1024/1024, 1e9+1.0/1024/1024, "ns"): "1000000000.0000000 ± 0.0000010 ns",
		Change(1, 2, 0, "s"):                                      "unknown",
		Ratio(1, 2, 0):                                            "unknown",
		Ratio(1, 0, 2):                                            "1.0 ± 1.0",
		Change(1, 0, math.Inf(1), "s"):                            "unknown",
		Bounds(11.9, 13.4, "ms"):                                  "[11.9, 13.4] ms",
		Bounds(0, 0.8, "ns"):                                      "[0, 0.8] ns",
		Bounds(1, 0, "ns"):                                        "unknown",
		Bounds(math.Inf(-1), 0, "ns"):                             "unknown",
		ChangeBounds(0.02, 2.01, "%"):                             "[+0.02, +2.0] %",
		ChangeBounds(-4.1, 0.2, "%"):                              "[-4.1, +0.2] %",
		ChangeBounds(1, 0, "%"):                                   "unknown",
		RoundedChange(1.1641, 0.8, "ms"):                          "+1.2 ms",
		RoundedChange(-1.1641, 0.8, "ms"):                         "-1.2 ms",
		RoundedChange(0.001, 0.8, "ms"):                           "0.0 ms",
		Rounded(12.345678, 0.0049, "ms"):                          "12.346 ms",
		Rounded(1234, -60, ""):                                    "1230",
		Rounded(1.234e-9, 2e-11, "s"):                             "1.234e-9 s",
		Rounded(0, 0.3, "s"):                                      "0 s",
		Rounded(1.25, 0, "s"):                                     "1.25 s",
		Rounded(1, math.NaN(), "s"):                               "unknown",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// All numbers of a text end at the same decimal place, which suits the half-width: the last digit is worth at least a 36th and at
// most two sevenths of it.
func TestNoDigitIsFinerThanTheUncertainty(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		half := math.Pow(10, 12*random.Float64()-5) // no power of ten is needed
		center := half * math.Pow(10, 6*random.Float64()-3)
		if random.IntN(2) == 0 {
			center = -center
		}
		lo, hi := center-half, center+half
		switch random.IntN(3) {
		case 0: // bounds
			lo = center - 2*half*random.Float64()
			hi = lo + 2*half
		case 1: // cut at zero
			center = math.Abs(center)
			lo, hi = max(0, center-half), center+half
		}
		if size := max(math.Abs(center), hi/2-lo/2); size < 1e-6 || size >= 1e15 {
			continue
		}
		half = hi/2 - lo/2
		for i, text := range []string{Change(center, lo, hi, ""), Interval(center, lo, hi, ""), Uncertain(center, half, ""), Rounded(center, half, "")} {
			if why := unsupported(text, center, lo, hi, half, i == 0); why != "" {
				t.Fatalf("%v [%v, %v]: %q: %s", center, lo, hi, text, why)
			}
		}
	}
}

// unsupported describes what is wrong with the digits of a text; "" if nothing is. A bound of a change may have more digits if it
// would be shown as zero.
func unsupported(text string, center, lo, hi, half float64, change bool) string {
	place := 0 // decimals
	values, numbers := map[string]float64{}, map[string]float64{"center": center, "lo": lo, "hi": hi, "half": half}
	names := []string{"center", "half"}
	if strings.Contains(text, "[") {
		names = []string{"center", "lo", "hi"}
	}
	fields := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ±[],", r) })
	for i, field := range fields {
		_, fraction, _ := strings.Cut(field, ".")
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return err.Error()
		}
		if i == 0 {
			place = len(fraction)
		}
		exactZero, nearZero := field == "0" && i > 0, change && fixed(numbers[names[i]], place) == fixed(0, place)
		if len(fraction) != place && !exactZero && !nearZero {
			return "numbers end at different places"
		}
		values[names[i]] = v
	}
	last := math.Pow10(-place)
	if place == 0 { // the largest power of ten that divides all numbers
		for all := true; all && last < 1e15; last *= 10 {
			for _, v := range values {
				all = all && (math.Mod(v, 10*last) == 0 || change && math.Abs(v) < half/3.5)
			}
			if !all {
				break
			}
		}
	}
	if last < half/36 {
		return "digits finer than the uncertainty"
	}
	for name, want := range numbers {
		coarsest := half / 3.5 * (1 + 1e-9)
		if v, ok := values[name]; ok && math.Abs(v-want) > coarsest/2+1e-9*math.Abs(want) {
			return name + " is rounded too far"
		}
	}
	if v, ok := values["half"]; ok && math.Abs(v-half) > half/7 {
		return "the half-width is rounded too far"
	}
	return ""
}

func TestApproximationsHaveFourDigits(t *testing.T) {
	for x, want := range map[float64]string{19.9157: "19.92 s", 0: "0 s", 5: "5 s", 123456.7: "123457 s", -0.00123456: "-0.001235 s", 1.23456e20: "1.235e+20 s", math.NaN(): "unknown"} {
		if got := Approx(x, "s"); got != want {
			t.Errorf("Approx(%v) = %q, want %q", x, got, want)
		}
	}
}

func TestDurationPicksItsUnit(t *testing.T) {
	for _, c := range []struct {
		ns   float64
		want string
	}{
		{0, "0 ns"}, {0.25, "0.25 ns"}, {83, "83 ns"}, {999.94, "999.9 ns"}, {999.96, "1 µs"}, {1000, "1 µs"},
		{1234.5, "1.234 µs"}, {16666667, "16.67 ms"}, {999.96e6, "1 s"}, {1e9, "1 s"}, {-16666667, "-16.67 ms"},
		{-999.96, "-1 µs"}, {123456e9, "123456 s"}, {math.NaN(), "unknown"}, {math.Inf(-1), "unknown"},
	} {
		if got := Duration(c.ns); got != c.want {
			t.Errorf("Duration(%v) = %q, want %q", c.ns, got, c.want)
		}
	}
}

//go:embed testdata/durations.json
var durations []byte

// The pages have a function of their own; live/testdata/modules.js tests it with the same cases.
func TestDurationsAreAsOnPages(t *testing.T) {
	var cases []struct {
		NS   float64
		Text string
	}
	if err := json.Unmarshal(durations, &cases); err != nil || len(cases) < 10 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, c := range cases {
		if got := Duration(c.NS); got != c.Text {
			t.Errorf("Duration(%v) = %q, want %q", c.NS, got, c.Text)
		}
	}
}

func TestCountUsesDecimalPrefixes(t *testing.T) {
	for _, c := range []struct {
		n    uint64
		want string
	}{
		{0, "0"}, {999, "999"}, {1000, "1 k"}, {1234, "1.234 k"}, {12345678, "12.35 M"}, {999999, "1 M"},
		{7e9, "7 G"}, {math.MaxUint64, "18.45 E"},
	} {
		if got := Count(c.n); got != c.want {
			t.Errorf("Count(%d) = %q, want %q", c.n, got, c.want)
		}
	}
}

func TestRoundNumbersAreOneTwoOrFive(t *testing.T) {
	for x, want := range map[float64]float64{-1: 0, 0: 0, 1: 1, 1.1: 2, 3: 5, 0.0051: 0.01, 999: 1000} {
		if got := RoundUp(x); got != want {
			t.Errorf("RoundUp(%v) = %v, want %v", x, got, want)
		}
	}
}
