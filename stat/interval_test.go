// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/stat/dist"
)

// fiveRuns are durations in ns with the mean, 123 462.321 ms, and the standard deviation, 53.352 ms, of the five runs of a
// published example.
var fiveRuns = [5]int64{123462321000, 123462321000 + 60000000, 123462321000 - 60000000,
	123462321000 + 45748382, 123462321000 - 45748382}

func TestFiveRunsNeedStudentNotTheNormalDistribution(t *testing.T) {
	var m Moments
	for _, x := range fiveRuns {
		m.Add(x)
	}
	if got := fmt.Sprintf("%.3f %.3f", m.Mean()/1e6, m.StdDev()/1e6); got != "123462.321 53.352" {
		t.Fatalf("mean and standard deviation %s", got)
	}
	iv := m.Interval(0.95)
	if got := fmt.Sprintf("%.2f", iv.Half()/1e6); got != "66.25" {
		t.Errorf("half-width by Student t ±%s ms, want ±66.25", got)
	}
	if got := iv.In(1e6, "ms"); got != "123460 ± 70 ms" {
		t.Errorf("written as %q", got)
	}
	// The example printed this, from the same standard error with the normal quantile.
	if got := fmt.Sprintf("%.3f", dist.NormalUpper(0.025)*m.StdErr()/1e6); got != "46.764" {
		t.Errorf("half-width by the normal distribution ±%s ms, want ±46.764", got)
	}
}

func TestNoIntervalExcludesNothingAndSaysWhy(t *testing.T) {
	var m Moments
	for n, text := range []string{"no samples", "5 ms (no interval: needs at least 2 samples, has 1)"} {
		iv := m.Interval(0.95)
		if iv.Level != 0 || !math.IsInf(iv.Lo, -1) || !math.IsInf(iv.Hi, 1) || !math.IsInf(iv.Half(), 1) || iv.Bounded() || iv.Known() != (n > 0) ||
			iv.Reason == "" || iv.Warnings != nil || iv.In(1e6, "ms") != text {
			t.Errorf("%d samples: %+v reads %q", n, iv, iv.In(1e6, "ms"))
		}
		m.Add(5e6)
	}
	for _, level := range []float64{-0.1, 1, 95, math.NaN(), math.Inf(1)} {
		if iv := m.Interval(level); iv.Level != 0 || !strings.Contains(iv.Reason, "between 0 and 1") {
			t.Errorf("level %v: %+v", level, iv)
		}
	}
	if iv := m.Interval(0); iv.Level != 0.95 {
		t.Errorf("default level %v", iv.Level)
	}
}

func TestCorrelatedSamplesCarryAWarning(t *testing.T) {
	var rising, alternating, short Moments
	for i := range int64(100) {
		rising.Add(i)
		alternating.Add(i % 2)
	}
	for i := range int64(5) {
		short.Add(i)
	}
	if iv := rising.Interval(0.95); len(iv.Warnings) != 1 || !strings.Contains(iv.Warnings[0], "too narrow") {
		t.Errorf("rising: %q", iv.Warnings)
	}
	if iv := alternating.Interval(0.95); len(iv.Warnings) != 1 || !strings.Contains(iv.Warnings[0], "too wide") {
		t.Errorf("alternating: %q", iv.Warnings)
	}
	for n := int64(5); n < 20; n++ {
		if iv := short.Interval(0.95); len(iv.Warnings) != 0 {
			t.Errorf("%d samples cannot tell: %q", n, iv.Warnings)
		}
		short.Add(n)
	}
	if iv := short.Interval(0.95); len(iv.Warnings) != 1 {
		t.Errorf("twenty samples can: %q", iv.Warnings)
	}
}

func TestIntervalIsWrittenWithItsUnit(t *testing.T) {
	for _, c := range []struct {
		iv   Interval
		per  float64
		want string
	}{
		{Interval{Center: 12345678, Lo: 12345678 - 4900, Hi: 12345678 + 4900, Level: 0.95}, 1e6, "12.346 ± 0.005 ms"},
		{Interval{Center: 12.3, Lo: 11.9, Hi: 13.4, Level: 0.95}, 1, "12.3 [11.9, 13.4] ms"},
		{Interval{Center: 5, Lo: 5, Hi: 5, Level: 0.95}, 1, "5 ± 0 ms"},
		{Interval{Center: 5, Lo: 5, Hi: 5, Level: 0.95}, 0, "5 ± 0 ms"},
		{Interval{Center: 5, N: 1}, 1, "5 ms"},
		{Interval{}, 1, "not known"},
		{Unknown("refused; run as root"), 1, "refused; run as root"},
		{Point(12345678, 9, "m", "one run"), 1e6, "12.35 ms (no interval: one run)"},
		{Point(5, 0, "m", "no samples"), 1, "no samples"},
		{Interval{Center: 12.34, Lo: math.Inf(-1), Hi: 13.4, Level: 0.95}, 1, "12.3 ms, at most 13.4 ms"},
		{Interval{Center: 12.34, Lo: 9, Hi: math.Inf(1), Level: 0.95}, 1, "12.3 ms, at least 9.0 ms"},
	} {
		if got := c.iv.In(c.per, "ms"); got != c.want {
			t.Errorf("%+v reads %q, want %q", c.iv, got, c.want)
		}
	}
	if got := (Interval{Center: 1.5, Lo: 1.25, Hi: 1.75, Level: 0.95}).String(); got != "1.50 ± 0.25" {
		t.Errorf("String: %q", got)
	}
}

func TestIntervalHasTheKeysOthersRead(t *testing.T) {
	text, err := json.Marshal(Interval{Center: 1, Lo: 0.5, Hi: 1.5, Level: 0.95, Method: "Student t", N: 5, NEff: 5})
	if want := `{"center":1,"lo":0.5,"hi":1.5,"level":0.95,"method":"Student t","n":5,"n_eff":5}`; err != nil || string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
}

func TestWhatAnIntervalLacksIsAbsentInJSON(t *testing.T) {
	for _, c := range []struct {
		iv   Interval
		want string
	}{
		{Interval{Center: 0, Lo: 0, Hi: 0, Level: 0.95, N: 2}, `{"center":0,"lo":0,"hi":0,"level":0.95,"method":"","n":2}`},
		{Point(5, 1, "m", "one run"), `{"center":5,"method":"m","n":1,"n_eff":1,"reason":"one run"}`},
		{Point(0, 0, "m", "no samples"), `{"method":"m","n":0,"reason":"no samples"}`},
		{Interval{}, `{"method":"","n":0,"reason":"not known"}`},
		{Interval{Center: 5, Lo: math.Inf(-1), Hi: 6, Level: 0.95, N: 9, Reason: "few"}, `{"center":5,"hi":6,"level":0.95,"method":"","n":9,"reason":"few"}`},
	} {
		text, err := json.Marshal(c.iv)
		if err != nil || string(text) != c.want {
			t.Errorf("%s, want %s (%v)", text, c.want, err)
		}
		var back, null Interval
		if err := json.Unmarshal(text, &back); err != nil || back.Known() != c.iv.Known() || back.Bounded() != c.iv.Bounded() ||
			back.Bounded() != (back.Reason == "") || back.Half() != c.iv.Half() {
			t.Errorf("%s becomes %+v (%v)", text, back, err)
		}
		if err := json.Unmarshal([]byte(`{"center":null,"lo":null,"hi":null,"reason":"r"}`), &null); err != nil || null.Known() || !math.IsInf(null.Half(), 1) {
			t.Errorf("null: %+v (%v)", null, err)
		}
	}
	odd := Interval{Center: 1e-9, Lo: -1e300, Hi: 1e21, Level: 0.95, Method: "\x00\t\"\\é\u2028</b>", Warnings: []string{"a, b", "ü"}, NEff: 1}
	var back Interval
	if text, err := json.Marshal(odd); err != nil || !json.Valid(text) || json.Unmarshal(text, &back) != nil || !reflect.DeepEqual(odd, back) {
		t.Errorf("%+v became %+v through %s, %v", odd, back, text, err)
	}
	if err := json.Unmarshal([]byte(`{"method":"a\/b","more":{"x":[1,"}"]},"warnings":null}`), &back); err != nil || back.Method != "a/b" {
		t.Errorf("%+v, %v", back, err)
	}
	for _, text := range []string{``, `{"lo":"x"}`, `{"n":-1}`, `{"method":5}`, `{"warnings":[`, `{} x`, `[]`} {
		if err := new(Interval).UnmarshalJSON([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), "stat: interval JSON, byte ") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzIntervalJSON(f *testing.F) {
	f.Add([]byte(`{"center":5,"hi":6,"level":0.95,"method":"m","n":9,"reason":"few","warnings":["w"]}`))
	f.Add([]byte(`{"lo":null,"x":[{"y":"\u00e9"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var iv, back Interval
		if json.Unmarshal(text, &iv) != nil {
			return
		}
		again, err := json.Marshal(iv)
		if err != nil || !json.Valid(again) {
			t.Fatalf("%s becomes %+v and %s, %v", text, iv, again, err)
		}
		if err := json.Unmarshal(again, &back); err != nil || back.Known() != iv.Known() || back.Bounded() != iv.Bounded() {
			t.Errorf("%s becomes %+v, then %+v, %v", text, iv, back, err)
		}
	})
}
