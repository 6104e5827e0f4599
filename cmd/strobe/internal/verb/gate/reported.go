// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A sighting is a benchmark that ran once, on either side.
type sighting struct {
	*pkg
	name string
	also map[metric]float64 // what it reports besides its time
}

// see notes the benchmarks of a side of a package.
func (m *measurement) see(pk *pkg, f *finding) {
	for _, name := range f.names {
		m.sightings = append(m.sightings, sighting{pk, name, f.also[name]})
	}
}

// allow gives a benchmark the limits of what it reports on the base. What is no longer reported decides too.
func (m *measurement) allow(b *benchmark, before map[metric]float64) {
	for _, c := range m.charges(b.pkg, b.name) {
		if c.metric == byTime {
			b.time, b.limit = c, c.share
		} else if _, had := before[c.metric]; had {
			b.limits = append(b.limits, c)
		}
	}
}

// sizeCharge returns the limit for the size of a package, if that decides.
func (m *measurement) sizeCharge(pk *pkg) (c charge, ok bool) {
	all := m.charges(pk, "")
	i := slices.IndexFunc(all, func(c charge) bool { return c.metric == bySize })
	if i < 0 {
		return charge{}, false
	}
	return all[i], true
}

// unreported returns an error for a metric that no benchmark reports, and for a rule that selects none. It is nil where that cannot be
// known: the benchmarks of a program that is the same on both sides, or that does not build, did not run.
func (m *measurement) unreported() error {
	limits, _ := m.flags.limits()
	for _, l := range limits {
		if l.metric != bySize && len(m.all) > 0 && len(m.unchanged)+len(m.broken) == 0 && !m.reports(func(sighting) bool { return true }, l.metric) {
			return fmt.Errorf("no benchmark reports %s; besides time they have %s", l.unit(), m.reported())
		}
	}
	if !slices.Equal(m.patterns, []string{"./..."}) || m.flags.Bench != "." || m.rules.dir != m.dir {
		return nil // the others may have them
	}
	for i := range m.rules.limits {
		l := &m.rules.limits[i]
		if err := m.unselected(&l.selection, l.bounds...); err != nil {
			return at(m.rules.name, l.line, "limit: %w", err)
		}
	}
	for i := range m.rules.waivers {
		w := &m.rules.waivers[i]
		if err := m.unselected(&w.selection, w.ceiling); err != nil {
			return at(m.rules.name, w.line, "waiver: %w", err)
		}
	}
	return nil
}

// unselected returns an error if a selection has no benchmark, or none that reports one of the metrics.
func (m *measurement) unselected(s *selection, metrics ...bound) error {
	if slices.ContainsFunc(m.pkgs, func(pk *pkg) bool { return m.unsure(pk, s) }) {
		return nil
	}
	has := func(x sighting) bool { return s.has(x.path, m.below(x.pkg), x.name) }
	if !slices.ContainsFunc(m.sightings, has) {
		return fmt.Errorf("it selects no benchmark: %s", s)
	}
	for _, b := range metrics {
		if b.metric != byTime && b.metric != bySize && !m.reports(has, b.metric) {
			return fmt.Errorf("no benchmark that it selects (%s) reports %s; besides time they have %s", s, b.unit(), m.reported())
		}
	}
	return nil
}

// unsure reports whether a package may have a benchmark that is selected, but has not run.
func (m *measurement) unsure(pk *pkg, s *selection) bool {
	broken := slices.ContainsFunc(m.broken, func(f fault) bool { return f.name == pk.path || strings.HasPrefix(f.name, pk.path+".") })
	if !(pk.same || pk.unbuilt || broken) || !s.hasPackage(pk.path, m.below(pk)) {
		return false
	}
	for _, tests := range pk.tests {
		for name := range tests {
			if top, ok := strings.CutPrefix(name, "Benchmark"); ok {
				if _, ok := s.pattern.within(top); ok || s.bench == "" {
					return true
				}
			}
		}
	}
	return false
}

// reports reports whether one of these benchmarks has a metric.
func (m *measurement) reports(is func(sighting) bool, k metric) bool {
	return slices.ContainsFunc(m.sightings, func(x sighting) bool {
		_, has := x.also[k]
		return has && is(x)
	})
}

// reported lists the metrics of all benchmarks.
func (m *measurement) reported() string {
	names := map[string]bool{}
	for _, x := range m.sightings {
		for k := range x.also {
			names[string(k)] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(names)), ", ")
}
