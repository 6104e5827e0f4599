// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"fmt"
	"log"

	"github.com/strobe-go/strobe"
	strobeotel "github.com/strobe-go/strobe/contrib/otel"
)

var zone = strobe.NewZone("elsewhere")

func main() {
	zone.Do(func() {})
	scopes, err := strobeotel.NewProducer(strobeotel.Options{}).Produce(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range scopes {
		for _, m := range s.Metrics {
			fmt.Println(m.Name)
		}
	}
}
