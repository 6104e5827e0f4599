// SPDX-License-Identifier: BSD-3-Clause

package logreport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/report"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/stat"
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

// unique returns a name that no other lane, zone or loop has, since these exist until the process ends.
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
	idle.Enter(never).Exit() // before Start, so it is not reported

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
	calls := 0.0
	for len(out.records(t, "zone", "lane", name)) < 3 {
		lane.Enter(z).Exit()
		calls++
		time.Sleep(time.Millisecond)
	}
	logged := func() (sum float64) {
		for _, rec := range out.records(t, "zone", "lane", name) {
			sum += rec["calls"].(float64)
		}
		return sum
	}
	silent := func() bool {
		for _, rec := range out.records(t, "lanes silent", "", "") {
			if strings.Contains(rec["names"].(string), name) {
				return true
			}
		}
		return false
	}
	for !silent() || logged() < calls { // on a busy machine it may have been silent between two calls
		time.Sleep(time.Millisecond)
	}
	r.Stop()
	if n := logged(); n != calls {
		t.Errorf("%v calls logged of %v", n, calls)
	}
}

func TestLoopsHaveARecord(t *testing.T) {
	needZones(t)
	name := unique(t)
	turns := func(n int) {
		for range n {
			strobe.Frame(name)
			spin(50 * time.Microsecond)
		}
	}
	turns(3) // before Start, so it is not reported
	var out sink
	r := Start(out.logger(), time.Hour)
	turns(12)
	r.Stop()
	f := only(t, out.records(t, "frame", "loop", name))
	if f["turns"] != 12.0 || f["mean_ns"].(float64) < 49_000 || f["p99_ns"].(float64) < 49_000 { // two clocks
		t.Errorf("%v", f)
	}
}

func TestUnitsHaveARecord(t *testing.T) {
	needZones(t)
	name := unique(t)
	request := strobe.NewRootZone(name)
	request.Enter().Exit() // before Start, so it is not reported
	var out sink
	r := Start(out.logger(), time.Hour)
	for range 10 {
		request.Do(func() { spin(50 * time.Microsecond) })
	}
	r.Stop()
	u := only(t, out.records(t, "unit", "zone", name))
	if u["calls"] != 10.0 || u["p50_ns"].(float64) < 45_000 || u["p50_lo_ns"].(float64) < 45_000 || u["p99_ns"] != nil || u["max_ns"] == nil || u["rate_hz"] == nil || u["open"] != nil || u["running_ns"] != nil {
		t.Errorf("%v", u)
	}

	// What package capture saw of it, in how much time, and how far that can be trusted.
	w := records{handler: out.logger().Handler()}
	w.unit(name, &profile.UnitStats{}, &profile.Looks{Covered: time.Second, Displaced: true}, &profile.Split{Running: 1, Ready: 2, Waiting: 3, Unknown: 4})
	all := out.records(t, "unit", "zone", name)
	u = all[len(all)-1]
	for key, want := range map[string]any{"running_ns": 1.0, "ready_ns": 2.0, "waiting_ns": 3.0, "unknown_ns": 4.0, "covered_ns": 1e9, "displaced": true} {
		if u[key] != want {
			t.Errorf("%s is %v, want %v", key, u[key], want)
		}
	}
}

func TestStopMayBeCalledByAnyoneAnyNumberOfTimes(t *testing.T) {
	before := runtime.NumGoroutine()
	var out sink
	r := Start(out.logger(), time.Hour)
	var all sync.WaitGroup
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			r.Stop()
		}()
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

func TestWarningsRaiseTheLevel(t *testing.T) {
	var out sink
	w := &records{handler: out.logger().Handler()}
	w.summary(&report.Report{Snapshot: profile.Snapshot{Elapsed: time.Second, Cost: 20, Notes: []string{"a note"}, EndedTwice: 3},
		Probe: 0.06, ProbeLane: "main", Warnings: []string{"sample it", "look for it"}, Left: 2, LeftSelf: time.Millisecond})
	w.summary(&report.Report{Snapshot: profile.Snapshot{Elapsed: time.Second, Cost: 20}})
	got := out.records(t, "strobe", "", "")
	if got[0]["level"] != "WARN" || got[0]["warnings"] != "sample it; look for it" || got[0]["ended_twice"] != 3.0 || got[0]["notes"] != "a note" ||
		got[0]["probe_lane"] != "main" || got[0]["probe_share"] != 0.06 || got[0]["rows_left"] != 2.0 || got[0]["left_self_ms"] != 1.0 {
		t.Errorf("%v", got[0])
	}
	for _, name := range []string{"notes", "warnings", "ended_twice", "abandoned", "rows_left", "probe_lane"} {
		if v, ok := got[1][name]; ok || got[1]["level"] != "INFO" {
			t.Errorf("%s is %v in %v", name, v, got[1])
		}
	}
}

func TestWhatIsUnknownIsAbsent(t *testing.T) {
	var out sink
	w := &records{handler: out.logger().Handler()}
	r := &report.Report{Snapshot: profile.Snapshot{Elapsed: time.Second}}
	w.row(r, &report.Row{Lane: profile.LaneInfo{Name: "shared", Shared: true}, Zone: profile.ZoneInfo{Name: "z", Every: 1},
		Stats: profile.ZoneStats{Open: 1, Total: time.Millisecond, SelfUnknown: true}, Share: 0.001})
	got := only(t, out.records(t, "zone", "zone", "z"))
	for _, name := range []string{"self_ms", "mean_ns", "mean_lo_ns", "min_ns", "p99_ns", "max_ns", "sampled", "timed", "total_error", "thread", "lanes", "path", "wait"} {
		if v, ok := got[name]; ok {
			t.Errorf("%s is %v", name, v)
		}
	}
	if got["lane"] != "shared" || got["total_ms"] != 1.0 || got["share"] != 0.001 || got["open"] != 1.0 {
		t.Errorf("%v", got)
	}
	w.frame(profile.FrameStats{Name: "f", Turns: 1})
	if f := only(t, out.records(t, "frame", "", "")); f["mean_ns"] != nil || f["p99_ns"] != nil {
		t.Errorf("%v", f)
	}
}

func TestASampledRowOfManyLanesSaysSo(t *testing.T) {
	var out sink
	r := &report.Report{Snapshot: profile.Snapshot{Elapsed: time.Second}, Lanes: 213}
	(&records{handler: out.logger().Handler()}).row(r, &report.Row{Zone: profile.ZoneInfo{Name: "z", Every: 64, Wait: true}, Stats: profile.ZoneStats{Calls: 640, Timed: 10},
		Error: 0.25, Mean: stat.Interval{Center: 50, Lo: 40, Hi: 60, Level: 0.95, N: 10}})
	got := only(t, out.records(t, "zone", "zone", "z"))
	for name, want := range map[string]any{"lanes": 213.0, "sampled": 64.0, "timed": 10.0, "total_error": 0.25, "wait": true, "mean_ns": 50.0, "mean_lo_ns": 40.0, "mean_hi_ns": 60.0} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if got["lane"] != nil {
		t.Errorf("lane %v", got["lane"])
	}
}

func TestATreeHasARecordForEachPath(t *testing.T) {
	needZones(t)
	name := unique(t)
	outer, inner, lane := strobe.NewZone(name+" outer"), strobe.NewZone(name+" inner"), strobe.NewLane(name)
	var out sink
	r := Start(out.logger(), time.Hour, strobe.ReportOptions{Rows: 1}, strobe.ReportOptions{Tree: true, Lanes: true, Rows: -1}) // the last counts
	o := lane.Enter(outer)
	lane.Enter(inner).Exit()
	o.Exit()
	r.Stop()
	if got := only(t, out.records(t, "path", "zone", name+" inner")); got["path"] != name+" outer > "+name+" inner" || got["calls"] != 1.0 || got["lane"] != name {
		t.Errorf("%v", got)
	}
}

func TestStopReturnsTheFirstErrorOfTheHandler(t *testing.T) {
	r := Start(slog.New(slog.NewJSONHandler(refuser{}, nil)), time.Hour)
	for range 2 {
		if err := r.Stop(); !errors.Is(err, errRefused) {
			t.Errorf("%v", err)
		}
	}
	var out sink
	if err := Start(out.logger(), time.Hour).Stop(); err != nil {
		t.Errorf("%v without a failure", err)
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

var errRefused = errors.New("refused")

func (refuser) Write([]byte) (int, error) { return 0, errRefused }
