// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package dropin_test

import (
	"context"
	"fmt"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/dropin"
)

var jobs = dropin.NewZones(strobe.NewRootZone, 100, "(other jobs)")

// A queue calls this around each job.
func Example() {
	around := func(ctx context.Context, kind, traceparent string, work func(context.Context)) {
		ctx, span := dropin.Enter(ctx, jobs.Zone(kind), traceparent)
		defer span.Exit()
		work(ctx)
	}
	around(context.Background(), "resize", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", func(ctx context.Context) {
		fmt.Println("a resize of trace", dropin.TraceID(ctx))
	})
	// Output: a resize of trace 4bf92f3577b34da6a3ce929d0e0e4736
}
