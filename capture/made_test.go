// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

const ms = time.Millisecond

// made is a report with everything that a report can have.
func made() Report {
	const start = clock.Instant(5_000_000_000)
	at := func(d time.Duration) clock.Instant { return start + clock.Instant(d) }
	return Report{
		Schema: Schema, Root: "request", Unit: "span", Goroutine: 12, At: time.Date(2026, 1, 2, 3, 4, 5, 678_901_000, time.UTC), Took: 69 * ms, Usual: 9 * ms,
		Cause: Lock, Share: 0.97, Spent: 58 * ms, Zone: "save", Where: "main.(*store).save (store.go:41)", By: "goroutine 35, which was in fsync in zone flush",
		Next:  "Hold the lock of store.go:41 for less time: move fsync out of it.",
		Notes: []profile.Note{{Key: "route", Value: "/cart"}, {Key: "trace", Value: "4bf92f3577b34da6a3ce929d0e0e4736"}},
		Split: &profile.Split{Running: 10 * ms, Ready: 200_000, Waiting: 58*ms + 800_000},
		Account: []Part{
			{Cause: Lock, Took: 58 * ms, Zone: "save", Where: "main.(*store).save (store.go:41)", By: "goroutine 35, which was in fsync in zone flush"},
			{Cause: Own, Took: 8 * ms, Usual: 8 * ms, Zone: "render"},
			{Cause: Network, Took: 2 * ms, Usual: ms, Where: "net/http.(*conn).serve (server.go:2102)"},
			{Cause: GC, Took: ms},
		},
		Degrees: []string{"the kernel's switch records are refused here: time on a processor and off it are not told apart"}, Slow: 12, Explained: 8, Left: 3, Overhead: Overhead{Explaining: 0.008, Reading: 0.002, Events: 0.03}, Cost: 12 * ms,
		Program: "server", Go: "go1.26.1", System: "linux/amd64",
		Evidence: &Evidence{
			Unit: profile.Unit{Zone: 0, Lane: 4, Goroutine: 12, Start: start, Took: 69 * ms,
				Tree: profile.Tree{{Parent: -1, Zone: 0, Calls: 1, Total: 69 * ms, Self: 3 * ms}, {Parent: 0, Zone: 1, Calls: 1, Total: 60 * ms, Self: 60 * ms}, {Parent: 0, Zone: 2, Calls: 3, Total: 6 * ms, Self: 6 * ms}},
				Spans: []profile.UnitSpan{{Lane: 4, Zone: 1, Depth: 1, Start: at(2 * ms), Took: 60 * ms}, {Lane: 4, Zone: 2, Depth: 1, Start: at(62 * ms), Took: 6 * ms},
					{Lane: 7, Zone: 2, Start: at(63 * ms), Took: 3 * ms, Linked: true}},
				Notes: []profile.Note{{Key: "route", Value: "/cart"}}},
			Zones: []profile.ZoneInfo{{Name: "request", Every: 1}, {Name: "save", Every: 1}, {Name: "render", Every: 1}},
			Tracks: []Track{
				{Goroutine: 12, Role: "unit", States: []State{
					{From: 0, To: 3 * ms, State: "running"},
					{From: 3 * ms, To: 61 * ms, State: "waiting", Reason: "sync", Zone: "save", Where: "main.(*store).save (store.go:41)", By: 35, ByWhere: "main.(*store).flush (store.go:88)"},
					{From: 61 * ms, To: 61*ms + 200_000, State: "ready", Reason: "unblocked"},
					{From: 61*ms + 200_000, To: 69 * ms, State: "running", Zone: "render"}}},
				{Goroutine: 35, Role: "waker", States: []State{
					{From: -4 * ms, To: 60 * ms, State: "syscall", Zone: "flush", Where: "os.(*File).Sync (file_posix.go:169)"},
					{From: 60 * ms, To: 61 * ms, State: "running", Zone: "flush"}}},
			},
			Ranges:  []Range{{From: 64 * ms, To: 66 * ms, Name: "GC concurrent mark phase"}},
			Off:     []Off{{From: 3 * ms, To: 61 * ms, Thread: 4711}, {From: 66 * ms, To: 67 * ms, Thread: 4711, Preempted: true}},
			Samples: []Sample{{At: 63 * ms, Stack: []string{"main.render (render.go:12)", "main.handle (main.go:30)"}}, {At: 68 * ms, Stack: []string{"main.render (render.go:12)"}}},
		},
	}
}
