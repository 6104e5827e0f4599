// SPDX-License-Identifier: BSD-3-Clause

package shared_test

import (
	"fmt"
	"sync"

	"github.com/strobe-go/strobe/stat/shared"
)

func ExampleHistogram() {
	var latency shared.Histogram
	var wait sync.WaitGroup
	for range 4 {
		mine := latency.Stripe()
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range int64(1000) {
				mine.Record(1_000_000 + i) // nanoseconds
			}
		}()
	}
	wait.Wait()
	s := latency.Snapshot()
	fmt.Println(s.N(), s.Quantile(0.5)/10_000)
	// Output: 4000 100
}
