// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobehttp_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/strobehttp"
)

// In a program: http.ListenAndServe(addr, strobehttp.NewHandler(mux, strobehttp.Options{}))
func ExampleNewHandler() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /cart/{customer}", func(http.ResponseWriter, *http.Request) {})
	server := httptest.NewServer(strobehttp.NewHandler(mux, strobehttp.Options{}))
	client := &http.Client{Transport: strobehttp.NewTransport(nil, strobehttp.TransportOptions{
		Name: func(*http.Request) string { return "carts" }, // the port of the server is random
	})}
	for i := range 3 {
		response, err := client.Get(server.URL + fmt.Sprint("/cart/", i))
		if err != nil {
			fmt.Println(err)
			return
		}
		response.Body.Close()
	}
	server.Close()
	s := strobe.TakeSnapshot()
	for i, z := range s.Zones {
		for _, l := range s.Lanes {
			for _, t := range l.Zones {
				if t.Zone == i && (z.Name == "carts" || z.Name == "GET /cart/{customer}") {
					fmt.Printf("%s: %d calls, unit %v, wait %v\n", z.Name, t.Calls, z.Root, z.Wait)
				}
			}
		}
	}
	// Unordered output:
	// GET /cart/{customer}: 3 calls, unit true, wait false
	// carts: 3 calls, unit false, wait true
}
