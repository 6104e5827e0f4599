// SPDX-License-Identifier: BSD-3-Clause

package benchtext

import (
	"math"
	"reflect"
	"slices"
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

func TestNamesMayGoOnInLowerCase(t *testing.T) {
	f, err := Read(strings.NewReader("Benchmarkparse/x-8 5 1 ns/op\nBenchmarkäöü 5 1 ns/op\nBenchmarking 3 things now\nBenchmarks are fun\n"))
	if err != nil || len(f.Results) != 2 || f.Results[0].Name != "parse/x-8" || f.Results[1].Name != "äöü" || len(f.Skipped) != 1 {
		t.Errorf("%v, %+v", err, f)
	}
}

func TestFailuresAreNamed(t *testing.T) {
	f, err := Read(strings.NewReader(`BenchmarkA-2 5 1 ns/op
--- FAIL: BenchmarkB-2
    b_test.go:9: no
    --- FAIL: BenchmarkC/x-2
panic: boom [recovered]
fatal error: all goroutines are asleep - deadlock!
exit status 2
FAIL	a/b	0.004s
FAIL	a/c [build failed]
signal: killed
FAIL
testing: warning: no tests to run
FAILURES=3
ok  	a/d	1.2s
BenchmarkD-2 5 1 ns/op
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"line 2: --- FAIL: BenchmarkB-2", "line 4: --- FAIL: BenchmarkC/x-2", "line 5: panic: boom [recovered]",
		"line 6: fatal error: all goroutines are asleep - deadlock!", "line 8: FAIL\ta/b\t0.004s", "line 9: FAIL\ta/c [build failed]",
		"line 10: signal: killed", "line 11: FAIL"}
	if !slices.Equal(f.Failures, want) {
		t.Errorf("%q", f.Failures)
	}
	if len(f.Results) != 2 || len(f.Results[1].Config) != 0 {
		t.Errorf("a failure became a configuration: %+v", f.Results)
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

// These lines remain of a benchmark that panics while package testing continues, with and without -benchmem.
func TestResultsThatSayNothingAreBroken(t *testing.T) {
	for line, want := range map[string]string{
		"BenchmarkA-2 \t       1\t": "A-2", "BenchmarkA \t 1\t 0 B/op\t 0 allocs/op": "A", "BenchmarkA-2": "", "BenchmarkA \t 1\t 7 ns/op": "",
		"BenchmarkA \t 1\t 7 instructions/op\t 0 B/op": "", "BenchmarkA \t 1\t 7 widgets\t 0 B/op": "", "BenchmarkA \t panic: boom": "", "Benchmarking 12": "", "hello 1": "", "": "",
	} {
		if name, ok := Broken(line); ok != (want != "") || ok && name != want {
			t.Errorf("%q: %q, %v, want %q", line, name, ok, want)
		}
	}
	for line, want := range map[string]bool{"BenchmarkA 1 7 ns/op": true, "BenchmarkA 1 7 instructions/op": true, "BenchmarkA 1 7 machine-instructions/op": true, "BenchmarkA 1 0 B/op": false} {
		f, err := Read(strings.NewReader(line))
		if err != nil || len(f.Results) != 1 {
			t.Fatal(err, f)
		}
		if _, ok := f.Results[0].Cost(); ok != want {
			t.Errorf("%q: a cost: %v", line, ok)
		}
	}
}
