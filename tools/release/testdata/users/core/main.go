// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"

	"github.com/strobe-go/strobe"
)

var zone = strobe.NewZone("elsewhere")

func main() {
	zone.Do(func() {})
	for _, z := range strobe.TakeSnapshot().Totals() {
		fmt.Println(z.Calls)
	}
	for _, z := range strobe.TakeSnapshot().Zones {
		fmt.Println(z.Name)
	}
}
