// SPDX-License-Identifier: BSD-3-Clause

// Package strobeslog adds to each log record the unit, such as a request, in which it was logged.
//
//	slog.SetDefault(slog.New(strobeslog.NewHandler(slog.NewJSONHandler(os.Stderr, nil))))
//
// # Attributes
//
// "unit" is the name of the root zone, and "unit_ms" how long its call has lasted. "trace_id" is the trace ID of the request, if the
// context has one, as those of packages strobehttp and contrib/grpc do: such records are logged with slog.InfoContext, and not
// with slog.Info. What is not known is absent. The unit is the one for which the calling goroutine works or, if there is none, the
// one whose task the context carries: see strobe.CurrentTask and strobe.TaskFromContext. Its attributes are in the groups of
// the logger, like those of the call.
package strobeslog

import (
	"context"
	"log/slog"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/dropin"
)

type handler struct{ next slog.Handler }

// NewHandler returns a handler that adds the unit to a record before it calls next. Safe for concurrent use if next is.
func NewHandler(next slog.Handler) slog.Handler {
	if !strobe.Enabled {
		return next
	}
	return handler{next}
}

func (h handler) Enabled(ctx context.Context, l slog.Level) bool { return h.next.Enabled(ctx, l) }
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler       { return handler{h.next.WithAttrs(attrs)} }
func (h handler) WithGroup(name string) slog.Handler             { return handler{h.next.WithGroup(name)} }

func (h handler) Handle(ctx context.Context, r slog.Record) error {
	task := strobe.CurrentTask()
	if task == (strobe.Task{}) {
		task = strobe.TaskFromContext(ctx)
	}
	name, lasted, ok := task.Unit()
	trace := dropin.TraceID(ctx)
	if !ok && trace == "" {
		return h.next.Handle(ctx, r)
	}
	r = r.Clone() // others may have it too
	if ok {
		r.AddAttrs(slog.String("unit", name), slog.Float64("unit_ms", float64(lasted)/float64(time.Millisecond)))
	}
	if trace != "" {
		r.AddAttrs(slog.String("trace_id", trace))
	}
	return h.next.Handle(ctx, r)
}
