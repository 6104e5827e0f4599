// SPDX-License-Identifier: BSD-3-Clause

// Example measures a loop and serves its metrics.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/strobe-go/strobe"
	strobeprom "github.com/strobe-go/strobe/contrib/prometheus"
)

var zTick = strobe.NewZone("tick")

func tick() {
	defer zTick.Enter().Exit()
	time.Sleep(10 * time.Millisecond)
}

func main() {
	prometheus.MustRegister(strobeprom.NewCollector(strobeprom.Options{
		Version: "1.4.2",
		Classic: map[string][]float64{"tick": {0.016, 0.033, 1}},
	}))
	http.Handle("/metrics", promhttp.Handler())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s/metrics\n", l.Addr())
	go func() { log.Fatal(http.Serve(l, nil)) }()
	for {
		tick()
	}
}
