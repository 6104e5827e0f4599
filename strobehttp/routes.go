// SPDX-License-Identifier: BSD-3-Clause

package strobehttp

import (
	"net/http"
	"strings"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/dropin"
)

// Options are those of NewHandler and NewRoutes. The zero value is useful.
type Options struct {
	// Pattern returns the route of a request, "" if it has none. The texts should come from the program, and not from the request:
	// routes beyond Zones share a zone. nil: what the Handler method of the wrapped handler returns, if it has one like that of
	// http.ServeMux; otherwise Request.Pattern; if that is empty too, all requests have the route "request". Routes.Enter is
	// given the pattern instead.
	Pattern func(*http.Request) string

	// Streams are the patterns of routes whose responses last as long as their clients want, besides those that a request shows
	// to be a stream.
	Streams []string

	Zones int // how many routes have zones of their own; less than 1: 200
}

// Routes have a root zone for each route, and a wait zone for the streams of each. Make them once, with NewRoutes. Safe for
// concurrent use.
type Routes struct {
	units, streams *dropin.Zones
	lasting        map[string]bool
}

// NewRoutes returns routes for a router that calls its middleware after it has found the route, such as those of gin and echo.
// Options.Pattern is not used.
func NewRoutes(o Options) *Routes {
	r := &Routes{
		units:   dropin.NewZones(strobe.NewRootZone, o.Zones, "(other routes)"),
		streams: dropin.NewZones(func(name string) *strobe.Zone { return strobe.NewWaitZone(name + " (stream)") }, o.Zones, "(other routes)"),
		lasting: make(map[string]bool),
	}
	for _, p := range o.Streams {
		r.lasting[p] = true
	}
	return r
}

// Enter begins the unit of a request, or its stream, on the calling goroutine, which must end it with Exit. pattern is the
// route of the request, or "" if there is none. The returned request is the one to be handled: its context has the task of the unit.
func (z *Routes) Enter(r *http.Request, pattern string) (*http.Request, Exchange) {
	lasting := z.lasting[pattern] || isStream(r)
	if pattern == "" {
		pattern = "(no route)"
	}
	zones := z.units
	if lasting {
		zones = z.streams
	}
	before := r.Context()
	ctx, span := dropin.Enter(before, zones.Zone(pattern), first(r, "Traceparent"))
	inner := r
	if ctx != before {
		inner = r.WithContext(ctx)
	}
	return inner, Exchange{span, r, inner}
}

// An Exchange is a request that is being handled.
type Exchange struct {
	span         strobe.Span
	outer, inner *http.Request
}

// Exit ends the unit of the request. What is read from the request afterwards, such as its pattern by a logger around it, and its
// uploaded files by the server, which deletes them, is where it would be without the unit.
func (e Exchange) Exit() {
	e.span.Exit()
	if e.inner != e.outer {
		e.outer.Pattern = e.inner.Pattern
		e.outer.Form, e.outer.PostForm, e.outer.MultipartForm = e.inner.Form, e.inner.PostForm, e.inner.MultipartForm
	}
}

// isStream reports whether a request asks for what has no end of its own: a websocket, a tunnel, or the events of an EventSource,
// which accepts nothing else.
func isStream(r *http.Request) bool {
	return r.Method == http.MethodConnect || strings.EqualFold(first(r, "Upgrade"), "websocket") || first(r, "Accept") == "text/event-stream"
}

// first returns the first value of a header whose name is in canonical form.
func first(r *http.Request, header string) string {
	if v := r.Header[header]; len(v) > 0 {
		return v[0]
	}
	return ""
}
