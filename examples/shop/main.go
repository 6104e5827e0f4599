// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"flag"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"github.com/strobe-go/strobe"
)

var (
	zRequest = strobe.NewRootZone("request")
	zQuery   = strobe.NewZone("query")
	zResize  = strobe.NewZone("resize")
)

// serve answers a request. It resizes the pictures of the page on other goroutines.
func serve(route string) {
	defer zRequest.Enter().Exit()
	strobe.Note("route", route)
	query()

	task := strobe.CurrentTask()
	var pictures sync.WaitGroup
	for range 3 {
		pictures.Add(1)
		go func() {
			defer pictures.Done()
			defer task.Enter(zResize).Exit()
			time.Sleep(200 * time.Microsecond)
		}()
	}
	pictures.Wait()
}

// query takes ten times as long once in a hundred times.
func query() {
	defer zQuery.Enter().Exit()
	d := 500 * time.Microsecond
	if rand.N(100) == 0 {
		d *= 10
	}
	time.Sleep(d)
}

func main() {
	n := flag.Int("requests", 5000, "how many requests to serve")
	flag.Parse()
	defer strobe.StartReporter(os.Stdout, time.Hour).Stop()

	requests := make(chan string)
	var pool sync.WaitGroup
	for range 4 {
		pool.Add(1)
		go func() {
			defer pool.Done()
			for route := range requests {
				serve(route)
			}
		}()
	}
	for i := range *n {
		requests <- [...]string{"/", "/cart", "/search"}[i%3]
	}
	close(requests)
	pool.Wait()
}
