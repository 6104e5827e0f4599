// SPDX-License-Identifier: BSD-3-Clause

package soak

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// A Result has what was found. What could not be measured is in Missing, with the reason.
type Result struct {
	For     time.Duration
	Checks  map[string]Check              // by what was checked
	Figures map[string]map[string]float64 // by what was measured
	Missing map[string]string
}

const mega = 1e6

// A soak is a run.
type soak struct {
	Options
	log    io.Writer
	checks checks

	began    time.Time
	samples  map[string][]float64 // after Settle
	missing  map[string]string
	bare     []float64 // resident memory without strobe
	observer *observer
	viewer   *viewer
	process  *process
}

// Run runs the program in processes made by command, whose main must call Program, and tells log how it goes.
func Run(ctx context.Context, o Options, command func() *exec.Cmd, log io.Writer) (r Result, err error) {
	s := &soak{Options: o, log: log, samples: map[string][]float64{}, missing: map[string]string{}}
	bare := o
	bare.Bare = true
	without, err := start(bare, command)
	if err != nil {
		return r, err
	}
	ended := false
	defer func() {
		if !ended {
			without.end()
		}
	}()
	if s.process, err = start(o, command); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.process.end()) }()
	s.began = time.Now()
	s.observer = newObserver(s.process.url, &s.checks)
	s.viewer = newViewer(s.observer)
	ctx, stop := context.WithCancelCause(ctx)
	var watching sync.WaitGroup
	defer watching.Wait()
	defer stop(nil)
	look := func(err error) {
		if err != nil && ctx.Err() == nil {
			stop(err)
		}
	}
	watching.Go(func() { look(s.viewer.view(ctx)) })
	watching.Go(func() { look(s.viewer.watch(ctx, o.Every)) })
	for n := 0; time.Since(s.began) < o.For; n++ {
		select {
		case <-time.After(o.Every):
		case <-ctx.Done():
			return r, context.Cause(ctx)
		}
		settled := time.Since(s.began) >= o.Settle
		if !settled {
			s.sampleBare(without)
		} else if !ended {
			ended = true
			if err := without.end(); err != nil {
				return r, fmt.Errorf("without strobe: %w", err)
			}
		}
		if err := s.look(ctx, n, settled); err != nil {
			return r, errors.Join(err, context.Cause(ctx))
		}
	}
	return s.last(ctx)
}

// sampleBare looks at the program without strobe.
func (s *soak) sampleBare(p *process) {
	if rss, err := p.resident(); err == nil {
		s.bare = append(s.bare, rss)
	}
}

// look looks at the program once: memory and descriptors before the pages, which need both.
func (s *soak) look(ctx context.Context, n int, settled bool) error {
	o := s.observer
	now, err := o.plain(ctx, "GET", "/plain")
	if err != nil {
		return err
	}
	rss, noRSS := s.process.resident()
	files, noFiles := s.process.descriptors()
	held := s.viewer.held()
	if settled {
		sample := func(name string, value float64, err error) {
			if err != nil {
				s.missing[name] = err.Error()
				return
			}
			s.samples[name] = append(s.samples[name], value)
		}
		sample("RSS-MB", rss/mega, noRSS)
		sample("descriptors", files, noFiles)
		sample("goroutines", float64(now.Goroutines), nil)
		sample("heap-MB", float64(now.Heap)/mega, nil)
		sample("Memory-MB", float64(now.Memory)/mega, nil)
		for _, bytes := range held {
			sample("declared-MB", (bytes+captureBytes)/mega, nil)
		}
	}
	size, err := s.sizeOfFolder()
	if err != nil {
		return err
	}
	s.checks.that(size <= s.FolderBytes, "counts/captures", "captures take %d bytes of %d", size, s.FolderBytes)
	if n%12 == 0 {
		fmt.Fprintf(s.log, "soak: %v: %d calls, %d goroutines, %d reports, heap %.0f MB, Memory %.0f MB, RSS %.0f MB, %.0f descriptors %v\n", time.Since(s.began).Round(time.Second),
			now.Ended.sum(), now.Started, now.Reports, float64(now.Heap)/mega, float64(now.Memory)/mega, rss/mega, files, now.Notes)
	}
	if err := o.between(ctx, &o.scrapes, o.scrape); err != nil {
		return err
	}
	if n%6 == 5 {
		if err := o.between(ctx, &o.snapshots, o.snapshot); err != nil {
			return err
		}
	}
	return nil
}

// last ends the program's work and compares everything exactly.
func (s *soak) last(ctx context.Context) (r Result, err error) {
	o := s.observer
	took := time.Since(s.began)
	end, err := o.plain(ctx, "POST", "/stop")
	if err != nil {
		return r, err
	}
	for _, from := range []struct {
		name string
		said func(context.Context) (counts, error)
	}{
		{"counts/scrapes", o.scrape},
		{"counts/snapshot.json", o.snapshot},
		{"counts/page", func(ctx context.Context) (counts, error) { return s.viewer.later(ctx, end.At) }},
	} {
		said, err := from.said(ctx)
		if err != nil {
			return r, err
		}
		o.same(from.name, said, end)
	}
	if err := s.readCaptures(end.Reports); err != nil {
		return r, err
	}
	for name, c := range end.Checks {
		s.checks.add(name, c)
	}
	if end.Shared {
		s.missing["misuse"] = "goroutines shared a lane, which does not notice misuse"
	}
	r = Result{For: took, Checks: s.checks.list(), Figures: map[string]map[string]float64{}, Missing: s.missing}
	for _, name := range []string{"RSS-MB", "descriptors", "goroutines", "heap-MB", "Memory-MB", "declared-MB"} {
		switch figures, ok := flat(s.samples[name]); {
		case ok:
			r.Figures[name] = figures
		case r.Missing[name] == "":
			r.Missing[name] = fmt.Sprintf("%d samples are too few", len(s.samples[name]))
		}
	}
	if end.ClockRead {
		r.Figures["clock"] = map[string]float64{"worst-ns": end.ClockError}
	} else {
		r.Missing["clock"] = fmt.Sprintf("the clock of package time cannot be read within %v", narrow)
	}
	s.memory(&r)
	r.Figures["run/minutes"] = map[string]float64{"number": took.Minutes()}
	r.Figures["run/calls"] = map[string]float64{"number": float64(end.Ended.sum())}
	r.Figures["run/goroutines"] = map[string]float64{"number": float64(end.Started)}
	r.Figures["run/reports"] = map[string]float64{"number": float64(end.Reports)}
	return r, nil
}

// memory compares what was resident with what is declared: what the program needs without strobe, and what strobe says that it holds.
func (s *soak) memory(r *Result) {
	rss, declared := r.Figures["RSS-MB"], r.Figures["declared-MB"]
	if len(s.bare) < least {
		r.Missing["RSS-MB-without"] = "the program without strobe was not seen often enough"
		return
	}
	without := median(s.bare[len(s.bare)/2:]) / mega
	r.Figures["RSS-MB-without"] = map[string]float64{"settled": without}
	if rss != nil && declared != nil {
		rss["of-declared"] = rss["most"] / (without + declared["at-end"])
	}
}
