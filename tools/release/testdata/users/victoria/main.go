// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"log"
	"os"

	"github.com/strobe-go/strobe"
	strobevictoria "github.com/strobe-go/strobe/contrib/victoria"
)

var zone = strobe.NewZone("elsewhere")

func main() {
	zone.Do(func() {})
	if err := strobevictoria.Write(os.Stdout, strobe.TakeSnapshot(), nil); err != nil {
		log.Fatal(err)
	}
}
