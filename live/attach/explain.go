// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/internal/tether"
)

const captureVariable = "STROBE_CAPTURE"

// An explainer explains slow units until it is stopped. A nil one does nothing.
type explainer struct {
	capturer *capture.Capturer

	mu    sync.Mutex
	fresh []tether.Slow
}

// mostFresh is how many slow units wait for the next reading.
const mostFresh = 1000

// explain starts to explain slow units, with a file for each in a folder. They are kept for readings, or else the program logs them.
func explain(folder string, forReadings bool) *explainer {
	if abs, err := filepath.Abs(folder); err == nil { // the program may change its folder
		folder = abs
	}
	e, o := new(explainer), capture.Options{Dir: folder}
	if forReadings {
		o.Log, o.On = slog.New(slog.DiscardHandler), e.add
	}
	e.capturer = capture.Start(o)
	return e
}

func (e *explainer) add(r capture.Report) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.fresh) < mostFresh {
		e.fresh = append(e.fresh, tether.Slow{Root: r.Root, Cause: r.Cause.String(), Took: r.Took, Usual: r.Usual, Sentence: r.String(), Next: r.Next,
			Units: r.Slow, Degrees: r.Degrees, Overhead: r.Overhead.Explaining + r.Overhead.Reading + r.Overhead.Events})
	}
}

// take returns the slow units since the call before.
func (e *explainer) take() []tether.Slow {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	fresh := e.fresh
	e.fresh = nil
	return fresh
}

// stop explains what was slow until now, unless that takes long, and nothing from then on.
func (e *explainer) stop() {
	if e == nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.capturer.Stop()
	}()
	select {
	case <-done:
	case <-time.After(lastWords):
	}
}

// lastWords is how long the end of the program waits for explanations.
const lastWords = time.Second
