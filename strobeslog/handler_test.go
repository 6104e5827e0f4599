// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobeslog

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/slogtest"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/strobehttp"
)

// logged returns the record that f logs.
func logged(t *testing.T, f func(*slog.Logger)) map[string]any {
	t.Helper()
	var text bytes.Buffer
	f(slog.New(NewHandler(slog.NewJSONHandler(&text, nil))))
	var r map[string]any
	if err := json.Unmarshal(text.Bytes(), &r); err != nil {
		t.Fatalf("%v: %s", err, text.Bytes())
	}
	return r
}

// needTasks skips a test where goroutines share a lane.
func needTasks(t *testing.T) {
	t.Helper()
	span := strobe.NewRootZone("tasks").Enter()
	defer span.Exit()
	if strobe.CurrentTask() == (strobe.Task{}) {
		t.Skip("in this build goroutines share a lane, which has no tasks")
	}
}

func TestARecordHasItsUnit(t *testing.T) {
	needTasks(t)
	zOrder, zElsewhere := strobe.NewRootZone("order"), strobe.NewZone("elsewhere")
	began := time.Now()
	span := zOrder.Enter()
	task := strobe.CurrentTask()
	time.Sleep(3 * time.Millisecond)
	records := []map[string]any{logged(t, func(l *slog.Logger) { l.Info("here", "n", 1) })}
	done := make(chan bool)
	go func() {
		defer close(done)
		s := task.Enter(zElsewhere)
		records = append(records, logged(t, func(l *slog.Logger) { l.Info("on another goroutine") }))
		s.Exit()
		ctx := strobe.ContextWithTask(t.Context(), task)
		records = append(records, logged(t, func(l *slog.Logger) { l.InfoContext(ctx, "by the context") }))
		records = append(records, logged(t, func(l *slog.Logger) { l.Info("outside") }))
	}()
	<-done
	most := float64(time.Since(began)) / 1e6
	span.Exit()
	for _, r := range records[:3] {
		if ms, _ := r["unit_ms"].(float64); r["unit"] != "order" || ms < 3 || ms > most*1.01 { // the clock's rate may have been corrected
			t.Errorf("%v, after at most %v ms", r, most)
		}
	}
	for _, r := range []map[string]any{records[3], logged(t, func(l *slog.Logger) { l.Info("afterwards") })} {
		for _, key := range []string{"unit", "unit_ms", "trace_id"} {
			if v, found := r[key]; found {
				t.Errorf("%s is %v outside of a unit", key, v)
			}
		}
	}
	if records[0]["n"] != 1.0 {
		t.Errorf("an attribute is missing: %v", records[0])
	}
}

func TestTheRecordsOfARequestHaveItsTrace(t *testing.T) {
	needTasks(t)
	var r map[string]any
	mux := http.NewServeMux()
	mux.HandleFunc("GET /cart", func(_ http.ResponseWriter, q *http.Request) {
		r = logged(t, func(l *slog.Logger) { l.WithGroup("shop").With("a", 1).InfoContext(q.Context(), "served") })
	})
	q := httptest.NewRequest("GET", "/cart", nil)
	q.Header.Set("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	strobehttp.NewHandler(mux, strobehttp.Options{}).ServeHTTP(httptest.NewRecorder(), q)
	group, _ := r["shop"].(map[string]any)
	if group["unit"] != "GET /cart" || group["trace_id"] != "4bf92f3577b34da6a3ce929d0e0e4736" || group["a"] != 1.0 {
		t.Errorf("%v", r)
	}
}

func TestItIsAHandler(t *testing.T) {
	var text bytes.Buffer
	if err := slogtest.TestHandler(NewHandler(slog.NewJSONHandler(&text, nil)), func() (all []map[string]any) {
		for d := json.NewDecoder(&text); d.More(); {
			var r map[string]any
			if err := d.Decode(&r); err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
		return all
	}); err != nil {
		t.Error(err)
	}
	if NewHandler(slog.NewJSONHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelWarn})).Enabled(t.Context(), slog.LevelInfo) {
		t.Error("a level that is off is on")
	}
}

func BenchmarkRecord(b *testing.B) {
	bare := slog.NewJSONHandler(io.Discard, nil)
	for _, c := range []struct {
		name string
		h    slog.Handler
	}{{"bare", bare}, {"unit", NewHandler(bare)}} {
		b.Run(c.name, func(b *testing.B) {
			defer strobe.NewRootZone("unit").Enter().Exit()
			l := slog.New(c.h)
			b.ReportAllocs()
			for b.Loop() {
				l.Info("served", "status", 200)
			}
		})
	}
}
