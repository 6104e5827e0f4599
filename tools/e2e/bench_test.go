// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && arm64

package e2e

import (
	"flag"
	"testing"

	"github.com/strobe-go/strobe/perf/perfbench"
)

func TestCountsOfABenchmarkAreThoseOfItsBodyInEveryForm(t *testing.T) {
	flag.Set("test.benchtime", "20000x")
	for name, f := range map[string]func(b *testing.B){
		"b.N": func(b *testing.B) {
			perfbench.Start(b, user)
			for range b.N {
				loop(1000)
			}
		},
		"b.Loop": func(b *testing.B) {
			perfbench.Start(b, user)
			for b.Loop() {
				loop(1000)
			}
		},
		"RunParallel": func(b *testing.B) {
			perfbench.Start(b, user)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					loop(1000)
				}
			})
		},
	} {
		r := testing.Benchmark(f)
		if got := r.Extra["user-instructions/op"]; got < 2000 || got > 2060 {
			t.Errorf("%s: a body of 2000 instructions reads %v", name, got)
		} else {
			t.Logf("%s: a body of 2000 instructions reads %v", name, got)
		}
	}
}

func TestCountsOfABenchmarkStopWithItsTimer(t *testing.T) {
	flag.Set("test.benchtime", "100x")
	r := testing.Benchmark(func(b *testing.B) {
		c := perfbench.Start(b, user)
		for range b.N {
			c.StopTimer()
			loop(1_000_000)
			c.StartTimer()
			loop(1000)
		}
	})
	if got := r.Extra["user-instructions/op"]; got < 2000 || got > 10_000 {
		t.Errorf("a body of 2000 instructions, 2 000 000 outside of the timer: %v", got)
	}
}
