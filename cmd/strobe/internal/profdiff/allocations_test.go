// SPDX-License-Identifier: BSD-3-Clause

package profdiff

import (
	"testing"

	"github.com/google/pprof/profile"
)

// heap returns an allocation profile of 8-byte objects by stack below the benchmark.
func heap(stacks map[string]int64) *profile.Profile {
	values := map[string][]int64{"main.main testing.(*M).Run": {7, 700, 0, 0}, "runtime.main runtime.doInit m.init": {9, 900, 0, 0}}
	for text, n := range stacks {
		values[harness+text] = []int64{n, 8 * n, 0, 0}
	}
	return made([]string{"alloc_objects", "alloc_space", "inuse_objects", "inuse_space"}, values)
}

// Allocations of the set-up do not count as those of the calls.
func TestWhatACallAllocatesIsTheDifferenceOfTwoRuns(t *testing.T) {
	a := NewAllocations(modules)
	for range 3 {
		for side, each := range [2]int64{1, 3} {
			run := func(calls int64) *profile.Profile {
				return heap(map[string]int64{"m.BenchmarkX m.setUp": 500 * each, "m.BenchmarkX m.F strings.Repeat": each * calls, "m.BenchmarkX m.G": 2 * calls})
			}
			if err := a.Add(side, run(10), run(30), 20); err != nil {
				t.Fatal(err)
			}
		}
	}
	all := a.Compare(0.01)
	if len(all) != 2 || all[0].Name != "m.F" || all[1].Name != "m.G" {
		t.Fatalf("%+v", all)
	}
	f, g := all[0], all[1]
	if f.Objects.Base != 1 || f.Objects.New != 3 || !f.Objects.Changed || f.Bytes.Difference.Lo != 16 || f.Bytes.Difference.Level != 1 || g.Bytes.Changed || g.Objects.New != 2 {
		t.Errorf("%+v", all)
	}
	if got := Allocates(all); got != "more is allocated a call by m.F: +16 B in +2 allocations" {
		t.Error(got)
	}
}

// Counts that vary between runs have an interval; if that is wide, no difference is claimed.
func TestAllocationsThatVaryNeedMore(t *testing.T) {
	for _, c := range []struct {
		more int64
		want string
	}{{20, ""}, {4000, "more is allocated a call by m.F: +1600 ± 40 B in +200 ± 5 allocations"}} {
		a := NewAllocations(modules)
		for i := range int64(3) {
			for side, more := range [2]int64{0, c.more} {
				if err := a.Add(side, heap(nil), heap(map[string]int64{"m.BenchmarkX m.F": 2000 + 10*i*int64(1+side) + more}), 20); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := Allocates(a.Compare(0.05)); (got == "") != (c.want == "") {
			t.Errorf("%d more: %q, want %q", c.more, got, c.want)
		}
	}
	if err := NewAllocations(modules).Add(New, cpu(nil), cpu(nil), 1); err == nil {
		t.Error("a processor profile is taken")
	}
}
