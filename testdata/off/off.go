// SPDX-License-Identifier: BSD-3-Clause

// Package off is compiled with -tags strobe_off by a test, which compares the machine code of its functions.
package off

import "github.com/strobe-go/strobe"

var (
	zone = strobe.NewZone("zone")
	loop = strobe.NewLoop("loop")
)

var Sum int

//go:noinline
func Bare(v []int) {
	for _, x := range v {
		Sum += x * x
	}
}

//go:noinline
func Spanned(v []int) {
	s := zone.Enter()
	for _, x := range v {
		Sum += x * x
	}
	s.Exit()
}

//go:noinline
func Lapped(v []int) {
	p := strobe.StartLap(zone)
	for _, x := range v {
		Sum += x * x
	}
	p.Next(zone)
	p.End()
	strobe.Frame("loop")
	loop.Frame()
	strobe.Plot("plot", 1)
}

//go:noinline
func Guarded(v []int) {
	if strobe.Enabled {
		defer zone.Enter().Exit()
	}
	for _, x := range v {
		Sum += x * x
	}
}
