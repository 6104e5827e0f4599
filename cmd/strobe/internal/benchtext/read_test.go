// SPDX-License-Identifier: BSD-3-Clause

package benchtext

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestLinesAreReadAsTheFormatHasThem(t *testing.T) {
	f, err := Read(strings.NewReader("goos: linux\r\n" + `pkg: a/b
Unit p99-ns/op better=lower
Unit text-bytes assume=exact better=higher more
Unit broken
some test printed: this
BenchmarkA/size=1-8   	 100	 2.5 ns/op	 3 MB/s  7 p99-ns/op	0 B/op
BenchmarkNotYet
Benchmarking is fun 1 ns/op
BenchmarkB 0 1 ns/op
BenchmarkB 1 1
BenchmarkB 1 x ns/op
BenchmarkB 1 NaN ns/op
pkg:
Benchmark 5 1 widgets
PASS
`))
	if err != nil {
		t.Fatal(err)
	}
	nano := 1e-9 // a variable: products of constants are exact
	want := []Result{
		{"A/size=1-8", 100, []Value{{"sec/op", 2.5 * nano}, {"B/s", 3e6}, {"p99-sec/op", 7 * nano}, {"B/op", 0}}, map[string]string{"goos": "linux", "pkg": "a/b"}},
		{"", 5, []Value{{"widgets", 1}}, map[string]string{"goos": "linux"}},
	}
	if !reflect.DeepEqual(f.Results, want) {
		t.Errorf("%+v", f.Results)
	}
	if units := map[string]Unit{"p99-sec/op": {Better: "lower"}, "text-bytes": {Better: "higher", Exact: true}}; !reflect.DeepEqual(f.Units, units) {
		t.Errorf("%+v", f.Units)
	}
	if len(f.Skipped) != 4 || !strings.HasPrefix(f.Skipped[0], "line 10: ") {
		t.Errorf("%q", f.Skipped)
	}
}

func TestALineWithoutEndIsRefused(t *testing.T) {
	if _, err := Read(strings.NewReader("\n" + strings.Repeat("x", most+1))); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("goos: linux\nBenchmarkA-8 1 2 ns/op 3 MB/s\nUnit x better=lower\n")
	f.Add("BenchmarkX 1 1e308 MB/s -1 ns/op\nkey:\nkey: v\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, r := range file.Results {
			if r.Iters <= 0 || len(r.Values) == 0 || r.Config == nil {
				t.Errorf("%+v", r)
			}
			for _, v := range r.Values {
				if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) || v.Unit == "" {
					t.Errorf("%+v", r)
				}
			}
		}
	})
}
