// SPDX-License-Identifier: BSD-3-Clause

// Package dropin has what packages share that measure a framework or a library with strobe, so that the program that uses these
// needs one line: zones by names that are known only at run time, and units that go on with a context. Programs do not need it.
//
//	var methods = dropin.NewZones(strobe.NewRootZone, 200, "(other methods)")
//
//	func serve(ctx context.Context, method, traceparent string, next func(context.Context)) {
//		ctx, span := dropin.Enter(ctx, methods.Zone(method), traceparent)
//		defer span.Exit()
//		next(ctx)
//	}
package dropin

import (
	"context"
	"strings"

	"github.com/strobe-go/strobe"
)

type traceKey struct{}

// Enter begins a span on the calling goroutine, which must end it with Exit. Work that gets the returned context, on any goroutine,
// can be made a part of the unit that the goroutine then works for, with strobe.TaskFromContext. If traceparent is one of W3C
// Trace Context, TraceID returns its trace ID from the context, and the unit has it as a note with the key "trace".
func Enter(ctx context.Context, z *strobe.Zone, traceparent string) (context.Context, strobe.Span) {
	span := z.Enter()
	if !strobe.Enabled {
		return ctx, span
	}
	task := strobe.CurrentTask()
	if wellFormed(traceparent) {
		ctx = context.WithValue(ctx, traceKey{}, traceparent)
		if task != (strobe.Task{}) {
			strobe.Note("trace", traceparent)
		}
	}
	return strobe.ContextWithTask(ctx, task), span
}

// TraceID returns the trace ID of the request that a context belongs to, 32 hexadecimal digits; "" if it is not known.
func TraceID(ctx context.Context) string {
	parent, _ := ctx.Value(traceKey{}).(string)
	if parent == "" {
		return ""
	}
	return parent[3:35]
}

// wellFormed reports whether a text from outside is a traceparent: version, trace ID, parent ID and flags. Later versions may
// have more fields, which are refused here, since they would be of any length.
func wellFormed(traceparent string) bool {
	if len(traceparent) != 55 || traceparent[2] != '-' || traceparent[35] != '-' || traceparent[52] != '-' {
		return false
	}
	for i := range len(traceparent) {
		if c := traceparent[i]; i != 2 && i != 35 && i != 52 && (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return strings.Trim(traceparent[3:35], "0") != "" && strings.Trim(traceparent[36:52], "0") != ""
}
