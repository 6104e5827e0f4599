// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"fmt"
	"testing"
	"time"

	"github.com/strobe-go/strobe/pace"
)

func BenchmarkBusyFloor(b *testing.B) { runRows(b, busyFloorRows()) }

// busyFloorRows let each mode of a limiter, and the floor, compete with two busy processes.
func busyFloorRows() []row {
	var all []row
	for _, rate := range []float64{60, 144, 1000} {
		add := func(name string, s startSleeper) {
			all = append(all, row{fmt.Sprintf("%vHz/%s", rate, name), func(b *testing.B) {
				if !hasFloor {
					b.Skip("the floor is written for Linux only")
				}
				defer startHogs(b, 2)()
				once(b, func() map[string]float64 { return besideFloor(s, bareSleeper(true), time.Duration(1e9/rate)) })
			}})
		}
		for _, mode := range []pace.Mode{pace.Yield, pace.Lock, pace.Realtime} {
			add("pace.Limiter-"+mode.String(), limiter(pace.Options{Mode: mode}))
		}
		add("spinning", spinning)
	}
	return all
}
