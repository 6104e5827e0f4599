// SPDX-License-Identifier: BSD-3-Clause

// Package spanvet finds spans and laps of strobe that are begun and not ended:
//
//	defer zone.Enter()       // begins as the function returns: .Exit() is missing
//	zone.Enter()             // nothing is left to end it with
//	s := zone.Enter()
//	if err != nil {
//		return err       // s is not ended here
//	}
//	s.Exit()
//	s := zone.Enter()
//	s = other.Enter()        // the first is lost
//	p := strobe.StartLap(a)
//	p.Next(b)                // p.End() is missing
//
// Any call counts whose result is a Span or a Lap: Enter of a Zone or a Lane, Lane.Lap, StartLap, and functions of your
// own. A span that is handed on is taken to be ended there: returned, passed as an argument, stored, or used in a
// function literal. Paths that panic or end the process are left alone.
//
// The command in cmd/spanvet runs it, by itself or under go vet.
package spanvet
