// SPDX-License-Identifier: BSD-3-Clause

package strobeotel

import (
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/profile"
)

// slow is a report of a request with a note.
func slow(key, value string) capture.Report {
	return capture.Report{
		Schema: capture.Schema, Root: "request", Unit: "span", At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Took: 69 * time.Millisecond, Usual: 9 * time.Millisecond,
		Cause: capture.Lock, Share: 0.97, Spent: 58 * time.Millisecond, Zone: "save", Where: "main.save (store.go:41)", Notes: []profile.Note{{Key: key, Value: value}},
		Account: []capture.Part{{Cause: capture.Lock, Took: 58 * time.Millisecond, Where: "main.save (store.go:41)"}, {Cause: capture.Own, Took: 11 * time.Millisecond, Usual: 9 * time.Millisecond}},
		Degrees: []string{"no switch records"},
	}
}

// exported returns the spans of a report that a provider has exported, if it samples as its users do by default.
func exported(t *testing.T, r capture.Report) tracetest.SpanStubs {
	t.Helper()
	exporter := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exporter))
	t.Cleanup(func() { provider.Shutdown(t.Context()) })
	Reports(provider)(r)
	return exporter.GetSpans()
}

func values(all []attribute.KeyValue) map[string]any {
	out := make(map[string]any)
	for _, a := range all {
		out[string(a.Key)] = a.Value.AsInterface()
	}
	return out
}

const traceID, spanID = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"

func TestAReportIsASpanWithItsAccount(t *testing.T) {
	r := slow("trace", traceID)
	spans := exported(t, r)
	if len(spans) != 1 {
		t.Fatalf("%d spans", len(spans))
	}
	s := spans[0]
	if s.Name != "request" || !s.StartTime.Equal(r.At) || s.EndTime.Sub(s.StartTime) != r.Took || s.SpanContext.TraceID().String() != traceID || s.InstrumentationScope.Name != scope {
		t.Errorf("%+v", s)
	}
	got := values(s.Attributes)
	for key, want := range map[string]any{"strobe.sentence": r.String(), "strobe.cause": "lock", "strobe.share": 0.97, "strobe.spent_ns": int64(58e6), "strobe.usual_ns": int64(9e6),
		"strobe.zone": "save", "strobe.where": "main.save (store.go:41)", "strobe.note.trace": traceID} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
	for _, key := range []string{"strobe.by", "strobe.next", "strobe.goroutine"} {
		if v, found := got[key]; found {
			t.Errorf("%s is %v, although it is not known", key, v)
		}
	}
	if len(s.Events) != 2 || s.Events[0].Name != "lock" || values(s.Events[0].Attributes)["strobe.took_ns"] != int64(58e6) || values(s.Events[1].Attributes)["strobe.usual_ns"] != int64(9e6) {
		t.Errorf("%+v", s.Events)
	}
}

func TestANoteSaysWhichTraceASpanBelongsTo(t *testing.T) {
	for _, c := range []struct {
		key, value    string
		trace, parent string
		spans         int
	}{
		{"trace", traceID, traceID, "", 1},
		{"trace", "00-" + traceID + "-" + spanID + "-01", traceID, spanID, 1},
		{"trace", "00-" + traceID + "-" + spanID + "-00", "", "", 0}, // the program does not sample this trace
		{"trace", "00-" + traceID + "-" + spanID + "-xx", "", "", 1},
		{"trace", "00-" + traceID + "-0-01", "", "", 1},
		{"trace", "hello", "", "", 1},
		{"trace", "", "", "", 1},
		{"route", traceID, "", "", 1},
	} {
		spans := exported(t, slow(c.key, c.value))
		if len(spans) != c.spans {
			t.Errorf("%s: %d spans", c.value, len(spans))
			continue
		}
		for _, s := range spans {
			if got := s.SpanContext.TraceID().String(); c.trace != "" && got != c.trace || c.trace == "" && got == traceID {
				t.Errorf("%s: trace %s", c.value, got)
			}
			if s.Parent.HasSpanID() != (c.parent != "") || c.parent != "" && s.Parent.SpanID().String() != c.parent {
				t.Errorf("%s: parent %s", c.value, s.Parent.SpanID())
			}
		}
	}
}
