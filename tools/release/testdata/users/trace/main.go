// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"io"
	"log"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/trace"
)

var zone = strobe.NewZone("elsewhere")

func main() {
	zone.Do(func() {})
	if err := trace.WriteProfile(io.Discard, strobe.TakeSnapshot()); err != nil {
		log.Fatal(err)
	}
	fmt.Println("traced")
}
