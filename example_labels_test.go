// SPDX-License-Identifier: BSD-3-Clause

package strobe_test

import (
	"context"
	"fmt"
	"runtime/pprof"

	"github.com/strobe-go/strobe"
)

var zoneQuery = strobe.NewZone("query")

// A label of runtime/pprof around a zone marks the processor samples that are taken inside it, also those of goroutines
// that are started there: go tool pprof -tagfocus zone=query shows them alone.
func ExampleZone_Do_pprofLabels() {
	pprof.Do(context.Background(), pprof.Labels("zone", "query"), func(ctx context.Context) {
		zoneQuery.Do(func() {
			label, _ := pprof.Label(ctx, "zone")
			fmt.Println("working under the label", label)
		})
	})
	// Output: working under the label query
}
