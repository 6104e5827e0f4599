// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
)

var benchZone = NewZone("bench")

//go:noinline
func inFunction() { s := benchZone.Enter(); s.Exit() }

//go:noinline
func inDefer() { defer benchZone.Enter().Exit() }

func warmUp() {
	for end := time.Now().Add(2 * time.Millisecond); time.Now().Before(end); {
		benchZone.Enter().Exit()
	}
}

func BenchmarkTwoTicks(b *testing.B) { // the lower limit
	warmUp()
	for b.Loop() {
		clock.Ticks()
		clock.Ticks()
	}
}

func BenchmarkSpan(b *testing.B) {
	warmUp()
	b.ReportAllocs()
	for b.Loop() {
		benchZone.Enter().Exit()
	}
}

func BenchmarkSpanOfARootZone(b *testing.B) {
	z := NewRootZone("request")
	warmUp()
	b.ReportAllocs()
	for b.Loop() {
		z.Enter().Exit()
	}
}

func BenchmarkSpanInFunction(b *testing.B) {
	for b.Loop() {
		inFunction()
	}
}

// A call of a sampled zone that is hardly ever timed, beside one of a zone that is off.
func BenchmarkDue(b *testing.B) {
	for name, every := range map[string]int{"off": -1, "sampled": 1 << 20} {
		z := NewZone(name)
		z.SetSampling(every)
		z.Enter().Exit()
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				behindDue(z)
			}
		})
	}
}

func BenchmarkSpanDeferred(b *testing.B) {
	for b.Loop() {
		inDefer()
	}
}

func BenchmarkSpanOnLane(b *testing.B) {
	l := NewLane("bench")
	for b.Loop() {
		l.Enter(benchZone).Exit()
	}
}

func BenchmarkSpanParallel(b *testing.B) {
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			benchZone.Enter().Exit()
		}
	})
}

func BenchmarkSpanRecorded(b *testing.B) {
	Record(1 << 20)
	defer Record(0)
	for b.Loop() {
		benchZone.Enter().Exit()
	}
}

func BenchmarkLapNext(b *testing.B) {
	p := StartLap(benchZone)
	defer p.End()
	for b.Loop() {
		p.Next(benchZone)
	}
}

func BenchmarkSpanSampled(b *testing.B) {
	z := NewZone("sampled")
	z.SetSampling(64)
	for b.Loop() {
		z.Enter().Exit()
	}
}

func BenchmarkSpanOff(b *testing.B) {
	z := NewZone("off")
	z.SetSampling(-1)
	for b.Loop() {
		z.Enter().Exit()
	}
}

func BenchmarkCurrentTask(b *testing.B) {
	defer NewRootZone("request").Enter().Exit()
	b.ReportAllocs()
	for b.Loop() {
		CurrentTask()
	}
}

func BenchmarkTaskEnter(b *testing.B) {
	task := Task{number: 1 << 40}
	b.ReportAllocs()
	for b.Loop() {
		task.Enter(benchZone).Exit()
	}
}

func BenchmarkTaskEnterRecorded(b *testing.B) {
	Record(1 << 20)
	defer Record(0)
	BenchmarkTaskEnter(b)
}

func BenchmarkNote(b *testing.B) {
	Record(1 << 20)
	defer Record(0)
	b.ReportAllocs()
	for b.Loop() {
		Note("route", "/cart")
	}
}

// BenchmarkSpanFolded measures spans of functions that call each other in turn, as those of a parser do, on paths for which the tree has
// no room.
func BenchmarkSpanFolded(b *testing.B) {
	amplyBudgeted(b)
	zones := make([]*Zone, 50)
	for i := range zones {
		zones[i] = NewZone("folded")
	}
	l := newNamedLane("folded")
	r := rand.New(rand.NewPCG(1, 2))
	n := 0
	var call func(depth int)
	call = func(depth int) {
		n++
		s := l.Enter(zones[r.IntN(len(zones))])
		for range 1 + r.IntN(2) {
			if depth > 0 {
				call(depth - 1)
			}
		}
		s.Exit()
	}
	for range 100 {
		call(20)
	}
	n = 0
	b.ResetTimer()
	for range b.N {
		for end := n + 1000; n < end; {
			call(14)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(n), "ns/span")
}
