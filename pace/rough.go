// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux && !darwin

package pace

import "time"

// system holds the start values for sleeps that end up to a millisecond late.
var system = learners{
	coarse: learner{q: 0.99, start: 1500 * time.Microsecond, lo: 50 * time.Microsecond, hi: 4 * time.Millisecond},
	fine:   learner{q: 0.995, start: 700 * time.Microsecond, lo: 2 * time.Microsecond, hi: 1200 * time.Microsecond},
}
