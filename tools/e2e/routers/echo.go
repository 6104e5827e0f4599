// SPDX-License-Identifier: BSD-3-Clause

//go:build long

package routers

import (
	"github.com/labstack/echo/v4"

	"github.com/strobe-go/strobe/strobehttp"
)

// Echo is a middleware: router.Use(Echo()). echo calls it when it has found the route.
func Echo() echo.MiddlewareFunc {
	routes := strobehttp.NewRoutes(strobehttp.Options{})
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			pattern := c.Path()
			if pattern != "" {
				pattern = c.Request().Method + " " + pattern
			}
			r, exchange := routes.Enter(c.Request(), pattern)
			defer exchange.Exit()
			c.SetRequest(r)
			return next(c)
		}
	}
}
