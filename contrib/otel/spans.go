// SPDX-License-Identifier: BSD-3-Clause

package strobeotel

import (
	"context"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/strobe-go/strobe/capture"
)

// scope is the name of the instrumentation scope of all that is exported.
const scope = "github.com/strobe-go/strobe/contrib/otel"

// Reports returns a function for capture.Options.On, which records a span for each report with the program's own provider:
//
//	defer capture.Start(capture.Options{On: strobeotel.Reports(otel.GetTracerProvider())}).Stop()
//
// The span has the name, the start and the duration of the slow unit, what the report says as attributes, and an event for each part of the
// account. If the unit has a note with the key "trace", whose value is a trace ID of 32 hexadecimal digits or a traceparent of W3C
// Trace Context, the span belongs to that trace. With a traceparent it is a child of the span named there, and most samplers drop
// it if its flags say that the trace is not sampled. Otherwise the span begins a trace of its own. The function is safe for
// concurrent use.
func Reports(provider trace.TracerProvider) func(capture.Report) {
	tracer := provider.Tracer(scope)
	return func(r capture.Report) {
		_, span := tracer.Start(parent(r), r.Root, trace.WithTimestamp(r.At), trace.WithAttributes(attributes(r)...))
		for _, p := range r.Account {
			span.AddEvent(p.Cause.String(), trace.WithTimestamp(r.At), trace.WithAttributes(attributesOf(p)...))
		}
		span.End(trace.WithTimestamp(r.At.Add(r.Took)))
	}
}

// parent returns a context with the trace that a note names, if one does.
func parent(r capture.Report) context.Context {
	ctx := context.Background()
	for _, n := range r.Notes {
		if c, ok := parse(n.Value); ok && n.Key == "trace" {
			return trace.ContextWithRemoteSpanContext(ctx, c)
		}
	}
	return ctx
}

// parse reads a trace ID or a traceparent.
func parse(text string) (c trace.SpanContext, ok bool) {
	config := trace.SpanContextConfig{Remote: true, TraceFlags: trace.FlagsSampled}
	id := text
	if f := strings.Split(text, "-"); len(f) >= 4 { // version, trace, parent, flags
		flags, err := strconv.ParseUint(f[3], 16, 8)
		span, wrong := trace.SpanIDFromHex(f[2])
		if err != nil || wrong != nil {
			return c, false
		}
		id, config.SpanID, config.TraceFlags = f[1], span, trace.TraceFlags(flags)&trace.FlagsSampled
	}
	var err error
	config.TraceID, err = trace.TraceIDFromHex(id)
	return trace.NewSpanContext(config), err == nil
}

// attributes returns what a report says. What is not known is absent.
func attributes(r capture.Report) []attribute.KeyValue {
	all := []attribute.KeyValue{
		attribute.String("strobe.sentence", r.String()),
		attribute.String("strobe.unit", r.Unit),
		attribute.String("strobe.cause", r.Cause.String()),
	}
	if r.Usual > 0 {
		all = append(all, attribute.Int64("strobe.usual_ns", int64(r.Usual)))
	}
	if r.Share > 0 {
		all = append(all, attribute.Float64("strobe.share", r.Share))
	}
	if r.Spent > 0 {
		all = append(all, attribute.Int64("strobe.spent_ns", int64(r.Spent)))
	}
	if r.Slow > 0 {
		all = append(all, attribute.Int64("strobe.slow", int64(r.Slow)), attribute.Int64("strobe.explained", int64(r.Explained)))
	}
	if r.Goroutine != 0 {
		all = append(all, attribute.Int64("strobe.goroutine", r.Goroutine))
	}
	all = texts(all, "strobe.zone", r.Zone, "strobe.where", r.Where, "strobe.by", r.By, "strobe.next", r.Next)
	for _, n := range r.Notes {
		all = append(all, attribute.String("strobe.note."+n.Key, n.Value))
	}
	if len(r.Degrees) > 0 {
		all = append(all, attribute.StringSlice("strobe.degrees", r.Degrees))
	}
	return all
}

// attributesOf returns what a part of the account says.
func attributesOf(p capture.Part) []attribute.KeyValue {
	all := []attribute.KeyValue{attribute.Int64("strobe.took_ns", int64(p.Took))}
	if p.Usual > 0 {
		all = append(all, attribute.Int64("strobe.usual_ns", int64(p.Usual)))
	}
	return texts(all, "strobe.zone", p.Zone, "strobe.where", p.Where, "strobe.by", p.By)
}

// texts appends attributes, given as keys and values, that have a value.
func texts(all []attribute.KeyValue, pairs ...string) []attribute.KeyValue {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			all = append(all, attribute.String(pairs[i], pairs[i+1]))
		}
	}
	return all
}
