// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestDecimalsAreReadExactly(t *testing.T) {
	for _, c := range []struct {
		text     string
		mantissa int64
		exponent int
	}{
		{"0", 0, 0}, {"-0.000", 0, 0}, {"12", 12, 0}, {"+12.50", 125, -1}, {"-.5", -5, -1}, {"7.", 7, 0}, {"1e3", 1, 3},
		{"1.5E-3", 15, -4}, {"150e-2", 15, -1}, {"1000", 1000, 0}, {"0.000000000000000001", 1, -18},
		{"9223372036854775807", math.MaxInt64, 0}, {"1.00000000000000000000000000000", 1, 0},
		{"100.0010", 100001, -3}, {"000000000000000000000000000012", 12, 0},
	} {
		m, e, err := parseDecimal([]byte(c.text))
		if err != nil || m != c.mantissa || e != c.exponent {
			t.Errorf("%s: %d·10^%d, %v; want %d·10^%d", c.text, m, e, err, c.mantissa, c.exponent)
		}
	}
}

func TestTextThatIsNoDecimalIsRefusedAndAddsNothing(t *testing.T) {
	var d Decimal
	d.Add([]byte("1.5"))
	for text, reason := range map[string]string{
		"": "not a decimal", ".": "not a decimal", "-": "not a decimal", "abc": "not a decimal", "1,5": "not a decimal",
		"1.2.3": "not a decimal", "1e": "not a decimal", "1e+": "not a decimal", "0x10": "not a decimal", "NaN": "not a decimal",
		"inf": "not a decimal", "1 2": "not a decimal", "92233720368547758070": "18 digits", "1.2345678901234567890123": "18 digits",
		"1e30": "at 1 decimals", "1e-30": "at 30 decimals", "1e-900": "at 900 decimals", "1e99999999999": "at 1 decimals",
	} {
		if _, err := d.Add([]byte(text)); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %v, want %q", text, err, reason)
		}
	}
	if m := d.Batches.Moments(); m.N() != 1 || d.Digits != 1 {
		t.Errorf("%d samples at %d digits", m.N(), d.Digits)
	}
}

func TestScaleGrowsWithoutLosingAnything(t *testing.T) {
	texts := []string{"0", "-3", "2.5", "1000000", "7.25", "0.000", "-0.001", "4", "12.3456"}
	for rounds := range 40 { // through every batch size
		var grown, direct Decimal
		direct.Digits = 4
		for range rounds * 3 {
			for i := range texts {
				grown.Add([]byte(texts[i][:min(len(texts[i]), 3)]))
				direct.Add([]byte(texts[i][:min(len(texts[i]), 3)]))
			}
		}
		for _, text := range texts {
			x, err := grown.Add([]byte(" " + text + "\r\n"))
			y, _ := direct.Add([]byte(text))
			if err != nil || new(big.Rat).SetFrac64(x, int64(math.Pow10(grown.Digits))).Cmp(new(big.Rat).SetFrac64(y, 10000)) != 0 {
				t.Fatalf("%s: %d at %d digits, %d at 4: %v", text, x, grown.Digits, y, err)
			}
		}
		a, b := grown.Batches.Moments(), direct.Batches.Moments()
		v, w := grown.Batches.Interval(0.95), direct.Batches.Interval(0.95)
		if grown.Digits != 4 || a.total() != b.total() || v.Lo != w.Lo || v.Hi != w.Hi || !slices.Equal(v.Warnings, w.Warnings) {
			t.Fatalf("after %d: %v and %v differ", a.N(), v, w)
		}
	}
}

func FuzzDecimal(f *testing.F) {
	for _, text := range []string{"1.5", "-.25e3", "+0.0001", "1e-18", "0E10000000000000000000", "00012", "9223372036854775807"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, e, err := parseDecimal(text)
		if err != nil {
			return
		}
		if e < -400 || e > 400 || strings.ContainsAny(string(text), "xXpPbBoO_/") {
			return
		}
		want, ok := new(big.Rat).SetString(string(text))
		if !ok { // big.Rat refuses exponents that only a zero can have
			if x, err := strconv.ParseFloat(string(text), 64); err != nil || x != 0 || m != 0 {
				t.Fatalf("%q read as %d·10^%d", text, m, e)
			}
			return
		}
		power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(e, -e))), nil))
		got := new(big.Rat).SetInt64(m)
		if e < 0 {
			got.Quo(got, power)
		} else {
			got.Mul(got, power)
		}
		if got.Cmp(want) != 0 {
			t.Fatalf("%q read as %d·10^%d", text, m, e)
		}
	})
}

func BenchmarkDecimalAdd(b *testing.B) {
	var d Decimal
	text := []byte("16.683412")
	for b.Loop() {
		d.Add(text)
	}
}

func TestTheLargestNumberMustFitTheUnit(t *testing.T) {
	for _, large := range []string{"900000000000000000", "-900000000000000000"} {
		for _, small := range []string{"1", "0", "-1"} {
			var d Decimal
			for _, text := range []string{small, large} {
				if _, err := d.Add([]byte(text)); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := d.Add([]byte("0.12")); err == nil || d.Digits != 0 || d.Batches.all.N() != 2 {
				t.Errorf("%s and %s in hundredths: %v", small, large, err)
			}
		}
	}
}
