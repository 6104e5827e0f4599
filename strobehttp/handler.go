// SPDX-License-Identifier: BSD-3-Clause

package strobehttp

import (
	"net/http"

	"github.com/strobe-go/strobe"
)

// A router is what http.ServeMux is.
type router interface {
	Handler(*http.Request) (h http.Handler, pattern string)
}

type handler struct {
	next    http.Handler
	routes  *Routes
	pattern func(*http.Request) string
}

// NewHandler returns a handler that calls h for each request, inside a call of the root zone of the request's route. Make it once
// for each h, not for each request. A nil h is http.DefaultServeMux.
func NewHandler(h http.Handler, o Options) http.Handler {
	if h == nil {
		h = http.DefaultServeMux
	}
	if !strobe.Enabled {
		return h
	}
	wrapped := handler{h, NewRoutes(o), o.Pattern}
	if r, ok := h.(router); ok && wrapped.pattern == nil {
		wrapped.pattern = func(r2 *http.Request) string { _, pattern := r.Handler(r2); return pattern }
	}
	if wrapped.pattern == nil {
		wrapped.pattern = given
	}
	return wrapped
}

// given returns the pattern that a router has already found.
func given(r *http.Request) string {
	if r.Pattern != "" {
		return r.Pattern
	}
	return "request"
}

// ServeHTTP hands on the ResponseWriter as it is, so that everything that it can do remains possible.
func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r, exchange := h.routes.Enter(r, h.pattern(r))
	defer exchange.Exit()
	h.next.ServeHTTP(w, r)
}
