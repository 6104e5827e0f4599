// SPDX-License-Identifier: BSD-3-Clause

package clock_test

import (
	"context"
	"fmt"
	"time"

	"github.com/strobe-go/strobe/clock"
)

func ExampleNow() {
	begin := clock.Now()
	time.Sleep(time.Millisecond)
	fmt.Println(clock.Since(begin) >= time.Millisecond)
	// Output: true
}

func ExampleNowOrdered() {
	sent := make(chan clock.Instant)
	go func() { sent <- clock.NowOrdered() }()
	fmt.Println(<-sent <= clock.NowOrdered())
	// Output: true
}

func ExampleToDuration() {
	begin := clock.Ticks()
	time.Sleep(time.Millisecond)
	took := clock.ToDuration(clock.Ticks() - begin)
	fmt.Println(took > 900*time.Microsecond)
	// Output: true
}

func ExampleProbe() {
	for _, source := range clock.Sources() {
		if source.Name == "time.Now" {
			g, err := clock.Probe(context.Background(), source)
			fmt.Println(g.Name, g.Overhead > 0, err)
		}
	}
	// Output: time.Now true <nil>
}
