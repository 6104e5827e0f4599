// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package capture

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/pressure"
)

// A worker is a program of which turns are measured.
type worker struct {
	name string
	make func() (turn, end func())
	// alone is whether nothing else takes part.
	alone bool
}

// workers are a turn of a game loop with 400 spans, and a request that goes to another goroutine twenty times.
func workers() []worker {
	part, turn := strobe.NewZone("bench part"), strobe.NewZone("bench turn")
	request := strobe.NewRootZone("bench request")
	return []worker{
		{"loop", func() (func(), func()) {
			return func() {
				span := turn.Enter()
				for range 400 {
					s := part.Enter()
					spin(1000)
					s.Exit()
				}
				span.Exit()
				strobe.Frame("bench loop")
			}, func() {}
		}, true},
		{"server", func() (func(), func()) {
			in, out := make(chan int), make(chan int)
			go func() {
				for n := range in {
					out <- n
				}
			}()
			return func() {
				span := request.Enter()
				for range 20 {
					in <- 1
					<-out
				}
				spin(200_000)
				span.Exit()
			}, func() { close(in) }
		}, false},
	}
}

func BenchmarkTurns(b *testing.B) {
	for _, p := range workers() {
		for _, with := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/capture=%v", p.name, with), func(b *testing.B) {
				run, end := p.make()
				defer end()
				if with {
					c := Start(silent())
					defer c.Stop()
					time.Sleep(50 * time.Millisecond)
				}
				for b.Loop() {
					run()
				}
			})
		}
	}
}

// TestCost prints what capture costs, as a ratio of processor time: the median of pairs of blocks with and without, in turn, of the same
// number of turns.
func TestCost(t *testing.T) {
	if *trials == 0 {
		t.Skip("long, and a measurement: run it with -trials 20")
	}
	counters := pressure.Open(pressure.Options{})
	defer counters.Close()
	read := func(c pressure.Counter) float64 {
		var r pressure.Reading
		counters.Read(&r)
		v, _ := r.Value(c)
		return float64(v)
	}
	block := func(p worker, turns int, with bool) (process, thread float64) {
		if p.alone { // its thread is that of the turns; one that talks to others would switch threads each time
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
		}
		run, end := p.make()
		defer end()
		release := strobe.KeepRecording(4 << 20) // which capture needs, and so does the page
		defer release()
		if with {
			c := Start(silent())
			defer c.Stop()
			time.Sleep(50 * time.Millisecond)
		}
		process, thread = read(pressure.ProcessTime), read(pressure.ThreadTime)
		for range turns {
			run()
		}
		return (read(pressure.ProcessTime) - process) / float64(turns), (read(pressure.ThreadTime) - thread) / float64(turns)
	}
	for _, p := range workers() {
		var ratios, own, extra []float64
		for range *trials {
			a, thread := block(p, 1000, false)
			b, with := block(p, 1000, true)
			ratios, own, extra = append(ratios, b/a), append(own, with/thread), append(extra, (b-a)/1000)
		}
		slices.Sort(ratios)
		slices.Sort(own)
		slices.Sort(extra)
		n := len(ratios)
		t.Logf("%s: the process x%.3f of the processor time (quartiles %.3f, %.3f), %.1f us a turn more", p.name, ratios[n/2], ratios[n/4], ratios[n*3/4], extra[n/2])
		if p.alone {
			t.Logf("%s: the thread of the turns x%.3f (%.3f, %.3f)", p.name, own[n/2], own[n/4], own[n*3/4])
		}
	}
	for _, with := range []bool{false, true} {
		if with {
			c := Start(silent())
			defer c.Stop()
			time.Sleep(100 * time.Millisecond)
		}
		before := read(pressure.ProcessTime)
		time.Sleep(3 * time.Second)
		t.Logf("idle, capture %v: %.2f %% of a processor", with, (read(pressure.ProcessTime)-before)/3e9*100)
	}
}

//go:noinline
func spin(n int) {
	x := uint64(n)
	for range n {
		x = x*6364136223846793005 + 1
	}
	spun = x
}

var spun uint64

// BenchmarkExplain measures an explanation, and what it allocates.
func BenchmarkExplain(b *testing.B) {
	z := strobe.NewRootZone("bench slow")
	w := newWatch(silent().withDefaults())
	defer w.release()
	w.degrees = openSources(8<<20, 512<<10, blind{})
	defer closeSources()
	w.open()
	defer w.pressure.Close()
	ping, pong := make(chan int), make(chan int)
	defer close(ping)
	go func() {
		for n := range ping {
			pong <- n
		}
	}()
	for range 2000 {
		z.Do(func() { spin(100_000); ping <- 1; <-pong })
	}
	w.read()
	w.reader.ReadInto(&w.timeline)
	w.spans.read(&w.timeline)
	r := w.root(rootKey{"bench slow", false}, 0)
	now, _, _ := moment()
	c := candidate{root: r, turn: turn{from: now - 1e7, took: 1e7}}
	w.add(r, c.turn, nil)
	w.slow = w.slow[:0]
	b.ReportAllocs()
	for b.Loop() {
		w.explain([]candidate{c})
	}
}
