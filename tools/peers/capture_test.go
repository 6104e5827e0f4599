// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"fmt"
	"log/slog"
	"os"
	"runtime/trace"
	"slices"
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
	requestTrips   = 20   // to another goroutine
	requestClients = 8
	captureCycles  = 6
	captureSettle  = 2400 * time.Millisecond // after Start, in which it spends what it may spend at once
	captureWindow  = 2400 * time.Millisecond // after that: before the flight recorder rests for the first time
	captureLong    = 45 * time.Second        // several turns of work and rest
)

var captureWays = []string{"loop/off", "loop/on", "server/off", "server/recorder", "server/on", "server/on-for-long", "web/off", "web/recorder", "web/on", "idle/off", "idle/on", "explain/idle", "explain/server"}

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

// requests are served at a constant rate; each goes to another goroutine and back many times. Once in a while, one is slow.
func requests() *load {
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
				for range requestTrips {
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

// costs are processor times of a turn in us, without and with capture, and how long it took.
type costs struct{ off, on, offTook, onTook []float64 }

// figures returns those of both ways; perSecond is how many turns there are. Each way's turns are compared with those just before, since the
// machine's speed changes.
func (c *costs) figures(perSecond float64) (off, on map[string]float64) {
	plain := median(slices.Clone(c.off))
	var more []float64
	for i, with := range c.on {
		before := plain
		if len(c.off) == len(c.on) {
			before = c.off[i]
		}
		more = append(more, (with-before)*perSecond/1e4)
	}
	off, on = map[string]float64{"cpu-us": plain}, map[string]float64{"cpu-us": median(slices.Clone(c.on)), "more-%": median(more)}
	if len(c.offTook) > 0 && c.offTook[0] > 0 {
		on["turn-of-off"] = medianRatio(c.onTook, c.offTook)
	}
	return off, on
}

// turnCost returns the processor time of a turn over a while, in us.
func turnCost(l *load, d time.Duration) float64 {
	l.took()
	before, _ := cpuTime()
	n := l.done.Load()
	time.Sleep(d)
	after, _ := cpuTime()
	return float64(after-before) / 1e3 / float64(max(1, l.done.Load()-n))
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

// newRecorder returns the runtime's flight recorder as package capture uses it.
func newRecorder() *trace.FlightRecorder {
	return trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: time.Second, MaxBytes: 8 << 20})
}

// onlyRecorder runs f while the flight recorder runs, and not at all if that cannot be started: its row then has no figures.
func onlyRecorder(f func()) {
	r := newRecorder()
	if err := r.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "flight recorder:", err)
		return
	}
	defer r.Stop()
	f()
}

func measureCapture() map[string]map[string]float64 {
	all := map[string]map[string]float64{}
	compare := func(l *load, with func(func())) (c costs) {
		for range captureCycles {
			c.off = append(c.off, turnCost(l, captureWindow))
			c.offTook = append(c.offTook, l.took())
			with(func() {
				time.Sleep(captureSettle)
				c.on = append(c.on, turnCost(l, captureWindow))
				c.onTook = append(c.onTook, l.took())
			})
		}
		return c
	}
	whole := func(f func()) { captured(capture.Options{}, f) }
	loop := gameLoop()
	c := compare(loop, whole)
	loop.end()
	all["loop/off"], all["loop/on"] = c.figures(60)
	server := requests()
	if c = compare(server, onlyRecorder); len(c.on) > 0 {
		_, all["server/recorder"] = c.figures(requestRate)
	}
	c = compare(server, whole)
	all["server/off"], all["server/on"] = c.figures(requestRate)
	long := captured(capture.Options{}, func() {
		time.Sleep(captureSettle)
		c.on = []float64{turnCost(server, captureLong)}
	})
	_, all["server/on-for-long"] = c.figures(requestRate)
	if n := len(long); n > 0 {
		said := long[n-1].Overhead
		all["server/on-for-long"]["said-%"] = 100 * (said.Explaining + said.Reading + said.Events)
		all["server/on-for-long"]["explained-%"] = 100 * float64(long[n-1].Explained) / float64(long[n-1].Slow)
	}
	all["explain/server"] = explained(captured(capture.Options{Cost: -1}, func() { time.Sleep(4 * time.Second) }))
	server.end()
	for _, way := range [][2]string{{"recorder", "web/recorder"}, {"capture", "web/on"}} { // web/off is the one beside web/on
		c, rate, err := measureWeb(way[0])
		if err != nil {
			fmt.Fprintln(os.Stderr, "web:", err)
			continue
		}
		all["web/off"], all[way[1]] = c.figures(rate)
		all["web/off"]["pages/s"], all[way[1]]["pages/s"] = rate, rate
	}
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
