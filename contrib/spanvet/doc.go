// SPDX-License-Identifier: BSD-3-Clause

// Package spanvet finds spans and laps of package strobe that are never ended, and lanes that are never closed:
//
//   - defer zone.Enter(), which begins a span when the function returns: .Exit() is missing
//   - zone.Enter() as a statement, or assigned to _: nothing can end the span
//   - s := zone.Enter() with a path to a return, or back to the same statement, that does not pass s.Exit()
//   - s = other.Enter() while the span that s holds has not ended
//   - p := strobe.StartLap(zone) with a path that does not pass p.End(); p.Next does not end it
//   - var p strobe.Lap with a path from p.Next(zone) that does not pass p.End()
//   - l := strobe.NewLane(name) with a path that does not pass l.Close(), outside of main, init and tests
//
// It checks every call whose result is a Span or a Lap: Enter of a Zone or a Lane, Lane.Lap, StartLap, and your own
// functions. For lanes it checks only calls of NewLane. Zone.Do ends its span itself; the function that it calls is checked
// like any other. A span that is returned, passed as an argument, stored, or used in a function literal is assumed to be
// ended there. Paths that panic or end the process are ignored.
//
// The command in cmd/spanvet runs the analyzer, alone or under go vet.
package spanvet
