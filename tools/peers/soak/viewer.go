// SPDX-License-Identifier: BSD-3-Clause

package soak

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// A viewer reads the stream of the live page.
type viewer struct {
	*observer
	source source

	mu       sync.Mutex
	zones    []int         // of the program, by zone of the page; -1 for others
	at       clock.Instant // of the latest state
	calls    counts        // in it
	memory   []float64     // memory of the profiler and of the page since it was last taken
	frames   int           // that were sent
	next     int64         // number of the next frame; 0 before the first
	gaps     uint64        // frames that were not sent
	reports  int
	arrivals chan struct{} // of a state
}

func newViewer(o *observer) *viewer {
	return &viewer{observer: o, source: source{name: "counts/page"}, arrivals: make(chan struct{}, 1)}
}

// view reads the stream until ctx ends.
func (v *viewer) view(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, "GET", v.url+"/strobe/events?rate=60", nil)
	if err != nil {
		return err
	}
	answer, err := v.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("events: %s", answer.Status)
	}
	lines := bufio.NewReader(answer.Body)
	event := ""
	for {
		line, err := lines.ReadBytes('\n')
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("events: %w", err)
		}
		if name, ok := bytes.CutPrefix(line, []byte("event: ")); ok {
			event = string(bytes.TrimSpace(name))
		}
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			if err := v.message(event, data); err != nil {
				return fmt.Errorf("events: %s: %w", event, err)
			}
		}
	}
}

func (v *viewer) message(event string, data []byte) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch event {
	case "hello":
		var m struct{ Zones []struct{ Name string } }
		err := json.Unmarshal(data, &m)
		v.zones, v.next = v.zones[:0], 0 // the frames may be those of another loop
		for _, z := range m.Zones {
			v.zones = append(v.zones, kindOf(z.Name))
		}
		return err
	case "frames":
		var m struct {
			Backlog bool
			Frames  [][]int64
			Reports []json.RawMessage
		}
		if err := json.Unmarshal(data, &m); err != nil {
			return err
		}
		v.reports += len(m.Reports)
		for _, f := range m.Frames {
			v.frames++
			if m.Backlog { // the longest, and the latest before
				continue
			}
			if v.next != 0 {
				v.checks.that(f[0] >= v.next, "counts/page", "frame %d came after frame %d", f[0], v.next-1)
				v.gaps += uint64(max(0, f[0]-v.next))
			}
			v.next = f[0] + 1
		}
	case "state":
		return v.state(data)
	}
	return nil
}

func (v *viewer) state(data []byte) error {
	var m struct {
		At     clock.Instant `json:"at_ns"`
		Memory float64       `json:"memory_bytes"`
		Totals [][]*int64
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	calls := make(counts, zones)
	for _, row := range m.Totals {
		if len(row) < 2 || row[0] == nil || row[1] == nil || *row[0] < 0 || int(*row[0]) >= len(v.zones) {
			return fmt.Errorf("totals of an unknown zone: %s", data)
		}
		if z := v.zones[*row[0]]; z >= 0 {
			calls[z] += uint64(*row[1])
		}
	}
	v.at, v.calls, v.memory = m.At, calls, append(v.memory, m.Memory)
	select {
	case v.arrivals <- struct{}{}:
	default:
	}
	return nil
}

// shown returns the calls of the first state after an instant.
func (v *viewer) shown(ctx context.Context, after clock.Instant) (counts, error) {
	for {
		v.mu.Lock()
		at, calls := v.at, v.calls
		v.mu.Unlock()
		if at > after {
			return calls, nil
		}
		select {
		case <-v.arrivals:
		case <-ctx.Done():
			return nil, fmt.Errorf("the page shows nothing new: %w", context.Cause(ctx))
		}
	}
}

// watch compares what the page shows with what is counted, again and again until ctx ends.
func (v *viewer) watch(ctx context.Context, every time.Duration) error {
	for {
		before, err := v.plain(ctx, "GET", "/plain")
		if err != nil {
			return err
		}
		said, err := v.later(ctx, before.At)
		if err != nil {
			return err
		}
		after, err := v.plain(ctx, "GET", "/plain")
		if err != nil {
			return err
		}
		v.source.compare(v.checks, said, before.Ended, after.Begun)
		select {
		case <-time.After(every):
		case <-ctx.Done():
			return nil
		}
	}
}

// later returns the calls in a state that was begun after an instant: at_ns is when it was complete.
func (v *viewer) later(ctx context.Context, after clock.Instant) (counts, error) {
	if _, err := v.shown(ctx, after); err != nil {
		return nil, err
	}
	v.mu.Lock()
	first := v.at
	v.mu.Unlock()
	return v.shown(ctx, first)
}

// held returns the memory that the page has said since the last call.
func (v *viewer) held() (bytes []float64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	bytes, v.memory = v.memory, nil
	return bytes
}
