// SPDX-License-Identifier: BSD-3-Clause

package a

import "github.com/strobe-go/strobe"

var (
	zone  = strobe.NewZone("zone")
	other = strobe.NewZone("other")
	lane  = strobe.NewLane("lane")
)

func deferredWhole() { defer zone.Enter().Exit() }
func deferredLane()  { defer lane.Enter(zone).Exit() }

func deferredHalf() {
	defer zone.Enter() // want `the deferred zone.Enter\(\) begins a span as the function returns, and nothing ends it; write defer zone.Enter\(\).Exit\(\)`
}

func deferredHalfLane() {
	defer lane.Enter(zone) // want `write defer lane.Enter\(zone\).Exit\(\)`
}

func deferredLap() {
	defer lane.Lap(zone) // want `the deferred lane.Lap\(zone\) begins a lap`
}

func dropped() {
	zone.Enter()          // want `the span that zone.Enter\(\) begins is discarded`
	(lane.Enter(zone))    // want `the span that lane.Enter\(zone\) begins is discarded`
	strobe.StartLap(zone) // want `the lap that strobe.StartLap\(zone\) begins is discarded: nothing ends it; store it and call its End`
	_ = zone.Enter()      // want `is discarded`
	_ = (zone.Enter())    // want `is discarded`
	var _ = zone.Enter()  // want `is discarded`
	go zone.Enter()       // want `begins on a new goroutine is discarded`
	_, _ = 1, own()       // want `the span that own\(\) begins is discarded`
}

func atOnce() { zone.Enter().Exit() }

// own begins a span for its caller.
func own() strobe.Span { return zone.Enter() }

func ownDeferred() {
	defer own() // want `write defer own\(\).Exit\(\)`
}

func ownEnded() { defer own().Exit() }

type alias = strobe.Span

func begin() alias { return zone.Enter() }

func throughAnAlias() {
	begin() // want `is discarded`
}

func converted(s strobe.Span) { _ = strobe.Span(s) }

type holder struct{ s strobe.Span }

func stored(h *holder, list []strobe.Span) []strobe.Span {
	h.s = zone.Enter()
	use(zone.Enter())
	_ = holder{zone.Enter()}
	return append(list, zone.Enter())
}

func use(strobe.Span) {}
