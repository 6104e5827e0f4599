// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package capture

import (
	"strconv"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
)

//go:noinline
func spin(n int) {
	x := uint64(n)
	for range n {
		x = x*6364136223846793005 + 1
	}
	spun = x
}

var spun uint64

// bounce returns the channels of a goroutine that sends back what it receives, until ping is closed.
func bounce() (ping, pong chan int) {
	ping, pong = make(chan int), make(chan int)
	go func() {
		for n := range ping {
			pong <- n
		}
	}()
	return ping, pong
}

// BenchmarkExplain measures an explanation, and what it allocates.
func BenchmarkExplain(b *testing.B) {
	z := strobe.NewRootZone("bench slow")
	w := newWatch(silent().withDefaults())
	defer w.release()
	w.degrees = openSources(8<<20, 512<<10, blind{})
	defer closeSources()
	w.open()
	defer w.pressure.Close()
	ping, pong := bounce()
	defer close(ping)
	for range 2000 {
		z.Do(func() { spin(100_000); ping <- 1; <-pong })
	}
	w.read()
	w.reader.ReadInto(&w.timeline)
	w.spans.read(&w.timeline, time.Second)
	r := w.root(rootKey{"bench slow", false}, 0)
	now := clock.NowOrdered()
	c := candidate{root: r, turn: turn{from: now - 1e7, took: 1e7}}
	w.add(r, c.turn, nil)
	w.slow = w.slow[:0]
	b.ReportAllocs()
	for b.Loop() {
		w.explain([]candidate{c})
	}
}

// BenchmarkSurvey measures a look at a stretch of time in which many units ended, of which each waited once: surveys take a fifth of
// Options.Cost, so that this says how many there are.
func BenchmarkSurvey(b *testing.B) {
	for _, units := range []int{100, 2000} {
		b.Run(strconv.Itoa(units)+" units", func(b *testing.B) {
			z := strobe.NewRootZone("bench survey")
			w := newWatch(Options{Cost: -1, Log: silent().Log}.withDefaults())
			defer w.release()
			w.degrees = openSources(8<<20, 512<<10, blind{})
			defer closeSources()
			w.open()
			defer w.pressure.Close()
			ping, pong := bounce()
			defer close(ping)
			var took time.Duration
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				w.lookNow() // what came before
				w.looking.rest(time.Now())
				w.looking.from = w.timeline.At
				for range units {
					z.Do(func() { spin(20_000); ping <- 1; <-pong })
				}
				w.read()
				w.reader.ReadInto(&w.timeline)
				w.looking.read(&w.timeline, time.Now())
				w.units.Read(w.timeline, w.looking.unit)
				b.StartTimer()
				took += w.processorTime(func() { w.surveyNow(time.Now()) })
			}
			b.ReportMetric(float64(took.Microseconds())/1e3/float64(b.N), "cpu-ms/op")
		})
	}
}
