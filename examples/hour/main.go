// SPDX-License-Identifier: BSD-3-Clause

// Command hour is the program of docs/first-hour.md: a store of readings that is sorted now and then, in one slow tick.
package main

import (
	"cmp"
	"flag"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/strobe-go/strobe"
	_ "github.com/strobe-go/strobe/live/auto"
)

var zInsert, zCompact = strobe.NewZone("insert"), strobe.NewZone("compact")

type reading struct {
	at    time.Duration
	value float64
}

// A store keeps readings in the order in which they come, and sorts them when there are many.
type store struct{ recent []reading }

func (s *store) insert(n int) {
	defer zInsert.Enter().Exit()
	for range n {
		s.recent = append(s.recent, reading{rand.N(time.Hour), rand.Float64()})
	}
	if len(s.recent) >= 1<<19 {
		s.compact()
	}
}

func (s *store) compact() {
	defer zCompact.Enter().Exit()
	slices.SortFunc(s.recent, func(a, b reading) int { return cmp.Compare(a.at, b.at) })
	s.recent = s.recent[:0]
}

func main() {
	d := flag.Duration("for", time.Minute, "how long to run")
	flag.Parse()
	defer strobe.StartReporter(os.Stdout, time.Hour).Stop()

	var s store
	tick := time.NewTicker(20 * time.Millisecond)
	for start := time.Now(); time.Since(start) < *d; {
		<-tick.C
		strobe.Frame("tick")
		s.insert(10_000)
	}
}
