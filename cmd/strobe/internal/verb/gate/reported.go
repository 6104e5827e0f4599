// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// limitsOf returns the limits for a benchmark that reports these values on the base and on the new side. What is not reported on the
// new side decides if it was there before.
func (m *measurement) limitsOf(before, after map[metric]float64) (all []bound) {
	limits, _ := m.flags.limits() // which has been checked
	for _, values := range []map[metric]float64{before, after} {
		for k := range values {
			if m.reported == nil {
				m.reported = map[metric]bool{}
			}
			m.reported[k] = true
		}
	}
	for _, l := range limits {
		if _, had := before[l.metric]; had {
			all = append(all, l)
		}
	}
	return all
}

// sizeBound returns the limit for the size of a package, if that decides.
func (m *measurement) sizeBound(*pkg) (l bound, ok bool) {
	limits, _ := m.flags.limits()
	i := slices.IndexFunc(limits, func(l bound) bool { return l.metric == bySize })
	if i < 0 {
		return bound{}, false
	}
	return limits[i], true
}

// unreported returns an error for a metric that no benchmark reports. Those of a program that is the same on both sides may.
func (m *measurement) unreported() error {
	limits, _ := m.flags.limits()
	if len(m.all) == 0 || len(m.unchanged) > 0 || len(m.broken) > 0 {
		return nil
	}
	for _, l := range limits {
		if l.metric == bySize || m.reported[l.metric] {
			continue
		}
		var others []string
		for _, k := range slices.Sorted(maps.Keys(m.reported)) {
			others = append(others, string(k))
		}
		return fmt.Errorf("no benchmark reports %s; besides time they have %s", l.unit(), strings.Join(others, ", "))
	}
	return nil
}
