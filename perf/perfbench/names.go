// SPDX-License-Identifier: BSD-3-Clause

package perfbench

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/strobe-go/strobe/perf"
)

// metric returns the unit of an event per operation.
func metric(e perf.Event, user bool) string {
	name := string(e)
	if plain, ok := strings.CutSuffix(name, ":u"); ok {
		name, user = plain, true
	}
	name = strings.Trim(strings.Map(func(r rune) rune { // a unit has no spaces, and "/" divides
		if r == '/' || r == ' ' || r == '\t' {
			return '.'
		}
		return r
	}, name), ".")
	if user {
		name = "user-" + name
	}
	return name + "/op"
}

// declared holds the units whose lines have been printed: the output of a process needs each once.
var declared sync.Map

// unitLines returns the lines that tell benchstat which direction is better, for the units not yet declared.
func unitLines(events []perf.Event) string {
	var text strings.Builder
	declare := func(unit, better string) {
		if _, done := declared.LoadOrStore(unit, true); !done {
			fmt.Fprintf(&text, "Unit %s better=%s\n", unit, better)
		}
	}
	for _, e := range events {
		declare(metric(e, false), "lower")
		declare(metric(e, true), "lower")
	}
	if slices.Contains(events, perf.Cycles) && slices.Contains(events, perf.Instructions) {
		declare("ipc", "higher")
	}
	return text.String()
}
