// SPDX-License-Identifier: BSD-3-Clause

package neighbour

import (
	"fmt"
	"math"
	"time"

	"github.com/strobe-go/strobe/stat"
)

// A Report says how often a core was shared while it was watched.
type Report struct {
	Spins   int           // judged
	Fastest time.Duration // the shortest of them
	// Share is the share of the time, between 0 and 1, in which something else used the core too; not known, with the reason, after
	// fewer than 100 spins, or if the thread was away during more than half of them.
	Share stat.Interval
	// Factor is how many times as long work takes then that keeps the units of a core busy: exceeded by one shared spin in 20. It is 0
	// if the core was never seen shared.
	Factor float64
	// Away is the share of spins during which the thread lost its processor, between 0 and 1.
	Away float64
	// Busy is the share of the time of all processors of this machine that other programs used, between 0 and 1; not known, with the
	// reason, where the system does not tell.
	Busy stat.Interval
	// Virtual is whether the system says that it runs in a virtual machine.
	Virtual bool
}

const (
	fewest   = 100  // spins that tell a share
	mostAway = 0.5  // share of spins away above which the rest tells nothing
	rarely   = 0.02 // share of the time below which a core counts as alone
	idle     = 0.05 // of the machine, below which no program of its own can be the neighbour for long
)

// share returns the share of the time in which the core was shared, from a 1 for each shared spin and a 0 for each one alone.
func share(shares *stat.BatchMeans, r Report) stat.Interval {
	switch {
	case r.Spins < fewest:
		return stat.Unknown(fmt.Sprintf("only %d looks at the core", r.Spins))
	case r.Away > mostAway:
		return stat.Unknown(fmt.Sprintf("the machine was too busy: the thread lost its processor in %.0f %% of the looks", 100*r.Away))
	}
	iv := shares.Interval(0.95)
	iv.Lo, iv.Hi = max(0, iv.Lo), min(1, iv.Hi)
	iv.Warnings = nil // they are about means of measured values; a state that lasts is expected to be correlated
	return iv
}

// Seen reports whether the core was shared for long enough to matter. ok is false if that cannot be told.
func (r Report) Seen() (seen, ok bool) {
	return r.Share.Known() && r.Share.Center >= rarely && r.Share.Lo > 0, r.Share.Known()
}

// String says in a sentence without a period whether the core was shared, and what that costs.
func (r Report) String() string {
	seen, ok := r.Seen()
	switch {
	case !ok:
		return "whether something else uses this core cannot be told: " + r.Share.Reason
	case !seen:
		return "nothing else was seen to use this core for long"
	}
	who := "something else (a program on another processor, another machine, or a lower frequency)"
	if r.Virtual && r.Busy.Known() && r.Busy.Center < idle {
		who = "another machine"
	}
	return fmt.Sprintf("%s shares this core %s of the time, which costs up to %.1fx", who, r.Share.In(0.01, "%"), math.Round(10*r.Factor)/10)
}
