// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off && (amd64 || arm64) && !purego

package strobe_test

import (
	"context"
	"fmt"
	"sync"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/profile"
)

var exampleRequest, exampleResize = strobe.NewRootZone("request of the examples"), strobe.NewZone("resize")

// Each call of a root zone is a unit: a request, a job, a message.
func ExampleNewRootZone() {
	before := strobe.TakeSnapshot()
	for _, route := range []string{"/", "/cart", "/"} {
		func() {
			defer exampleRequest.Enter().Exit()
			strobe.Note("route", route)
			// ...
		}()
	}
	served := strobe.TakeSnapshot().Sub(before)
	for _, u := range served.Units {
		if name := served.Zones[u.Zone].Name; u.Calls > 0 {
			fmt.Println(name+":", u.Calls, "units; p99", u.P99.Reason)
		}
	}
	// Output: request of the examples: 3 units; p99 needs 368 calls, has 3
}

// A task makes the spans of other goroutines a part of the unit. Here a unit fans out and waits.
func ExampleCurrentTask() {
	strobe.Record(1 << 20)
	defer strobe.Record(0)
	func() {
		defer exampleRequest.Enter().Exit()
		task := strobe.CurrentTask()
		var pictures sync.WaitGroup
		for range 3 {
			pictures.Add(1)
			go func() {
				defer pictures.Done()
				defer task.Enter(exampleResize).Exit()
				// ...
			}()
		}
		pictures.Wait()
	}()
	links := 0
	for _, e := range strobe.TakeTimeline().Events {
		if e.Kind == profile.LinkEvent {
			links++
		}
	}
	fmt.Println(links, "spans are linked")
	// Output: 3 spans are linked
}

// Where work is passed on in a struct or with a context, so is the task. Here the workers of a pool serve many units.
func ExampleContextWithTask() {
	type job struct {
		ctx  context.Context
		done *sync.WaitGroup
	}
	jobs := make(chan job)
	var pool sync.WaitGroup
	for range 2 {
		pool.Add(1)
		go func() {
			defer pool.Done()
			for j := range jobs {
				s := strobe.TaskFromContext(j.ctx).Enter(exampleResize)
				// ...
				s.Exit()
				j.done.Done()
			}
		}()
	}
	before := strobe.TakeSnapshot()
	for range 5 {
		func() {
			defer exampleRequest.Enter().Exit()
			ctx := strobe.ContextWithTask(context.Background(), strobe.CurrentTask())
			var done sync.WaitGroup
			for range 4 {
				done.Add(1)
				jobs <- job{ctx, &done}
			}
			done.Wait()
		}()
	}
	close(jobs)
	pool.Wait()
	worked := strobe.TakeSnapshot().Sub(before)
	zone, _ := worked.Zone("resize")
	fmt.Println(worked.Totals()[zone].Calls, "jobs for 5 requests")
	// Output: 20 jobs for 5 requests
}
