// SPDX-License-Identifier: BSD-3-Clause

package strobehttp

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/strobe-go/strobe/internal/race"
)

func hello() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hello/{name}", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.PathValue("name")) })
	return mux
}

// ways are the handler without and with zones.
func ways() []way[http.Handler] {
	return []way[http.Handler]{{"bare", hello()}, {"zones", NewHandler(hello(), Options{})}}
}

type way[T any] struct {
	name  string
	thing T
}

// A discarder is a ResponseWriter that costs nothing.
type discarder struct{ header http.Header }

func (d discarder) Header() http.Header         { return d.header }
func (d discarder) WriteHeader(int)             {}
func (d discarder) Write(p []byte) (int, error) { return len(p), nil }

func TestARequestAllocatesItsContextAlone(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	allocations := func(h http.Handler) float64 {
		w, r := discarder{http.Header{}}, httptest.NewRequest("GET", "/hello/you", nil)
		return testing.AllocsPerRun(100, func() { h.ServeHTTP(w, r) })
	}
	bare, zones := allocations(ways()[0].thing), allocations(ways()[1].thing)
	if zones > 2*bare+3 { // the mux looks for the pattern twice; a context, the task in it, and the request that has it
		t.Errorf("%v allocations, without zones %v", zones, bare)
	}
}

// BenchmarkHandler leaves out the network.
func BenchmarkHandler(b *testing.B) {
	for _, way := range ways() {
		b.Run(way.name, func(b *testing.B) {
			w, r := discarder{http.Header{}}, httptest.NewRequest("GET", "/hello/you", nil)
			b.ReportAllocs()
			for b.Loop() {
				way.thing.ServeHTTP(w, r)
			}
		})
	}
}

// BenchmarkServer has a client that waits for each response.
func BenchmarkServer(b *testing.B) {
	for _, way := range ways() {
		b.Run(way.name, func(b *testing.B) {
			s := httptest.NewServer(way.thing)
			defer s.Close()
			for b.Loop() {
				response, err := http.Get(s.URL + "/hello/you")
				if err != nil {
					b.Fatal(err)
				}
				io.Copy(io.Discard, response.Body)
				response.Body.Close()
			}
		})
	}
}

func BenchmarkTransport(b *testing.B) {
	s := httptest.NewServer(hello())
	defer s.Close()
	for _, way := range []way[http.RoundTripper]{{"bare", http.DefaultTransport}, {"zones", NewTransport(nil, TransportOptions{})}} {
		b.Run(way.name, func(b *testing.B) {
			client := http.Client{Transport: way.thing}
			for b.Loop() {
				response, err := client.Get(s.URL + "/hello/you")
				if err != nil {
					b.Fatal(err)
				}
				io.Copy(io.Discard, response.Body)
				response.Body.Close()
			}
		})
	}
}
