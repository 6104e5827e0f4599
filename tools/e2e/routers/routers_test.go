// SPDX-License-Identifier: BSD-3-Clause

package routers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/labstack/echo/v4"

	"github.com/strobe-go/strobe"
)

// calls returns the calls of the root zones that were made after the first n zones.
func calls(n int) map[string]uint64 {
	s := strobe.TakeSnapshot()
	all := map[string]uint64{}
	for i, z := range s.Zones[n:] {
		for _, l := range s.Lanes {
			for _, t := range l.Zones {
				if z.Root && t.Zone == n+i {
					all[z.Name] += t.Calls
				}
			}
		}
	}
	return all
}

func TestTheRoutesOfRoutersAreRootZones(t *testing.T) {
	gin.SetMode(gin.ReleaseMode)
	for _, c := range []struct {
		name    string
		handler func() http.Handler
	}{
		{"chi", func() http.Handler {
			api := chi.NewRouter()
			api.Get("/{id}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, chi.URLParam(r, "id")) })
			router := chi.NewRouter()
			router.Mount("/item", api)
			return Chi(router)
		}},
		{"gin", func() http.Handler {
			router := gin.New()
			router.Use(Gin())
			router.GET("/item/:id", func(c *gin.Context) { c.String(200, c.Param("id")) })
			return router
		}},
		{"echo", func() http.Handler {
			router := echo.New()
			router.Use(Echo())
			router.GET("/item/:id", func(c echo.Context) error { return c.String(200, c.Param("id")) })
			return router
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := len(strobe.TakeSnapshot().Zones)
			h := c.handler()
			ask := func(path string) string {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
				return w.Body.String()
			}
			for i := range 3 {
				if text := ask(fmt.Sprint("/item/", i)); text != fmt.Sprint(i) {
					t.Errorf("parameter %q", text)
				}
			}
			for i := range 20 { // a scanner
				ask(fmt.Sprintf("/%d.php", i))
			}
			want := map[string]uint64{"GET /item/:id": 3, "(no route)": 20}
			if c.name == "chi" {
				want = map[string]uint64{"GET /item/{id}": 3, "(no route)": 20}
			}
			if got := calls(before); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}
