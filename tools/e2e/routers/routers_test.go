// SPDX-License-Identifier: BSD-3-Clause

package routers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-chi/chi/v5"

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

func TestTheRoutesOfChiAreRootZones(t *testing.T) {
	api := chi.NewRouter()
	api.Get("/{id}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, chi.URLParam(r, "id")) })
	router := chi.NewRouter()
	router.Mount("/item", api)
	routed(t, Chi(router), "GET /item/{id}")
}

// routed checks that a handler returns the parameter of its route, which has that zone, and that all other requests share one.
func routed(t *testing.T, h http.Handler, zone string) {
	t.Helper()
	before := len(strobe.TakeSnapshot().Zones)
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
	if got, want := calls(before), fmt.Sprint(map[string]uint64{zone: 3, "(no route)": 20}); fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
