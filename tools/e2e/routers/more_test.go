// SPDX-License-Identifier: BSD-3-Clause

//go:build long

package routers

import (
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/labstack/echo/v4"
)

func TestTheRoutesOfGinAreRootZones(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(Gin())
	router.GET("/item/:id", func(c *gin.Context) { c.String(200, c.Param("id")) })
	routed(t, router, "GET /item/:id")
}

func TestTheRoutesOfEchoAreRootZones(t *testing.T) {
	router := echo.New()
	router.Use(Echo())
	router.GET("/item/:id", func(c echo.Context) error { return c.String(200, c.Param("id")) })
	routed(t, router, "GET /item/:id")
}
