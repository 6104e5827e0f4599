// SPDX-License-Identifier: BSD-3-Clause

// Guided computes something in zones: guided CALLS [PROFILE]. It prints what strobe counted, and writes a profile of itself.
package main

import (
	"fmt"
	"os"
	"runtime/pprof"
	"strconv"

	"github.com/strobe-go/strobe"
)

var zOuter, zInner, zDeep = strobe.NewZone("outer"), strobe.NewZone("inner"), strobe.NewZone("deep")

var sum uint64

func outer(n int) {
	defer zOuter.Enter().Exit()
	for i := range 10 {
		inner(n + i)
	}
}

func inner(n int) {
	s := zInner.Enter()
	if n%2 == 0 {
		deep(20)
	}
	for i := range uint64(200) {
		sum = sum*31 + i
	}
	s.Exit()
}

func deep(n int) {
	defer zDeep.Enter().Exit()
	if n > 1 {
		deep(n - 1)
	}
}

func main() {
	n, err := strconv.Atoi(os.Args[1])
	if err == nil && len(os.Args) > 2 {
		var f *os.File
		if f, err = os.Create(os.Args[2]); err == nil {
			err = pprof.StartCPUProfile(f)
		}
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for i := range n {
		outer(i)
	}
	pprof.StopCPUProfile()
	s := strobe.TakeSnapshot()
	for _, z := range s.Totals() {
		if z.Zone >= 0 && z.Calls > 0 {
			fmt.Println(s.Zones[z.Zone].Name, z.Calls, z.Self <= z.Total)
		}
	}
}
