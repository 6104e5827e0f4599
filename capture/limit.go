// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"fmt"
	"math"
	"runtime/metrics"

	"github.com/strobe-go/strobe/internal/pressure"
)

// nearLimit is the share of GOMEMLIMIT from which the garbage collector works for it.
const nearLimit = 0.95

// memoryLimit returns GOMEMLIMIT in bytes, and whether the program uses all of it.
func memoryLimit() (limit uint64, reached bool) {
	samples := []metrics.Sample{{Name: "/gc/gomemlimit:bytes"}, {Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	for _, s := range samples {
		if s.Value.Kind() != metrics.KindUint64 {
			return 0, false
		}
	}
	limit = samples[0].Value.Uint64()
	used := samples[1].Value.Uint64() - samples[2].Value.Uint64()
	return limit, limit < math.MaxInt64 && float64(used) >= nearLimit*float64(limit)
}

// whatNext says what to do next about a cause.
func whatNext(c Cause) string {
	if c == GC || c == Allocation {
		if limit, reached := memoryLimit(); reached {
			return fmt.Sprintf("raise GOMEMLIMIT, or keep less in memory: all of its %d MiB are used, so that the collector runs again and again", limit>>20)
		}
	}
	if c == Paging {
		if bytes, file, near := pressure.NearLimit(); near {
			return fmt.Sprintf("raise %s of the control group, or use less: nearly all of its %d MiB are used", file, bytes>>20)
		}
	}
	return next[c]
}
