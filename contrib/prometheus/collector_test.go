// SPDX-License-Identifier: BSD-3-Clause

package strobeprom

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/live"
	"github.com/strobe-go/strobe/profile"
)

func registered(t testing.TB, c prometheus.Collector) *prometheus.Registry {
	t.Helper()
	r := prometheus.NewPedanticRegistry()
	if err := r.Register(c); err != nil {
		t.Fatal(err)
	}
	return r
}

// gather gathers through an exposition format.
func gather(t testing.TB, r *prometheus.Registry, f expfmt.Format) map[string]*dto.MetricFamily {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	e := expfmt.NewEncoder(&buf, f)
	for _, mf := range families {
		if err := e.Encode(mf); err != nil {
			t.Fatal(err)
		}
	}
	return parse(t, &buf, f)
}

func parse(t testing.TB, from *bytes.Buffer, f expfmt.Format) map[string]*dto.MetricFamily {
	t.Helper()
	d := expfmt.NewDecoder(from, f)
	all := map[string]*dto.MetricFamily{}
	for {
		mf := new(dto.MetricFamily)
		switch err := d.Decode(mf); {
		case err == io.EOF:
			return all
		case err != nil:
			t.Fatal(err)
		}
		all[mf.GetName()] = mf
	}
}

var (
	protobuf = expfmt.NewFormat(expfmt.TypeProtoDelim)
	text     = expfmt.NewFormat(expfmt.TypeTextPlain)
)

// of returns the metric with that label.
func of(t testing.TB, all map[string]*dto.MetricFamily, name, label, value string) *dto.Metric {
	t.Helper()
	for _, m := range all[name].GetMetric() {
		for _, l := range m.GetLabel() {
			if l.GetName() == label && l.GetValue() == value {
				return m
			}
		}
	}
	t.Fatalf("no %s{%s=%q}", name, label, value)
	return nil
}

// counts returns the buckets of a native histogram, by the index of their upper bound.
func counts(h *dto.Histogram) map[int]uint64 {
	all := map[int]uint64{}
	index, d, n := 0, 0, int64(0)
	for _, s := range h.GetPositiveSpan() {
		index += int(s.GetOffset())
		for range s.GetLength() {
			n += h.GetPositiveDelta()[d]
			d++
			if n > 0 {
				all[index] = uint64(n)
			}
			index++
		}
	}
	return all
}

func total(h *dto.Histogram) uint64 {
	n := h.GetZeroCount()
	for _, c := range counts(h) {
		n += c
	}
	return n
}

// quantile is Prometheus's histogram_quantile over the sum of the histograms.
func quantile(q float64, all ...*dto.Histogram) float64 {
	schema := all[0].GetSchema()
	for _, h := range all {
		schema = min(schema, h.GetSchema())
	}
	merged, n := map[int]uint64{}, uint64(0)
	for _, h := range all {
		n += h.GetSampleCount()
		shift := h.GetSchema() - schema
		for k, c := range counts(h) {
			merged[(k+1<<shift-1)>>shift] += c
		}
	}
	keys := make([]int, 0, len(merged))
	for k := range merged {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	rank := q * float64(n)
	for _, k := range keys {
		c := float64(merged[k])
		if rank <= c {
			return math.Exp2((float64(k) - 1 + rank/c) / math.Exp2(float64(schema)))
		}
		rank -= c
	}
	return math.NaN()
}

func TestLinterHasNoComplaints(t *testing.T) {
	zone := strobe.NewZone("linted")
	zone.Enter().Exit()
	strobe.Frame("linted")
	problems, err := testutil.GatherAndLint(registered(t, NewCollector(Options{Version: "1.0.0", Zones: -1, Classic: map[string][]float64{"linted": {0.1}}})))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

func TestBothFormatsHoldTheSameNumbers(t *testing.T) {
	zone := strobe.NewZone(`a "zone" \ of` + "\n two \xff lines")
	const name = `a "zone" \ of` + "\n two \uFFFD lines"
	for i := range 1000 {
		zone.Add(time.Duration(i) * time.Microsecond)
	}
	r := registered(t, NewCollector(Options{Zones: -1, Version: "1.2.3", Classic: map[string][]float64{name: {1, 0.0005, math.Inf(1), 0.0001, math.NaN()}}}))
	for _, f := range []expfmt.Format{protobuf, text} {
		all := gather(t, r, f)
		m := of(t, all, "strobe_zone_duration_seconds", "zone", name)
		h := m.GetHistogram()
		sum := 999.0 * 1000 / 2 * 1e-6
		if h.GetSampleCount() != 1000 || math.Abs(h.GetSampleSum()/sum-1) > 1e-4 { // the counter's rate may have been recalibrated
			t.Errorf("%s: %d calls, %v s; want 1000, %v", f, h.GetSampleCount(), h.GetSampleSum(), sum)
		}
		if v := of(t, all, "strobe_zone_calls_total", "zone", name).GetCounter().GetValue(); v != 1000 {
			t.Errorf("%s: %v calls", f, v)
		}
		for _, name := range []string{"strobe_zone_seconds_total", "strobe_zone_self_seconds_total"} {
			if v := of(t, all, name, "version", "1.2.3"); v == nil {
				t.Errorf("%s: no %s", f, name)
			}
		}
		if v := of(t, all, "strobe_zone_seconds_total", "zone", name).GetCounter().GetValue(); v != h.GetSampleSum() {
			t.Errorf("%s: total %v, sum %v", f, v, h.GetSampleSum())
		}
		var atMost []string
		for _, b := range h.GetBucket() {
			atMost = append(atMost, fmt.Sprint(b.GetUpperBound()))
			if want := min(1000, b.GetUpperBound()*1e6); math.Abs(float64(b.GetCumulativeCount())-want) > 5 {
				t.Errorf("%s: %d calls up to %v s, want %v", f, b.GetCumulativeCount(), b.GetUpperBound(), want)
			}
		}
		if got := strings.Join(atMost, " "); !strings.HasPrefix(got, "0.0001 0.0005 1") {
			t.Errorf("%s: bounds %s", f, got)
		}
		if f == protobuf {
			if total(h) != 1000 || h.GetZeroCount() != 1 {
				t.Errorf("%d calls in native buckets, %d of them zero", total(h), h.GetZeroCount())
			}
			if q := quantile(0.9, h); math.Abs(q/0.0009-1) > 0.005 {
				t.Errorf("p90 %v", q)
			}
			if h.GetCreatedTimestamp().AsTime().After(time.Now()) {
				t.Errorf("created at %v", h.GetCreatedTimestamp().AsTime())
			}
		}
	}
}

func TestAZoneThatWasNeverEnteredIsZero(t *testing.T) {
	strobe.NewZone("never entered")
	all := gather(t, registered(t, NewCollector(Options{Zones: -1})), protobuf)
	h := of(t, all, "strobe_zone_duration_seconds", "zone", "never entered").GetHistogram()
	if h.GetSampleCount() != 0 || len(h.GetPositiveSpan()) != 1 || len(h.GetBucket()) != 0 {
		t.Errorf("%v: want an empty native histogram", h)
	}
}

func TestItIsSaidThatMeasuringIsOff(t *testing.T) {
	for want, zones := range map[float64][]profile.ZoneInfo{1: {{Name: "a", Every: -1}, {Name: "b", Every: 1}}, 0: {{Name: "a", Every: -1}}} {
		registry := prometheus.NewPedanticRegistry()
		registry.MustRegister(newCollector(Options{}, func() profile.Snapshot { return profile.Snapshot{Zones: zones} }))
		all, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range all {
			if f.GetName() == "strobe_enabled" {
				found = true
				if got := f.GetMetric()[0].GetGauge().GetValue(); got != want {
					t.Errorf("%v with %v", got, zones)
				}
			}
		}
		if !found {
			t.Error("no strobe_enabled")
		}
	}
}

func TestOtherZonesAreAddedUp(t *testing.T) {
	for i := range 5 {
		strobe.NewZone(fmt.Sprint("added up ", i)).Add(time.Millisecond)
	}
	all := gather(t, registered(t, NewCollector(Options{Zones: 2, Classic: map[string][]float64{"added up 3": nil}})), protobuf)
	zones := all["strobe_zone_calls_total"].GetMetric()
	if len(zones) != 3 {
		t.Errorf("%d zones, want 2 and the rest", len(zones))
	}
	of(t, all, "strobe_zone_calls_total", "zone", "added up 3")
	of(t, all, "strobe_zone_calls_total", "zone", "(other)")
	sum := 0.0
	for _, m := range zones {
		sum += m.GetCounter().GetValue()
	}
	all = gather(t, registered(t, NewCollector(Options{Zones: -1})), protobuf)
	want := 0.0
	for _, m := range all["strobe_zone_calls_total"].GetMetric() {
		want += m.GetCounter().GetValue()
	}
	if sum != want {
		t.Errorf("%v calls, want %v", sum, want)
	}
}

// Two servers scrape two registries with the same Collector while goroutines come and go. No number may decrease, and at the
// end no call is missing.
func TestConcurrentScrapesOfGoroutinesThatEnd(t *testing.T) {
	zone := strobe.NewZone("concurrent")
	c := NewCollector(Options{Zones: -1})
	registries := []*prometheus.Registry{registered(t, c), registered(t, c)}
	var work, scrapes sync.WaitGroup
	done := make(chan struct{})
	const workers, goroutines, calls = 4, 20, 500
	began := time.Now()
	for range workers {
		work.Add(1)
		go func() {
			defer work.Done()
			for range goroutines {
				end := make(chan struct{})
				go func() {
					defer close(end)
					for range calls {
						zone.Enter().Exit()
					}
				}()
				<-end
			}
		}()
	}
	for _, r := range registries {
		scrapes.Add(1)
		go func() {
			defer scrapes.Done()
			before := 0.0
			sum := 0.0
			for {
				families, err := r.Gather()
				if err != nil {
					t.Error(err)
					return
				}
				all := map[string]*dto.MetricFamily{}
				for _, f := range families {
					all[f.GetName()] = f
				}
				v := of(t, all, "strobe_zone_calls_total", "zone", "concurrent").GetCounter().GetValue()
				h := of(t, all, "strobe_zone_duration_seconds", "zone", "concurrent").GetHistogram()
				if v < before || h.GetSampleSum() < sum || total(h) != h.GetSampleCount() {
					t.Errorf("%v calls after %v, %v s after %v, %d of %d in buckets", v, before, h.GetSampleSum(), sum, total(h), h.GetSampleCount())
				}
				before, sum = v, h.GetSampleSum()
				select {
				case <-done:
					return
				default:
					runtime.Gosched()
				}
			}
		}()
	}
	work.Wait()
	close(done)
	scrapes.Wait()
	all := gather(t, registries[0], protobuf)
	v := of(t, all, "strobe_zone_calls_total", "zone", "concurrent").GetCounter().GetValue()
	h := of(t, all, "strobe_zone_duration_seconds", "zone", "concurrent").GetHistogram()
	if v != workers*goroutines*calls || h.GetSampleCount() != uint64(v) || total(h) != uint64(v) {
		t.Errorf("%v calls, %d in the histogram, want %d", v, h.GetSampleCount(), workers*goroutines*calls)
	}
	// If a span's Exit is interrupted after reading the clock, the span seems open for longer than it was, and totals never
	// decrease.
	most := workers * time.Since(began).Seconds()
	over := of(t, all, "strobe_zone_seconds_total", "zone", "concurrent").GetCounter().GetValue() - h.GetSampleSum()
	if over < -1e-9*h.GetSampleSum()-1e-6 || over > most {
		t.Errorf("the total exceeds the sum of %v by %v", h.GetSampleSum(), over)
	}
}

// The slowest call of each goroutine is its latest when it is scraped, and longer than all before.
func TestStallsAreNeverFiledAsFast(t *testing.T) {
	zone := strobe.NewZone("stalling")
	r := registered(t, NewCollector(Options{Zones: -1, Classic: map[string][]float64{"stalling": {0.1}}}))
	const workers, calls = 5, 100
	var work, stalled sync.WaitGroup
	stop := make(chan struct{})
	for range workers {
		work.Add(1)
		stalled.Add(1)
		go func() {
			defer work.Done()
			for range calls {
				zone.Add(time.Millisecond)
			}
			zone.Add(2 * time.Second)
			stalled.Done()
			<-stop
			zone.Add(time.Millisecond)
		}()
	}
	check := func(fast uint64) {
		t.Helper()
		h := of(t, gather(t, r, protobuf), "strobe_zone_duration_seconds", "zone", "stalling").GetHistogram()
		if h.GetSampleCount() != fast+workers || total(h) != fast+workers || h.GetBucket()[0].GetCumulativeCount() != fast {
			t.Errorf("%d calls, %d in buckets, %d of them fast; want %d, of which %d are fast", h.GetSampleCount(), total(h),
				h.GetBucket()[0].GetCumulativeCount(), fast+workers, fast)
		}
	}
	stalled.Wait()
	check(workers * calls)
	check(workers * calls)
	close(stop)
	work.Wait()
	check(workers * (calls + 1))
}

// Starting and stopping the recording of a timeline does not change the metrics.
func TestRecordingChangesNothing(t *testing.T) {
	zone := strobe.NewZone("recorded")
	r := registered(t, NewCollector(Options{Zones: -1}))
	for i := range 4 {
		strobe.Record(int64(i%2) << 20)
		zone.Enter().Exit()
		if v := of(t, gather(t, r, protobuf), "strobe_zone_calls_total", "zone", "recorded").GetCounter().GetValue(); v != float64(i+1) {
			t.Errorf("%v calls, want %d", v, i+1)
		}
	}
	strobe.Record(0)
}

func TestSlowFramesAreExemplars(t *testing.T) {
	strobe.Frame("loop with exemplars")
	now := time.Now()
	frames := []live.SlowFrame{
		{Run: "r", Loop: "another loop", Number: 1, Ended: now, Took: time.Second},
		{Run: "r", Loop: "loop with exemplars", Number: 2, Ended: now.Add(-time.Hour), Took: time.Second},
		{Run: "r", Loop: "loop with exemplars", Number: 9, Ended: now.Add(-time.Second), Took: 30 * time.Millisecond},
		{Run: "r", Loop: "loop with exemplars", Number: 5, Ended: now.Add(-time.Minute), Took: 50 * time.Millisecond},
	}
	m := gather(t, registered(t, NewCollector(Options{SlowFrames: func() []live.SlowFrame { return frames }})), protobuf)
	all := of(t, m, "strobe_frame_duration_seconds", "loop", "loop with exemplars").GetHistogram().GetExemplars()
	if len(all) != 2 {
		t.Fatalf("%d exemplars: %v", len(all), all)
	}
	for i, want := range []live.SlowFrame{frames[3], frames[2]} {
		e := all[i]
		labels := make(map[string]string)
		for _, l := range e.GetLabel() {
			labels[l.GetName()] = l.GetValue()
		}
		if e.GetValue() != want.Took.Seconds() || !e.GetTimestamp().AsTime().Equal(want.Ended) || labels["run"] != "r" || labels["frame"] != map[uint64]string{5: "5", 9: "9"}[want.Number] {
			t.Errorf("%v, want %+v", e, want)
		}
	}
}
