// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"log"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/strobe-go/strobe"
	strobeprom "github.com/strobe-go/strobe/contrib/prometheus"
)

var zone = strobe.NewZone("elsewhere")

func main() {
	zone.Do(func() {})
	registry := prometheus.NewRegistry()
	registry.MustRegister(strobeprom.NewCollector(strobeprom.Options{}))
	families, err := registry.Gather()
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range families {
		fmt.Println(f.GetName())
	}
}
