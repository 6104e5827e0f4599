// SPDX-License-Identifier: BSD-3-Clause

// Command books is a bookshop on the loopback interface, with clients that search its catalogue. It does not know of strobe, and it is
// slow for three reasons, which docs/tutorial.md finds and repairs.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

func main() {
	length := flag.Duration("for", 5*time.Second, "how long the shop is open")
	clients := flag.Int("clients", 4, "how many search at the same time")
	flag.Parse()

	bank := serve(http.HandlerFunc(quote))
	s := newShop(8000, func() (map[string]float64, error) { return fetch(bank) })
	if err := s.rates.refresh(); err != nil {
		log.Fatal(err)
	}
	go func() {
		for range time.Tick(500 * time.Millisecond) {
			if err := s.rates.refresh(); err != nil {
				log.Print(err)
			}
		}
	}()

	mux := http.NewServeMux()
	mux.HandleFunc("GET /search", s.search)
	shop := serve(mux)

	var all sync.WaitGroup
	took := make([][]time.Duration, *clients)
	for n := range *clients {
		all.Add(1)
		go func() {
			defer all.Done()
			took[n] = visit(shop, *length)
		}()
	}
	all.Wait()
	sorted := slices.Sorted(slices.Values(slices.Concat(took...)))
	if len(sorted) == 0 {
		log.Fatal("no search was answered")
	}
	fmt.Printf("%d searches: half took less than %v, one in ten more than %v\n", len(sorted),
		sorted[len(sorted)/2].Round(10*time.Microsecond), sorted[len(sorted)*9/10].Round(10*time.Microsecond))
}

// serve starts a server on a free port, and returns its URL.
func serve(h http.Handler) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(l, h)
	return "http://" + l.Addr().String()
}

// visit searches for a while, with a pause after each answer, and returns how long the answers took.
func visit(shop string, length time.Duration) (took []time.Duration) {
	for began, n := time.Now(), 0; time.Since(began) < length; n++ {
		query := url.Values{"q": {words[n%len(words)] + " " + words[(n+7)%len(words)]}, "currency": {"EUR"}}
		search := shop + "/search?" + query.Encode()
		asked := time.Now()
		answer, err := http.Get(search)
		if err != nil {
			log.Print(err)
			return took
		}
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		took = append(took, time.Since(asked))
		time.Sleep(40 * time.Millisecond)
	}
	return took
}
