// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/stat"
)

// fill sets every field within v to a different value; fields that JSON omits when empty are sometimes empty.
func fill(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if _, ok := v.Interface().(stat.Interval); ok {
			v.Set(reflect.ValueOf([]stat.Interval{stat.Unknown("refused"), stat.Point(r.NormFloat64(), 1, "", "one frame"),
				{Center: 0, Lo: r.NormFloat64(), Hi: math.MaxFloat64, Level: 0.95, Method: "m", N: 9, NEff: 2, Warnings: []string{"w"}}}[r.IntN(3)]))
			break
		}
		for i := range v.NumField() {
			fill(r, v.Field(i))
		}
	case reflect.Pointer:
		if r.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem())
		}
	case reflect.Slice:
		if n := r.IntN(4); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.Int, reflect.Int32, reflect.Int64:
		if v.Type() == reflect.TypeFor[Kind]() {
			v.SetInt(int64(r.IntN(len(kinds))))
			return
		}
		v.SetInt(int64(r.Uint64()) >> r.IntN(v.Type().Bits()) << (64 - v.Type().Bits()) >> (64 - v.Type().Bits()))
	case reflect.Uint64:
		v.SetUint(r.Uint64() >> r.IntN(64))
	case reflect.Float64:
		v.SetFloat([]float64{0, r.NormFloat64(), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 1e21}[r.IntN(6)])
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.String:
		v.SetString([]string{"", "update", "\"\\\x00\u2028</script>", "日本語"}[r.IntN(4)])
	default:
		panic("a field of type " + v.Type().String() + ": teach fill about it")
	}
}

// emptied sets a histogram without cells to the zero value, which JSON leaves out.
func emptied(s *Snapshot) {
	clear := func(zones []ZoneStats) {
		for i := range zones {
			if zones[i].Histogram.Empty() {
				zones[i].Histogram = Histogram{}
			}
		}
	}
	clear(s.Pooled)
	for i := range s.Lanes {
		clear(s.Lanes[i].Zones)
	}
}

func throughJSON[T any](t *testing.T, in T) {
	t.Helper()
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out T
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if !reflect.DeepEqual(in, out) {
		t.Fatalf("%+v\nbecame\n%+v\nthrough\n%s", in, out, text)
	}
}

func FuzzJSONGivesAnEqualValue(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		var s Snapshot
		fill(r, reflect.ValueOf(&s).Elem())
		emptied(&s)
		throughJSON(t, s)
		var l Timeline
		fill(r, reflect.ValueOf(&l).Elem())
		throughJSON(t, l)
		throughJSON(t, s.Tree().Callers(0))
	})
}

func TestMeansAndQuantilesSurviveJSON(t *testing.T) {
	in := Snapshot{Zones: []ZoneInfo{{Name: "z", Every: 1}}, Lanes: []LaneStats{{Zones: []ZoneStats{{
		Calls: 3, Timed: 3, Total: 1000, Self: 1000, Sum: 1000, Min: 100, Max: 600, Histogram: histogram(100, 300, 600)}}}}}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out Snapshot
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	z := out.Totals()[0]
	mean, _ := z.Mean()
	p50, _ := z.Quantile(0.5)
	if math.Round(mean) != 333 || math.Abs(float64(p50)-300) > 0.032*300 {
		t.Errorf("mean %v, median %v", mean, p50)
	}
}

func TestAKindThatDoesNotExistIsAnError(t *testing.T) {
	var e Event
	if e.Kind != UnknownEvent || e.Kind.String() != "unknown" {
		t.Errorf("the zero value is %v", e.Kind)
	}
	for _, k := range []Kind{-1, LinkEvent + 1} {
		text, err := k.MarshalText()
		if want := fmt.Sprintf("profile.Kind(%d)", int(k)); err != nil || string(text) != want {
			t.Errorf("written as %s: %v", text, err)
		}
		if err := e.Kind.UnmarshalText(text); err == nil {
			t.Errorf("%s was read", text)
		}
	}
	if err := json.Unmarshal([]byte(`{"kind":"turn"}`), &e); err == nil || !strings.Contains(err.Error(), `"turn"`) {
		t.Errorf("%v", err)
	}
}

// Data from another process may contain anything.
func FuzzNothingPanics(f *testing.F) {
	f.Add([]byte(`{"zones":[{}],"lanes":[{"zones":[{"zone":7},{"zone":-1},{"zone":0,"histogram":{"first":-5,"counts":[1,2]}},
		{"zone":0,"histogram":{"first":1000000000000,"counts":[1]}}],"nodes":[{"parent":0},{"parent":9,"zone":3},{"parent":0,"zone":-1}]}],"pooled":[{"zone":3}]}`))
	f.Add([]byte(`{"zones":[{},{}],"lanes":[{"nodes":[{"parent":1},{"parent":0}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var s Snapshot
		if json.Unmarshal(text, &s) != nil {
			return
		}
		_ = s.String()
		half := s
		if n := len(half.Lanes); n > 0 {
			half.Lanes = half.Lanes[:n/2]
		}
		for _, s := range []Snapshot{s, s.Sub(s), s.Sub(half), half.Sub(s)} {
			for _, z := range s.Totals() {
				z.Mean()
				z.Quantile(0.9)
				z.Histogram.StdDev()
				for range z.Histogram.Cells() {
				}
			}
			for _, l := range s.Lanes {
				for zone := range int(3) {
					l.Nodes.Callers(zone - 1)
					l.Nodes.Callees(zone - 1)
				}
			}
			for i, n := range s.Tree() {
				if n.Parent >= i {
					t.Fatalf("the parent of node %d is %d", i, n.Parent)
				}
			}
		}
	})
}
