// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestHistogramSurvivesJSON(t *testing.T) {
	var plain, wide, empty Histogram
	for v := int64(1); v < 1e6; v += 997 {
		plain.Record(v)
		wide.Record(math.MaxInt64 - v)
		wide.Record(-v)
	}
	finer := withError(t, 0.0005)
	finer.Merge(&plain)
	for _, h := range []*Histogram{&plain, &wide, &empty, finer} {
		text, err := json.Marshal(*h) // by value: it must not need a pointer
		if err != nil {
			t.Fatal(err)
		}
		var back Histogram
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		sameHistogram(t, &back, h)
		if back.Quantile(0.5) != h.Quantile(0.5) || back.Min() != h.Min() {
			t.Error("values differ")
		}
	}
}

func TestJSONThatIsNoHistogramIsRefusedAndChangesNothing(t *testing.T) {
	for text, reason := range map[string]string{
		``:                 "expected '{'",
		`{`:                "expected '\"'",
		`{"mantissa":7}x`:  "after the object",
		`{"mantissa":99}`:  "mantissa",
		`{"mantissa":7.5}`: "whole number",
		`{"cells":[[1,2]],"min":1,"max":1,"mantissa":8}`: "after cells",
		`{"cells":[[1,2]]}`:                                          "without min and max",
		`{"cells":[[1,2]],"min":5,"max":1}`:                          "below min",
		`{"cells":[[1,2]],"min":-1,"max":1}`:                         "agree with",
		`{"cells":[[7296,2]],"min":0,"max":1}`:                       "agree with",
		`{"cells":[[7296,2]],"min":-2,"max":-1}`:                     "max is negative",
		`{"cells":[[1]],"min":1,"max":1}`:                            "pair",
		`{"cells":[[1,2,3]],"min":1,"max":1}`:                        "pair",
		`{"cells":[[1,0]],"min":1,"max":1}`:                          "empty cell",
		`{"cells":[[-1,1]],"min":1,"max":1}`:                         "not a count",
		`{"cells":[[7297,1]],"min":1,"max":1}`:                       "out of range",
		`{"cells":[[1,18446744073709551615],[1,1]],"min":1,"max":1}`: "64 bits",
		`{"sum":1e5}`: "whole number",
		`{"a":"b`:     "not terminated",
		`{"a":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`: "deeply",
	} {
		h := Histogram{}
		h.Record(3)
		err := h.UnmarshalJSON([]byte(text))
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: error %v, want one with %q", text, err, reason)
		}
		if h.N() != 1 {
			t.Errorf("%s: changed the histogram", text)
		}
	}
}

func TestJSONSkipsOtherKeysAndTakesAnyOrder(t *testing.T) {
	var h Histogram
	text := ` { "unit" : "n\"s", "more":{"a":[1,null,{"b":-1.5e3}],"c":[]}, "max":40,"min":1, "sum":42, "cells" : [ [1,2] , [40,1] ], "n":3 } `
	if err := h.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if h.N() != 3 || h.Sum() != 42 || h.Max() != 40 {
		t.Errorf("n %d sum %v max %d", h.N(), h.Sum(), h.Max())
	}
}

func TestJSONOfTheLimitsIsRead(t *testing.T) {
	for _, text := range []string{
		`{"mantissa":1,"n":0,"sum":0}`,
		`{"mantissa":14,"n":1,"sum":3,"min":3,"max":3,"cells":[[3,1]]}`,
		`{"mantissa":7,"n":3,"sum":-170141183460469231731687303715884105727,"min":-9223372036854775808,"max":0,"cells":[[7296,3]]}`,
		`{"mantissa":7,"n":3,"sum":31,"min":-9,"max":30,"cells":[[10,1],[30,1],[7296,1]]}`,
	} {
		var h Histogram
		if err := h.UnmarshalJSON([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if back, _ := h.MarshalJSON(); string(back) != text {
			t.Errorf("%s was written as %s", text, back)
		}
	}
	for _, text := range []string{`{"mantissa":0}`, `{"mantissa":15}`, `{"sum":170141183460469231731687303715884105728}`} {
		if err := new(Histogram).UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}

func FuzzHistogramJSON(f *testing.F) {
	f.Add([]byte(`{"mantissa":7,"n":3,"sum":42,"min":1,"max":40,"cells":[[1,2],[40,1]]}`))
	f.Add([]byte(`{"mantissa":14,"sum":-170141183460469231731687303715884105728,"x":[{}]}`))
	f.Add([]byte(`{"cells":[[7296,2]],"min":-5,"max":0,"sum":-9}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var h, again Histogram
		if h.UnmarshalJSON(data) != nil {
			return
		}
		text, _ := h.MarshalJSON()
		if err := again.UnmarshalJSON(text); err != nil {
			t.Fatalf("%v: %s from %s", err, text, data)
		}
		sameHistogram(t, &again, &h)
	})
}
