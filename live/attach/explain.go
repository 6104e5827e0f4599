// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
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
	fresh logged
}

// A logged is what readings pass on.
type logged struct {
	slow         []tether.Slow
	said, faults []string
}

// mostFresh is how many of each wait for the next reading.
const mostFresh = 1000

func keep[T any](all []T, one T) []T {
	if len(all) < mostFresh {
		all = append(all, one)
	}
	return all
}

// explain starts to explain slow units, with a file for each in a folder. They are kept for readings, or else the program logs them.
func explain(folder string, forReadings bool) *explainer {
	if abs, err := filepath.Abs(folder); err == nil { // the program may change its folder
		folder = abs
	}
	e, o := new(explainer), capture.Options{Dir: folder, Log: slog.New(programs{})}
	if forReadings {
		o.Log, o.On = slog.New((*handler)(e)), e.add
	}
	e.capturer = capture.Start(o)
	return e
}

func (e *explainer) add(r capture.Report) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.fresh.slow = keep(e.fresh.slow, tether.Slow{Root: r.Root, Cause: r.Cause.String(), Took: r.Took, Usual: r.Usual, Sentence: r.String(), Next: r.Next,
		Units: r.Slow, Degrees: r.Degrees})
}

// take returns what is new since the call before.
func (e *explainer) take() (fresh logged) {
	if e == nil {
		return fresh
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	fresh, e.fresh = e.fresh, logged{}
	return fresh
}

// watching returns what looking for slow units and explaining them has taken, as a share of one processor.
func (e *explainer) watching() float64 {
	if e == nil {
		return 0
	}
	o := e.capturer.Overhead()
	return o.Explaining + o.Reading + o.Events
}

// programs is the log of the program, which is not set yet when package main is initialised.
type programs struct{}

func (programs) Enabled(ctx context.Context, l slog.Level) bool {
	return slog.Default().Enabled(ctx, l)
}

func (programs) Handle(ctx context.Context, r slog.Record) error {
	return slog.Default().Handler().Handle(ctx, r)
}

func (p programs) WithAttrs([]slog.Attr) slog.Handler { return p }

func (p programs) WithGroup(string) slog.Handler { return p }

// A handler keeps the log of capture. What has a root is about a slow unit, and the sentence says it all.
type handler explainer

func (h *handler) Enabled(context.Context, slog.Level) bool { return true }

func (h *handler) Handle(_ context.Context, r slog.Record) error {
	text, unit := r.Message, false
	r.Attrs(func(a slog.Attr) bool {
		unit = a.Key == "root"
		if list, ok := a.Value.Any().([]string); ok {
			text += ": " + strings.Join(list, "; ")
		} else if !unit {
			text += ": " + a.Value.String()
		}
		return !unit
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	if !unit && r.Level >= slog.LevelWarn {
		h.fresh.faults = keep(h.fresh.faults, text)
	} else {
		h.fresh.said = keep(h.fresh.said, text)
	}
	return nil
}

func (h *handler) WithAttrs([]slog.Attr) slog.Handler { return h }

func (h *handler) WithGroup(string) slog.Handler { return h }

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
const lastWords = 2 * time.Second
