// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"bytes"
	"errors"
	"log/slog"
	"runtime/trace"
	"slices"
	"time"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/internal/gotrace"
)

// costs are processor times of a turn in us, and how long it took, in windows without and with something that watches the program.
type costs struct{ off, on, offTook, onTook []float64 }

// figures returns those of what watches; perSecond is how many turns there are. Each window is compared with the one just before, since
// the machine's speed changes.
func (c *costs) figures(perSecond float64) map[string]float64 {
	var more []float64
	for i, with := range c.on {
		more = append(more, (with-c.off[i])*perSecond/1e4)
	}
	all := map[string]float64{"cpu-us": median(slices.Clone(c.on)), "more-%": median(more)}
	if len(c.offTook) > 0 && c.offTook[0] > 0 {
		all["turn-of-off"] = medianRatio(c.onTook, c.offTook)
	}
	return all
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

// A watched load is measured by windows.
type watched struct {
	cost    func() (us, took float64, err error)  // of a turn, over a window
	watch   func(with string) error               // by capture or only by the recorder; "" ends it
	changes func() (perSecond float64, err error) // of goroutines' states, while the recorder runs
	rate    func() float64                        // turns a second
}

// compare measures a load that is not watched in turn with one that is, in each of some ways, so that what else the machine does is in
// the figures of all.
func (w watched) compare(ways ...string) (map[string]map[string]float64, error) {
	found, plain, changes := map[string]*costs{}, []float64{}, 0.0
	for range captureCycles {
		for _, way := range ways {
			c := found[way]
			if c == nil {
				c = new(costs)
				found[way] = c
			}
			off, offTook, err := w.cost()
			if err == nil {
				err = w.watch(way)
			}
			if err != nil {
				return nil, err
			}
			time.Sleep(captureSettle)
			on, onTook, err := w.cost()
			if way == "recorder" && changes == 0 && err == nil {
				changes, err = w.changes()
			}
			if err := errors.Join(err, w.watch("")); err != nil {
				return nil, err
			}
			plain = append(plain, off)
			c.off, c.offTook, c.on, c.onTook = append(c.off, off), append(c.offTook, offTook), append(c.on, on), append(c.onTook, onTook)
		}
	}
	all := map[string]map[string]float64{"off": {"cpu-us": median(plain)}}
	for way, c := range found {
		all[way] = c.figures(w.rate())
	}
	if changes > 0 {
		all["recorder"]["changes"] = changes / w.rate()
	}
	return all, nil
}

// A watcher watches the process that it is in.
type watcher struct {
	capturer *capture.Capturer
	recorder *trace.FlightRecorder
}

// newWatcher returns one whose flight recorder is as package capture uses it.
func newWatcher() *watcher {
	return &watcher{new(capture.Capturer), trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: time.Second, MaxBytes: 8 << 20})}
}

// watch lets the process be watched by capture or only by the recorder, or by neither.
func (w *watcher) watch(with string) error {
	w.capturer.Stop()
	w.recorder.Stop()
	switch with {
	case "on":
		w.capturer = capture.Start(capture.Options{Log: slog.New(slog.DiscardHandler)})
	case "recorder":
		return w.recorder.Start()
	}
	return nil
}

// changes returns how often goroutines change their state in a second, as the recorder has it.
func (w *watcher) changes() (float64, error) {
	var window bytes.Buffer
	if _, err := w.recorder.WriteTo(&window); err != nil {
		return 0, err
	}
	t, err := gotrace.Read(window.Bytes())
	if err != nil {
		return 0, err
	}
	n := 0
	for _, g := range t.Goroutines {
		n += len(g.Steps)
	}
	return float64(n) / (float64(t.To-t.From) / 1e9), nil
}
