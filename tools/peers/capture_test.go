// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/capture"
)

// BenchmarkCapture measures what a program spends more while package capture runs.
func BenchmarkCapture(b *testing.B) { runRows(b, captureRows()) }

const (
	requestRate    = 4000 // a second
	requestClients = 8
	serverTrips    = 7  // of a request, to another goroutine and back: 46 events in the recorder
	chattyTrips    = 20 // 122 events
	captureCycles  = 6
	captureSettle  = 2400 * time.Millisecond // after Start, in which it spends what it may spend at once
	captureWindow  = 2400 * time.Millisecond // after that: before the flight recorder rests for the first time
	captureLong    = 45 * time.Second        // several turns of work and rest
)

var captureWays = []string{"loop/off", "loop/on", "server/off", "server/recorder", "server/on", "server/on-for-long",
	"chatty/off", "chatty/recorder", "chatty/on", "web/off", "web/recorder", "web/on", "idle/off", "idle/on", "explain/idle", "explain/server"}

// captureRows are measured together, off and on in turn.
func captureRows() []row {
	measured := sync.OnceValue(measureCapture)
	var all []row
	for _, name := range captureWays {
		all = append(all, row{name, func(b *testing.B) {
			if _, ok := cpuTime(); !ok {
				b.Skip("the processor time of a process is not known here")
			}
			once(b, func() map[string]float64 {
				figures := measured()[name]
				if figures == nil {
					b.Skip("not measured: ", name)
				}
				return figures
			})
		}})
	}
	return all
}

// A load is a program in the background, and how many turns or requests it has done.
type load struct {
	done atomic.Int64
	stop atomic.Bool
	ends sync.WaitGroup

	mu    sync.Mutex
	turns []float64 // durations in us, without waits
}

// took returns the median duration of the turns since the previous call; 0 if there were none.
func (l *load) took() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.turns) == 0 {
		return 0
	}
	m := median(l.turns)
	l.turns = l.turns[:0]
	return m
}

func (l *load) end() {
	l.stop.Store(true)
	l.ends.Wait()
}

// gameLoop turns at 60 Hz, with 400 spans a turn.
func gameLoop() *load {
	l := new(load)
	turn, part := strobe.NewZone("capture turn"), strobe.NewZone("capture part")
	l.ends.Go(func() {
		for next := time.Now(); !l.stop.Load(); time.Sleep(time.Until(next)) {
			began := time.Now()
			span := turn.Enter()
			for range 400 {
				s := part.Enter()
				keptWork.Store(work(1, 8000))
				s.Exit()
			}
			span.Exit()
			strobe.Frame("capture loop")
			us := float64(time.Since(began)) / 1e3
			l.mu.Lock()
			l.turns = append(l.turns, us)
			l.mu.Unlock()
			l.done.Add(1)
			next = next.Add(time.Second / 60)
		}
	})
	return l
}

// requests are served at a constant rate; each goes to another goroutine and back some times. Once in a while, one is slow.
func requests(trips int) *load {
	l := new(load)
	request := strobe.NewRootZone("capture request")
	for range requestClients {
		in, out := make(chan int), make(chan int)
		l.ends.Go(func() {
			for n := range in {
				out <- n
			}
		})
		l.ends.Go(func() {
			defer close(in)
			for next := time.Now(); !l.stop.Load(); time.Sleep(time.Until(next)) {
				span := request.Enter()
				for range trips {
					in <- 1
					<-out
				}
				keptWork.Store(work(1, 60_000))
				if l.done.Add(1)%(requestRate/4) == 0 {
					time.Sleep(10 * time.Millisecond)
				}
				span.Exit()
				next = next.Add(time.Second / requestRate * requestClients)
			}
		})
	}
	return l
}

// captured runs f while capture runs, and returns the reports.
func captured(o capture.Options, f func()) (reports []capture.Report) {
	o.Log = slog.New(slog.DiscardHandler)
	o.On = func(r capture.Report) { reports = append(reports, r) }
	c := capture.Start(o)
	f()
	c.Stop()
	return reports
}

func measureCapture() map[string]map[string]float64 {
	all := map[string]map[string]float64{}
	keep := func(name string, figures map[string]map[string]float64, err error) {
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		}
		for way, f := range figures {
			all[name+"/"+way] = f
		}
	}
	watch := newWatcher()
	compare := func(name string, l *load, perSecond float64, ways ...string) {
		w := watched{watch: watch.watch, changes: watch.changes, rate: func() float64 { return perSecond }}
		w.cost = func() (us, took float64, err error) { us = turnCost(l, captureWindow); return us, l.took(), nil }
		figures, err := w.compare(ways...)
		keep(name, figures, err)
	}
	loop := gameLoop()
	compare("loop", loop, 60, "on")
	loop.end()
	server := requests(serverTrips)
	compare("server", server, requestRate, "recorder", "on")
	all["server/on-for-long"] = longCost(server, all["server/off"]["cpu-us"])
	all["explain/server"] = explained(captured(capture.Options{Cost: -1}, func() { time.Sleep(4 * time.Second) }))
	server.end()
	chatty := requests(chattyTrips)
	compare("chatty", chatty, requestRate, "recorder", "on")
	chatty.end()
	figures, err := measureWeb()
	keep("web", figures, err)
	idle := func() map[string]float64 {
		before, _ := cpuTime()
		time.Sleep(captureWindow)
		after, _ := cpuTime()
		return map[string]float64{"more-%": 100 * float64(after-before) / float64(captureWindow)}
	}
	all["idle/off"] = idle()
	captured(capture.Options{}, func() {
		time.Sleep(captureSettle)
		all["idle/on"] = idle()
	})
	seldom := strobe.NewRootZone("capture seldom")
	all["explain/idle"] = explained(captured(capture.Options{Cost: -1, Budget: 5 * time.Millisecond}, func() {
		for range 10 {
			seldom.Do(func() { time.Sleep(10 * time.Millisecond) })
			time.Sleep(200 * time.Millisecond)
		}
	}))
	return all
}

// longCost returns what capture costs a load over several turns of work and rest. off is the cost without it.
func longCost(l *load, off float64) map[string]float64 {
	c := costs{off: []float64{off}}
	reports := captured(capture.Options{}, func() {
		time.Sleep(captureSettle)
		c.on = []float64{turnCost(l, captureLong)}
	})
	figures := c.figures(requestRate)
	if n := len(reports); n > 0 {
		said := reports[n-1].Overhead
		figures["said-%"] = 100 * (said.Explaining + said.Reading + said.Events)
		figures["explained-%"] = 100 * float64(reports[n-1].Explained) / float64(reports[n-1].Slow)
	}
	return figures
}

// explained returns the processor time of an explanation in ms; nil if there was none.
func explained(reports []capture.Report) map[string]float64 {
	var all []float64
	for _, r := range reports {
		all = append(all, float64(r.Cost)/1e6)
	}
	if len(all) == 0 {
		return nil
	}
	return map[string]float64{"explain-ms": median(all)}
}
