// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package capture

import (
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/child"
)

// beyond keeps more memory than the limit that it sets.
func beyond() (kept []byte, restore func()) {
	kept = make([]byte, 32<<20)
	for i := 0; i < len(kept); i += 4096 {
		kept[i] = 1
	}
	limit := debug.SetMemoryLimit(24 << 20)
	return kept, func() { debug.SetMemoryLimit(limit) }
}

// The limit is below what the program keeps, so that the collector always runs.
func TestBeyondGOMEMLIMITCountsAreExactAndItIsSaid(t *testing.T) {
	if !child.Process(t) {
		return
	}
	z, inner := strobe.NewRootZone("limited"), strobe.NewZone("allocating")
	if limit, reached := memoryLimit(); reached || whatNext(GC) != next[GC] {
		t.Fatalf("%d bytes are the limit, and used", limit)
	}
	strobe.Record(1 << 20)
	defer strobe.Record(0)
	_, c := watched(z)
	defer c.Stop()
	kept, restore := beyond()
	defer restore()
	before := strobe.TakeSnapshot()
	const goroutines, calls = 4, 500
	var all sync.WaitGroup
	for range goroutines {
		all.Add(1)
		go func() {
			defer all.Done()
			var held []byte
			for range calls {
				span := inner.Enter()
				held = make([]byte, 8<<10)
				span.Exit()
			}
			runtime.KeepAlive(held)
		}()
	}
	all.Wait()
	after := strobe.TakeSnapshot()
	d := after.Sub(before)
	if i, ok := d.Zone("allocating"); !ok || d.Totals()[i].Calls != goroutines*calls {
		t.Errorf("%+v", d.Totals())
	}
	if limit, reached := memoryLimit(); !reached || limit != 24<<20 {
		t.Errorf("the limit of %d is not reached", limit)
	}
	if text := whatNext(Allocation); !strings.Contains(text, "GOMEMLIMIT") || !strings.Contains(text, "24") {
		t.Error(text)
	}
	runtime.GC()
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.HeapAlloc > uint64(len(kept))+3*16<<20 { // Options.MemoryBytes, and what was read of it
		t.Errorf("the heap has %d MiB", m.HeapAlloc>>20)
	}
	runtime.KeepAlive(kept)
}

// Goroutines allocate as fast as they can beyond the limit, so that the collector runs all the time. A unit that waits for a lock is
// explained meanwhile, and not by the collector.
func TestBeyondGOMEMLIMITUnitsAreExplainedMeanwhile(t *testing.T) {
	if !child.Process(t) {
		return
	}
	z := strobe.NewRootZone("limited")
	reports, c := watched(z)
	defer c.Stop()
	kept, restore := beyond()
	defer restore()
	var stop atomic.Bool
	var all sync.WaitGroup
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			var held []byte
			for !stop.Load() {
				held = make([]byte, 8<<10)
			}
			runtime.KeepAlive(held)
		}()
	}
	const units = 4
	right, blind := 0, 0 // blind: the processors had no time for the recorder while it still had the unit, and the report says so
	for range units {
		var mu sync.Mutex
		mu.Lock()
		time.AfterFunc(60*time.Millisecond, mu.Unlock)
		z.Do(mu.Lock)
		ended := time.Now()
		select {
		case r := <-reports:
			t.Logf("after %v, of which explaining took %v of a processor: %v\n%q", time.Since(ended), r.Cost, r.String(), r.Degrees)
			switch said := strings.Join(r.Degrees, "\n"); {
			case r.Cause == Lock:
				right++
			case r.Cause != Unclear:
				t.Errorf("%+v", r)
			case strings.Contains(said, "flight recorder is missing") || strings.Contains(said, "the flight recorder was not read until") || strings.Contains(said, "does not reach back to the beginning of the unit"):
				blind++
			}
		case <-time.After(time.Minute):
			t.Error("a minute later there is no report")
		}
	}
	stop.Store(true)
	all.Wait()
	if right < (units-blind)/2 {
		t.Errorf("%d of %d are explained, and of %d the recorder had lost the beginning", right, units, blind)
	}
	runtime.KeepAlive(kept)
}
