// SPDX-License-Identifier: BSD-3-Clause

package a

import (
	"os"

	"github.com/strobe-go/strobe"
)

func straight() {
	s := zone.Enter()
	s.Exit()
}

func deferredVariable(c bool) {
	s := zone.Enter()
	defer s.Exit()
	if c {
		return
	}
}

func early(c bool) {
	s := zone.Enter() // want `the span s is not ended on every path: line 27 may be reached without s.Exit\(\)`
	if c {
		return
	}
	s.Exit()
}

func everyPath(c bool) {
	s := zone.Enter()
	if c {
		s.Exit()
		return
	}
	s.Exit()
}

func never() {
	var s = lane.Enter(zone) // want `the span s is not ended`
	_ = 1
	if false {
		s.Exit()
	}
}

func panics(c bool) {
	s := zone.Enter()
	if c {
		panic("an enclosing span, or nobody, ends s")
	}
	s.Exit()
}

func exits(c bool) {
	s := zone.Enter()
	if c {
		os.Exit(1)
	}
	s.Exit()
}

func loop(n int) {
	for i := range n {
		s := zone.Enter() // want `line 67 may begin the next one before s.Exit\(\)`
		if i == 3 {
			continue
		}
		s.Exit()
	}
}

func loopEnds(n int) {
	for range n {
		s := zone.Enter()
		s.Exit()
	}
}

func forever(next func() bool) {
	for {
		s := zone.Enter()
		for next() {
		}
		s.Exit()
	}
}

func overwritten() {
	s := zone.Enter() // want `line 93 may begin the next one before s.Exit\(\)`
	s = other.Enter()
	s.Exit()
}

func inTurn() {
	s := zone.Enter()
	s.Exit()
	s = other.Enter()
	s.Exit()
}

func perhaps(on bool) {
	var s strobe.Span
	if on {
		s = zone.Enter()
	}
	s.Exit()
}

func switched(n int) {
	s := zone.Enter() // want `may be reached without`
	switch n {
	case 1:
		s.Exit()
	case 2:
	default:
		s.Exit()
	}
}

func handedOn(c bool) strobe.Span {
	s := zone.Enter()
	if c {
		use(s)
		return strobe.Span{}
	}
	return s
}

func named() (s strobe.Span) {
	s = zone.Enter()
	return
}

func literalAfter() {
	s := zone.Enter()
	defer func() { s.Exit() }()
}

func literalBefore() {
	var s strobe.Span
	defer func() { s.Exit() }()
	s = zone.Enter()
}

func addressBefore() {
	var s strobe.Span
	p := &s
	s = zone.Enter()
	p.Exit()
}

func inLiteral(c bool) func() {
	return func() {
		s := zone.Enter() // want `the span s is not ended`
		if c {
			s.Exit()
		}
	}
}

func outerVariable() {
	var s strobe.Span
	begin := func() { s = zone.Enter() }
	begin()
	s.Exit()
}

func phases(c bool) {
	p := strobe.StartLap(zone) // want `the lap p is not ended on every path: line \d+ may be reached without p.End\(\)`
	p.Next(other)
	if c {
		return
	}
	p.End()
}

func phasesDeferred(c bool) {
	p := lane.Lap(zone)
	defer p.End()
	if c {
		return
	}
	p.Next(other)
}

func phasesForgotten() {
	p := lane.Lap(zone) // want `the lap p is not ended`
	p.Next(other)
}

func jumps(c bool) {
	s := zone.Enter() // want `the span s is not ended`
	if c {
		goto out
	}
	s.Exit()
out:
}

func inCondition() {
	if s := zone.Enter(); len(os.Args) > 1 {
		s.Exit()
	} else {
		s.Exit()
	}
}

func zeroLap(c bool) {
	var p strobe.Lap
	for range 3 {
		p.Next(zone) // want `the lap p is not ended on every path: line \d+ may be reached without p.End\(\)`
		p.Next(other)
	}
	if c {
		return
	}
	p.End()
}

func zeroLapEnded(c bool) {
	var p strobe.Lap
	defer p.End()
	for range 3 {
		p.Next(zone)
		if c {
			return
		}
		p.Next(other)
	}
}

func zeroLapLoops() {
	var p strobe.Lap
	for range 3 {
		p.Next(zone)
		p.Next(other)
	}
	p.End()
}

func done(c bool) {
	zone.Do(func() {})
	defer zone.Do(func() {})
	zone.Do(func() {
		s := other.Enter() // want `the span s is not ended`
		if c {
			s.Exit()
		}
	})
	s := zone.Enter()
	other.Do(func() { s.Exit() })
	t := zone.Enter() // want `the span t is not ended`
	if c {
		other.Do(t.Exit)
	}
}

func lanes(c bool) {
	l := strobe.NewLane("l") // want `the lane l is not closed on every path: line \d+ may be reached without l.Close\(\)`
	s := l.Enter(zone)
	s.Exit()
	p := l.Lap(zone)
	p.End()
	if c {
		return
	}
	l.Close()
}

func lanesClosed(c bool) {
	l := strobe.NewLane("l")
	defer l.Close()
	if c {
		return
	}
	l.Enter(zone).Exit()
}

func lanesInALoop(n int) {
	for range n {
		l := strobe.NewLane("l") // want `line \d+ may make the next one before l.Close\(\)`
		l.Enter(zone).Exit()
	}
}

func lanesHandedOn(keep func(*strobe.Lane)) *strobe.Lane {
	a, b := strobe.NewLane("a"), strobe.NewLane("b")
	keep(a)
	go func() { b.Enter(zone).Exit() }()
	return strobe.NewLane("c")
}

func laneDropped() {
	strobe.NewLane("l")       // want `the lane that strobe.NewLane\("l"\) makes is discarded: nothing closes it; store it and call its Close`
	defer strobe.NewLane("l") // want `the deferred strobe.NewLane\("l"\) makes a lane as the function returns, and nothing closes it`
}

func init() {
	l := strobe.NewLane("for good")
	l.Enter(zone).Exit()
}
