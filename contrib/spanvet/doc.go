// SPDX-License-Identifier: BSD-3-Clause

// Package spanvet finds spans and laps of strobe that are begun and not ended:
//
//   - defer zone.Enter(), which begins a span as the function returns: .Exit() is missing
//   - zone.Enter() by itself, or assigned to _: nothing is left to end the span with
//   - s := zone.Enter() with a path to a return, or back to the same statement, that does not pass s.Exit()
//   - s = other.Enter() while the span that s holds has not ended
//   - p := strobe.StartLap(zone) with a path that does not pass p.End(); p.Next does not end it
//
// Any call counts whose result is a Span or a Lap: Enter of a Zone or a Lane, Lane.Lap, StartLap, and functions of your
// own. A span that is handed on is taken to be ended there: returned, passed as an argument, stored, or used in a
// function literal. Paths that panic or end the process are left alone.
//
// The command in cmd/spanvet runs it, by itself or under go vet.
package spanvet
