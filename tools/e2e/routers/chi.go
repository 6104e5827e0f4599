// SPDX-License-Identifier: BSD-3-Clause

package routers

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/strobe-go/strobe/strobehttp"
)

// Chi asks the router for the route before it handles a request.
func Chi(router *chi.Mux) http.Handler {
	return strobehttp.NewHandler(router, strobehttp.Options{Pattern: func(r *http.Request) string {
		if pattern := router.Find(chi.NewRouteContext(), r.Method, r.URL.Path); pattern != "" {
			return r.Method + " " + pattern
		}
		return ""
	}})
}
