// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"context"
	"io"
	"runtime"
	"runtime/trace"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	vm "github.com/VictoriaMetrics/metrics"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rcrowley/go-metrics"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/tools/peers/cscope"
)

// BenchmarkZones measures empty scopes, also on two goroutines at once, and scopes around about 30 ns of work.
func BenchmarkZones(b *testing.B) { runRows(b, zonesRows()) }

// A scoped loop runs n scopes around work(size). It calls b.Skip if it cannot run here.
type scoped struct {
	name string
	loop func(b *testing.B) func(n, size int)
}

// bodySize makes work take about 30 ns: steps depend on each other and take about 4 cycles.
const bodySize = 26

//go:noinline
func work(x uint64, size int) uint64 {
	for range size {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}

var keptWork atomic.Uint64

func zonesRows() []row {
	var all []row
	for _, s := range scopes() {
		all = append(all, row{s.name, func(b *testing.B) {
			loop := warm(b, s, 0)
			b.ResetTimer()
			loop(b.N, 0)
		}})
	}
	for _, s := range scopes() {
		all = append(all, row{"par2/" + s.name, func(b *testing.B) {
			loop := warm(b, s, 0)
			if runtime.GOMAXPROCS(0) < 2 {
				b.Skip("one processor")
			}
			b.ResetTimer()
			var wg sync.WaitGroup
			for range 2 { // each runs b.N times: without contention that takes as long as one alone
				wg.Go(func() { loop(b.N, 0) })
			}
			wg.Wait()
		}})
	}
	for _, s := range scopes() {
		all = append(all, row{"body/" + s.name, func(b *testing.B) {
			loop := warm(b, s, bodySize)
			b.ResetTimer()
			loop(b.N, bodySize)
		}})
	}
	return all
}

// warm makes the loop and runs it briefly, so that no row includes the cost of first use.
func warm(b *testing.B, s scoped, size int) func(n, size int) {
	loop := s.loop(b)
	b.ReportAllocs()
	loop(100, size)
	return loop
}

var (
	spanZone    = strobe.NewZone("span")
	deferZone   = strobe.NewZone("deferred")
	laneZone    = strobe.NewZone("lane")
	lapZone     = strobe.NewZone("lap")
	sampledZone = strobe.NewZone("sampled")
	offZone     = strobe.NewZone("off")
)

func scopes() []scoped {
	return append(bareScopes(), append(strobeScopes(), append(metricScopes(), traceScopes()...)...)...)
}

// plain returns a scoped loop that needs no preparation.
func plain(loop func(n, size int)) func(b *testing.B) func(n, size int) {
	return func(*testing.B) func(n, size int) { return loop }
}

func bareScopes() []scoped {
	inC := func(loop func(calls, n int) uint64) func(b *testing.B) func(n, size int) {
		return func(b *testing.B) func(n, size int) {
			if !cscope.Available {
				b.Skip("built without cgo")
			}
			return func(n, size int) { keptWork.Store(loop(n, size)) }
		}
	}
	return []scoped{
		{"nothing", plain(func(n, size int) {
			x := uint64(1)
			for range n {
				if size > 0 {
					x = work(x, size)
				}
			}
			keptWork.Store(x)
		})},
		{"two-counters", func(b *testing.B) func(n, size int) {
			if !hasCounter {
				b.Skip("no counter that a user's program may read is known here")
			}
			return func(n, size int) {
				x, sum := uint64(1), uint64(0)
				for range n {
					t := counter()
					if size > 0 {
						x = work(x, size)
					}
					sum += counter() - t
				}
				keptWork.Store(x + sum)
			}
		}},
		{"two-time.Now", plain(func(n, size int) {
			x, sum := uint64(1), time.Duration(0)
			for range n {
				t := time.Now()
				if size > 0 {
					x = work(x, size)
				}
				end := time.Now()
				sum += end.Sub(t)
			}
			keptWork.Store(x + uint64(sum))
		})},
		{"time.Now+time.Since", plain(func(n, size int) {
			x, sum := uint64(1), time.Duration(0)
			for range n {
				t := time.Now()
				if size > 0 {
					x = work(x, size)
				}
				sum += time.Since(t)
			}
			keptWork.Store(x + uint64(sum))
		})},
		{"C-bare", inC(cscope.Bare)},
		{"C-module-rdtsc", inC(cscope.ByCounter)},
		{"C-module-clock_gettime", inC(cscope.ByClock)},
	}
}

// spanLoop is a function of its own, since the compiler does not inline Enter and Exit in large functions.
//
//go:noinline
func spanLoop(z *strobe.Zone) func(n, size int) {
	return func(n, size int) {
		x := uint64(1)
		for range n {
			s := z.Enter()
			if size > 0 {
				x = work(x, size)
			}
			s.Exit()
		}
		keptWork.Store(x)
	}
}

//go:noinline
func deferred(x uint64, size int) uint64 {
	defer deferZone.Enter().Exit()
	if size > 0 {
		x = work(x, size)
	}
	return x
}

func strobeScopes() []scoped {
	return []scoped{
		{"span", plain(spanLoop(spanZone))},
		{"deferred", plain(func(n, size int) {
			x := uint64(1)
			for range n {
				x = deferred(x, size)
			}
			keptWork.Store(x)
		})},
		{"lane-span", plain(func(n, size int) {
			lane, x := strobe.NewLane("peers"), uint64(1)
			for range n {
				s := lane.Enter(laneZone)
				if size > 0 {
					x = work(x, size)
				}
				s.Exit()
			}
			keptWork.Store(x)
		})},
		{"Lap.Next", plain(func(n, size int) {
			x, p := uint64(1), strobe.StartLap(lapZone)
			for range n {
				if size > 0 {
					x = work(x, size)
				}
				p.Next(lapZone)
			}
			p.End()
			keptWork.Store(x)
		})},
		{"sampled-1in64", func(*testing.B) func(n, size int) {
			sampledZone.SetSampling(64)
			return spanLoop(sampledZone)
		}},
		{"lane-sampled-1in64", func(*testing.B) func(n, size int) {
			sampledZone.SetSampling(64)
			return func(n, size int) {
				lane, x := strobe.NewLane("peers"), uint64(1)
				for range n {
					s := lane.Enter(sampledZone)
					if size > 0 {
						x = work(x, size)
					}
					s.Exit()
				}
				keptWork.Store(x)
			}
		}},
		{"off", func(b *testing.B) func(n, size int) {
			strobe.SetEnabled(false)
			b.Cleanup(func() { strobe.SetEnabled(true) })
			return spanLoop(offZone)
		}},
	}
}

func metricScopes() []scoped {
	return []scoped{
		{"prometheus-timer", func(*testing.B) func(n, size int) {
			h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "scope_seconds"})
			return func(n, size int) {
				x := uint64(1)
				for range n {
					t := prometheus.NewTimer(h)
					if size > 0 {
						x = work(x, size)
					}
					t.ObserveDuration()
				}
				keptWork.Store(x)
			}
		}},
		{"go-metrics-Timer", func(b *testing.B) func(n, size int) {
			m := metrics.NewTimer()
			b.Cleanup(m.Stop)
			return func(n, size int) {
				x := uint64(1)
				for range n {
					t := time.Now()
					if size > 0 {
						x = work(x, size)
					}
					m.UpdateSince(t)
				}
				keptWork.Store(x)
			}
		}},
		{"victoriametrics-histogram", func(*testing.B) func(n, size int) {
			h := new(vm.Histogram)
			return func(n, size int) {
				x := uint64(1)
				for range n {
					t := time.Now()
					if size > 0 {
						x = work(x, size)
					}
					h.UpdateDuration(t)
				}
				keptWork.Store(x)
			}
		}},
	}
}

func traceScopes() []scoped {
	otel := func(p oteltrace.TracerProvider) func(n, size int) {
		tracer, ctx := p.Tracer("peers"), context.Background()
		return func(n, size int) {
			x := uint64(1)
			for range n {
				_, s := tracer.Start(ctx, "scope")
				if size > 0 {
					x = work(x, size)
				}
				s.End()
			}
			keptWork.Store(x)
		}
	}
	region := func(n, size int) {
		x, ctx := uint64(1), context.Background()
		for range n {
			r := trace.StartRegion(ctx, "scope")
			if size > 0 {
				x = work(x, size)
			}
			r.End()
		}
		keptWork.Store(x)
	}
	return []scoped{
		{"otel-noop", func(*testing.B) func(n, size int) { return otel(noop.NewTracerProvider()) }},
		{"otel-sdk-no-exporter", func(b *testing.B) func(n, size int) {
			p := sdk.NewTracerProvider()
			b.Cleanup(func() { _ = p.Shutdown(context.Background()) })
			return otel(p)
		}},
		{"runtime-trace-region-off", plain(region)},
		{"runtime-trace-region-on", func(b *testing.B) func(n, size int) {
			if err := trace.Start(io.Discard); err != nil {
				b.Skip(err)
			}
			b.Cleanup(trace.Stop)
			return region
		}},
	}
}

func TestScopesMeasureWhatTheyEnclose(t *testing.T) {
	if !strobe.Enabled {
		t.Skip("built with strobe_off")
	}
	before := strobe.TakeSnapshot()
	for _, s := range strobeScopes() {
		if s.name == "off" {
			continue
		}
		s.loop(nil)(640, bodySize)
	}
	got := map[string]uint64{}
	now := strobe.TakeSnapshot()
	for _, z := range now.Sub(before).Totals() {
		got[now.Zones[z.Zone].Name] += z.Calls
	}
	for name, want := range map[string]uint64{"span": 640, "deferred": 640, "lane": 640, "lap": 641, "sampled": 1280, "off": 0} {
		if got[name] != want {
			t.Errorf("%s: %d calls, want %d", name, got[name], want)
		}
	}
}
