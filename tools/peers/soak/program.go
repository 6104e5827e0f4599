// SPDX-License-Identifier: BSD-3-Clause

package soak

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/clock"
	strobeprom "github.com/strobe-go/strobe/contrib/prometheus"
	"github.com/strobe-go/strobe/live"
)

// Variable is the environment variable that makes a process the program: main calls Program if it is set.
const Variable = "STROBE_SOAK_PROGRAM"

// captureBytes is Options.MemoryBytes of package capture, by default.
const captureBytes = 16 << 20

// A state is what the program says about itself, without the help of strobe except where said.
type state struct {
	At           clock.Instant // 0 without strobe
	Ended, Begun counts        // calls by zone, read in this order
	Goroutines   int
	Started      uint64 // goroutines that came
	Heap         uint64 // bytes that the latest garbage collection found in use
	Memory       int64  // Snapshot.Memory, of the latest reading
	Shared       bool   // the budget was used up, so that goroutines shared a lane; known at the end
	Notes        []string
	Reports      uint64 // of package capture
	ClockError   float64
	ClockRead    bool
	Checks       map[string]Check
}

// Program is the main function of the program. It prints its address, and runs until its standard input ends.
func Program() {
	if err := program(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// A running program.
type running struct {
	*crowd
	checks  checks
	clocks  *clockWatch
	readers readers
	reports atomic.Uint64
}

func program(in io.Reader, out io.Writer) error {
	var o Options
	if err := json.Unmarshal([]byte(os.Getenv(Variable)), &o); err != nil {
		return fmt.Errorf("%s: %w", Variable, err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	p := &running{crowd: newCrowd(newPlain(o.Bare), o), clocks: newClockWatch()}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /plain", func(w http.ResponseWriter, r *http.Request) { answer(w, p.state()) })
	if !o.Bare {
		strobe.SetBudget(o.Budget)
		page := live.New(live.Options{})
		defer page.Close()
		mux.Handle("/strobe/", http.StripPrefix("/strobe", page))
		registry := prometheus.NewRegistry()
		registry.MustRegister(strobeprom.NewCollector(strobeprom.Options{SlowFrames: page.SlowFrames}))
		mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
		c := capture.Start(capture.Options{MemoryBytes: captureBytes, Dir: o.Folder, DiskBytes: o.FolderBytes, Log: slog.New(slog.DiscardHandler),
			On: func(r capture.Report) { p.report(r) }})
		defer c.Stop()
		mux.HandleFunc("POST /stop", func(w http.ResponseWriter, r *http.Request) {
			p.end()
			p.readers.last(&p.checks, p.crowd)
			answer(w, p.state())
		})
		p.watch(o.Every)
	}
	p.start(o.Churned, o.Parked)
	p.wait(&p.checks)
	server := http.Server{Handler: mux}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		server.Close()
	}()
	fmt.Fprintln(out, listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func answer(w http.ResponseWriter, s state) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s) // the observer sees an answer that is cut
}

// watch compares clocks and readers with what they say, until the program ends.
func (p *running) watch(every time.Duration) {
	p.alive.Go(func() {
		for !p.clocks.begin() {
			if !p.sleep(every) {
				return
			}
		}
		for p.sleep(min(every, 100*time.Millisecond)) {
			p.clocks.compare(&p.checks)
		}
	})
	p.readers.start()
	p.alive.Go(func() {
		for p.sleep(min(every, time.Second)) {
			p.readers.read(&p.checks, p.plain)
		}
	})
}

// report checks what holds of every report.
func (p *running) report(r capture.Report) {
	p.reports.Add(1)
	var sum time.Duration
	for _, part := range r.Account {
		sum += part.Took
	}
	p.checks.that(sum == r.Took, "counts/captures", "the parts of a report add up to %v of %v", sum, r.Took)
}

func (p *running) state() state {
	s := state{Ended: read(&p.ended), Begun: read(&p.begun), Goroutines: runtime.NumGoroutine(), Started: p.goroutines.Load(), Heap: heapInUse(),
		Reports: p.reports.Load(), Checks: p.checks.list()}
	if !p.bare {
		s.At = clock.Now()
		s.Memory, s.Shared, s.Notes = p.readers.said()
		s.ClockError, s.ClockRead = p.clocks.error()
	}
	return s
}

// heapInUse returns what the latest garbage collection found, without a collection of its own, which would disturb the next.
func heapInUse() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
