// SPDX-License-Identifier: BSD-3-Clause

//go:build long

package routers

import (
	"github.com/gin-gonic/gin"

	"github.com/strobe-go/strobe/strobehttp"
)

// Gin is a middleware: router.Use(Gin()). gin calls it when it has found the route.
func Gin() gin.HandlerFunc {
	routes := strobehttp.NewRoutes(strobehttp.Options{})
	return func(c *gin.Context) {
		pattern := c.FullPath()
		if pattern != "" {
			pattern = c.Request.Method + " " + pattern
		}
		r, exchange := routes.Enter(c.Request, pattern)
		defer exchange.Exit()
		c.Request = r
		c.Next()
	}
}
