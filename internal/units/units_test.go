// SPDX-License-Identifier: BSD-3-Clause

package units

import (
	"math"
	"testing"
)

func TestDigitsFollowTheUncertainty(t *testing.T) {
	for _, c := range []struct {
		center, half float64
		unit, want   string
	}{
		{12.345678, 0.0049, "ms", "12.346 ± 0.005 ms"},
		{12.345678, 0.0123, "ms", "12.346 ± 0.012 ms"},  // leading digit 1: two digits
		{12.345678, 0.0354, "ms", "12.346 ± 0.035 ms"},  // up to 354 two digits
		{12.345678, 0.0355, "ms", "12.35 ± 0.04 ms"},    // from 355 one
		{12.345678, 0.00949, "ms", "12.346 ± 0.009 ms"}, // 949 rounds down
		{12.345678, 0.00961, "ms", "12.346 ± 0.010 ms"}, // 950 and more round up to 1.0
		{12.345678, 0.9996, "ms", "12.3 ± 1.0 ms"},      // carry across the point
		{123462.321, 66.2463, "ms", "123460 ± 70 ms"},   // tens
		{123462.321, 14, "ms", "123462 ± 14 ms"},        // two whole digits
		{123462.321, 1400, "ms", "123500 ± 1400 ms"},    // hundreds
		{123462.321, 46.764, "ms", "123460 ± 50 ms"},    //
		{55.55, 60, "ns", "55.55 ± 60 ns"},              // as large as its uncertainty
		{55.5555, 6.2, "ns", "56 ± 6 ns"},               // two digits are enough
		{7.4499, 6.2, "ns", "7.45 ± 6 ns"},              // one is not
		{3, 50, "ns", "3 ± 50 ns"},                      // smaller than its uncertainty
		{7.03, 50, "ns", "7.03 ± 50 ns"},                //
		{-7, 50, "ns", "-7 ± 50 ns"},                    //
		{3, 4000, "ns", "3 ± 4000 ns"},                  // far smaller
		{3e-5, 4000, "ns", "0 ± 4000 ns"},               // too small to matter
		{0, 50, "ns", "0 ± 50 ns"},                      //
		{-0.0001, 0.5, "ns", "-0.0001 ± 0.5 ns"},        //
		{-0.000001, 0.5, "ns", "0.0 ± 0.5 ns"},          // no negative zero
		{-12.345678, 0.0049, "ms", "-12.346 ± 0.005 ms"},
		{12.345678, -0.0049, "ms", "12.346 ± 0.005 ms"}, // the sign of half says nothing
		{5, 0, "ns", "5 ± 0 ns"},
		{0.1 + 0.2, 0, "", "0.3 ± 0"}, // no binary dust
		{0, 0, "", "0 ± 0"},
		{1.5, 0.25, "", "1.50 ± 0.25"},
		{2.5e-9, 3e-11, "s", "(2.500 ± 0.030)e-9 s"},
		{1.25e20, 3e15, "", "(1.250000 ± 0.000030)e20"},
		{0, 4e-12, "s", "(0 ± 4)e-12 s"},
		{math.MaxFloat64, math.MaxFloat64, "", "(1.8 ± 1.8)e308"},
		{math.SmallestNonzeroFloat64, 0, "", "(5 ± 0)e-324"},
		{1e14, 1e-3, "ns", "100000000000000.0000 ± 0.0010 ns"},
		{math.NaN(), 1, "ns", "unknown"},
		{1, math.Inf(1), "ns", "unknown"},
	} {
		if got := Uncertain(c.center, c.half, c.unit); got != c.want {
			t.Errorf("Uncertain(%v, %v) = %q, want %q", c.center, c.half, got, c.want)
		}
	}
}

func TestSpanShowsBothEnds(t *testing.T) {
	for _, c := range []struct {
		center, lo, hi float64
		want           string
	}{
		{12.345, 11.9, 13.4, "12.3 [11.9, 13.4] s"},
		{12.345, 12.345, 12.345, "12.345 [12.345, 12.345] s"},
		{0, -2e-9, 8e-9, "(0 [-2, 8])e-9 s"},
		{1e-9, -2e-9, 8e-9, "(1 [-2, 8])e-9 s"},
		{1, 2, 0, "unknown"},
		{math.NaN(), 0, 1, "unknown"},
		{0, -math.MaxFloat64, math.MaxFloat64, "(0.0 [-1.8, 1.8])e308 s"},
	} {
		if got := Span(c.center, c.lo, c.hi, "s"); got != c.want {
			t.Errorf("Span(%v, %v, %v) = %q, want %q", c.center, c.lo, c.hi, got, c.want)
		}
	}
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
