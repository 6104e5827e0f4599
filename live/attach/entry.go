// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"sync"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
)

// entry returns what the statement for a zone costs a function in ns if the zone is off: a condition, and what a deferred call
// changes in the function. It comes on top of profile.Snapshot.Cost.
var entry = sync.OnceValue(func() float64 {
	const rounds, calls = 15, 500
	var zone strobe.Zone // measures nothing
	least := [2]time.Duration{time.Hour, time.Hour}
	for range rounds {
		for i, f := range []func(*strobe.Zone){bare, deferred} {
			begin := clock.Now()
			for range calls {
				f(&zone)
			}
			least[i] = min(least[i], clock.Since(begin))
		}
	}
	return max(0, float64(least[1]-least[0])/calls)
})

//go:noinline
func bare(*strobe.Zone) {}

//go:noinline
func deferred(z *strobe.Zone) {
	if z.Due() {
		defer z.Enter().Exit()
	}
}
