// SPDX-License-Identifier: BSD-3-Clause

package logreport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
)

// A sink collects what a JSON handler writes.
type sink struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *sink) logger() *slog.Logger { return slog.New(slog.NewJSONHandler(s, nil)) }

// records returns the records with this message whose attribute has this value.
func (s *sink) records(t *testing.T, msg, attr, value string) []map[string]any {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []map[string]any
	for line := range strings.Lines(s.text.String()) {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if r["msg"] == msg && (attr == "" || r[attr] == value) {
			all = append(all, r)
		}
	}
	return all
}

func only(t *testing.T, records []map[string]any) map[string]any {
	t.Helper()
	if len(records) != 1 {
		t.Fatalf("%d records, want one: %v", len(records), records)
	}
	return records[0]
}

func needZones(t *testing.T) {
	if !strobe.Enabled {
		t.Skip("built with strobe_off: nothing is measured")
	}
}

var runs atomic.Int64

// unique returns a name that no other lane, zone or loop has: they are there for the life of the process.
func unique(t *testing.T) string { return fmt.Sprint(t.Name(), runs.Add(1)) }

func spin(d time.Duration) {
	for begin := time.Now(); time.Since(begin) < d; {
	}
}

func TestARecordForEachLaneAndZone(t *testing.T) {
	needZones(t)
	name := unique(t)
	outer, inner, never := strobe.NewZone("outer"), strobe.NewWaitZone("inner"), strobe.NewZone("never")
	lane, idle := strobe.NewLane(name), strobe.NewLane("idle")
	idle.Enter(never).Exit() // before Start: not its business

	var out sink
	r := Start(out.logger(), time.Hour)
	for range 20 {
		o := lane.Enter(outer)
		spin(20 * time.Microsecond)
		i := lane.Enter(inner)
		spin(20 * time.Microsecond)
		i.Exit()
		o.Exit()
	}
	open := lane.Enter(inner)
	r.Stop()
	open.Exit()

	got := map[string]map[string]any{}
	for _, rec := range out.records(t, "zone", "lane", name) {
		got[rec["zone"].(string)] = rec
	}
	if len(got) != 2 || len(out.records(t, "zone", "zone", "never")) > 0 {
		t.Fatalf("records of %v", got)
	}
	num := func(zone, name string) float64 {
		x, ok := got[zone][name].(float64)
		if !ok {
			t.Errorf("%s: no %s in %v", zone, name, got[zone])
		}
		return x
	}
	for _, zone := range []string{"outer", "inner"} {
		if num(zone, "calls") != 20 || num(zone, "mean_ns") < 19_000 || num(zone, "min_ns") > num(zone, "p99_ns") ||
			num(zone, "p99_ns") > num(zone, "max_ns") || num(zone, "probe_share") <= 0 || got[zone]["level"] != "INFO" {
			t.Errorf("%s: %v", zone, got[zone])
		}
		if share := num(zone, "total_ms") / num(zone, "of_ms"); math.Abs(share-num(zone, "share")) > 1e-9 {
			t.Errorf("%s: share %v, times give %v", zone, num(zone, "share"), share)
		}
	}
	if parts := num("outer", "self_ms") + num("inner", "total_ms"); parts < num("outer", "total_ms")*(1-1e-6) {
		t.Errorf("self of outer and total of inner are %v ms, total of outer is %v ms", parts, num("outer", "total_ms"))
	}
	if got["inner"]["wait"] != true || num("inner", "open") != 1 || got["outer"]["wait"] != nil || got["outer"]["open"] != nil {
		t.Errorf("outer %v, inner %v", got["outer"], got["inner"])
	}
	if own := only(t, out.records(t, "strobe", "", "")); own["span_cost_ns"].(float64) < 1 || own["probe_share"] == nil || own["of_ms"] == nil {
		t.Errorf("%v", own)
	}
}

func TestReportsComeAtTheIntervalAndSayWhoFellSilent(t *testing.T) {
	needZones(t)
	name := unique(t)
	z, lane := strobe.NewZone("periodic"), strobe.NewLane(name)
	var out sink
	r := Start(out.logger(), 20*time.Millisecond)
	defer r.Stop()
	for len(out.records(t, "zone", "lane", name)) < 3 {
		lane.Enter(z).Exit()
		time.Sleep(time.Millisecond)
	}
	for len(out.records(t, "lane silent", "lane", name)) == 0 {
		time.Sleep(time.Millisecond)
	}
	var calls float64
	for _, rec := range out.records(t, "zone", "lane", name) {
		calls += rec["calls"].(float64)
	}
	for _, l := range strobe.TakeSnapshot().Lanes {
		if l.Name == name && float64(l.Zones[0].Calls) != calls {
			t.Errorf("%v calls logged of %d", calls, l.Zones[0].Calls)
		}
	}
}

func TestLoopsHaveARecord(t *testing.T) {
	needZones(t)
	name := unique(t)
	for range 12 {
		strobe.Frame(name)
		spin(50 * time.Microsecond)
	}
	var out sink
	Start(out.logger(), time.Hour).Stop()
	f := only(t, out.records(t, "frame", "loop", name))
	if f["turns"] != 12.0 || f["mean_ns"].(float64) < 50_000 || f["p99_ns"].(float64) < 50_000 {
		t.Errorf("%v", f)
	}
}

func TestStopMayBeCalledByAnyoneAnyNumberOfTimes(t *testing.T) {
	before := runtime.NumGoroutine()
	var out sink
	r := Start(out.logger(), time.Hour)
	var all sync.WaitGroup
	for range 4 {
		all.Go(r.Stop)
	}
	all.Wait()
	r.Stop()
	if n := len(out.records(t, "strobe", "", "")); n != 1 {
		t.Errorf("%d last reports", n)
	}
	for runtime.NumGoroutine() > before { // it may take a moment to go
		time.Sleep(time.Millisecond)
	}
}

func TestALoggerThatWantsNoneGetsNone(t *testing.T) {
	needZones(t)
	var out sink
	r := Start(slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelError})), time.Hour)
	strobe.NewLane(t.Name()).Enter(strobe.NewZone("z")).Exit()
	r.Stop()
	if out.text.Len() > 0 {
		t.Errorf("logged %s", out.text.String())
	}
}

func TestMuchMeasuringIsAWarning(t *testing.T) {
	var out sink
	r := &Reporter{log: out.logger()}
	r.own(strobe.Snapshot{Span: time.Second, Cost: 20, Notes: []string{"a note"}, EndedTwice: 3}, 0.051)
	r.own(strobe.Snapshot{Span: time.Second, Cost: 20}, 0.049)
	got := out.records(t, "strobe", "", "")
	if got[0]["level"] != "WARN" || !strings.Contains(got[0]["notes"].(string), "SetSampling") || got[0]["ended_twice"] != 3.0 ||
		!strings.HasSuffix(got[0]["notes"].(string), "; a note") {
		t.Errorf("%v", got[0])
	}
	if got[1]["level"] != "INFO" || got[1]["notes"] != nil || got[1]["ended_twice"] != nil {
		t.Errorf("%v", got[1])
	}
}

func TestWhatIsUnknownIsAbsent(t *testing.T) {
	var out sink
	r := &Reporter{log: out.logger()}
	s := strobe.Snapshot{Span: time.Second, Zones: []strobe.ZoneInfo{{Name: "z", Every: 1}}}
	r.zone(s, strobe.LaneStats{Name: "shared", Shared: true}, strobe.ZoneStats{Open: 1, Total: time.Millisecond})
	got := only(t, out.records(t, "zone", "zone", "z"))
	for _, name := range []string{"self_ms", "mean_ns", "mean_lo_ns", "min_ns", "p99_ns", "max_ns", "sampled", "thread"} {
		if v, ok := got[name]; ok {
			t.Errorf("%s is %v", name, v)
		}
	}
	if got["lane"] != "shared" || got["total_ms"] != 1.0 || got["share"] != 0.001 {
		t.Errorf("%v", got)
	}
	r.frame(strobe.FrameStats{Name: "f", Turns: 1})
	if f := only(t, out.records(t, "frame", "", "")); f["mean_ns"] != nil || f["p99_ns"] != nil {
		t.Errorf("%v", f)
	}
}

// Calls of one mean in slices of a random number: the interval must hold the mean about as often as it says.
func TestIntervalHoldsTheMean(t *testing.T) {
	const mean, runs = 500.0, 2000
	rng := rand.New(rand.NewPCG(1, 9))
	k, hit := key{0, 0}, 0
	for range runs {
		var slices []slice
		var all sums
		for range slicesPerReport {
			var s sums
			drift := 1 + 0.1*rng.NormFloat64() // calls of a slice resemble each other
			for range 20 + rng.IntN(40) {
				s.calls++
				s.ns += mean * drift * (0.5 + rng.Float64())
			}
			all.calls += s.calls
			all.ns += s.ns
			slices = append(slices, slice{k: s})
		}
		half, ok := halfWidth(slices, k)
		if !ok || half > mean/5 {
			t.Fatalf("± %v, %v", half, ok)
		}
		if math.Abs(all.ns/all.calls-mean) <= half {
			hit++
		}
	}
	if share := float64(hit) / runs; share < 0.92 {
		t.Errorf("%.3f of the intervals hold the mean", share)
	}
}

func TestTooLittleHasNoInterval(t *testing.T) {
	k := key{0, 0}
	few := []slice{{k: {2, 20}}, {k: {2, 22}}, {k: {3, 33}}}
	if half, ok := halfWidth(few, k); ok {
		t.Errorf("seven calls have ± %v", half)
	}
	if half, ok := halfWidth([]slice{{k: {50, 20}}, {k: {50, 22}}}, k); ok {
		t.Errorf("two slices have ± %v", half)
	}
	if half, ok := halfWidth(append(few, slice{}), key{1, 1}); ok {
		t.Errorf("no calls have ± %v", half)
	}
	if half, ok := halfWidth(append(few, slice{k: {10, 110}}), k); !ok || half < 0.5 {
		t.Errorf("seventeen calls have ± %v, %v", half, ok)
	}
}

func TestSlicesAddUpToTheReport(t *testing.T) {
	needZones(t)
	z, lane := strobe.NewZone("sliced"), strobe.NewLane(t.Name())
	r := &Reporter{log: new(sink).logger(), every: time.Hour}
	r.reported = strobe.TakeSnapshot()
	r.sliced = r.reported
	for range 5 {
		for range 10 {
			s := lane.Enter(z)
			spin(5 * time.Microsecond)
			s.Exit()
		}
		r.slice()
	}
	var calls, ns float64
	for _, s := range r.slices {
		for _, x := range s {
			calls += x.calls
			ns += x.ns
		}
	}
	if len(r.slices) != 5 || calls < 50 || ns < 50*4_900 {
		t.Errorf("%d slices of %v calls in %v ns", len(r.slices), calls, ns)
	}
}

func TestAHandlerThatFailsStopsNothing(t *testing.T) {
	needZones(t)
	r := Start(slog.New(slog.NewJSONHandler(refuser{}, nil)), 10*time.Millisecond)
	strobe.NewLane(t.Name()).Enter(strobe.NewZone("z")).Exit()
	time.Sleep(30 * time.Millisecond)
	r.Stop()
}

type refuser struct{}

func (refuser) Write([]byte) (int, error) { return 0, errors.New("refused") }
