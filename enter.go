// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

// Enter begins a span of the zone on the calling goroutine, which must end it with Exit:
//
//	defer zone.Enter().Exit()
//
// Spans nest and recur to any depth.
func (z *Zone) Enter() Span {
	l, n, t := enter(z)
	return Span{l, n, t}
}

// Due counts a call of the zone if it is not to be timed, and reports whether it is to be timed: Enter must then be next. It is for
// functions that are called so often that even a deferred Exit of a call that is not timed costs too much:
//
//	if zone.Due() {
//		defer zone.Enter().Exit()
//	}
//
// The calls that count and those that are timed are the same as without it. It is false if the zone is off, and for the zero Zone.
// Safe for concurrent use.
func (z *Zone) Due() bool {
	return z.mode.Load() == full || due(z) // inlined
}
