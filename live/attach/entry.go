// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"sync"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
)

// entry returns what a deferred call of a zone costs in ns even if it is not timed: profile.Snapshot.Cost is that of a span that is
// not deferred.
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
func deferred(z *strobe.Zone) { defer z.Enter().Exit() }
