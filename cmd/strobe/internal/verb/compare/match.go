// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"slices"

	"github.com/strobe-go/strobe/cmd/strobe/internal/benchtext"
)

// match pairs the results of two files by package, name and unit, in the order of the first. Alone are those in one file only.
func match(base, other *measured, units []string) (lines []line, alone []string) {
	for _, k := range base.order {
		if len(units) > 0 && !slices.Contains(units, k.unit) {
			continue
		}
		b, ok := other.values[k]
		if !ok {
			alone = append(alone, "only in the first: "+k.String())
			continue
		}
		u := base.units[k.unit]
		for _, v := range []benchtext.Unit{other.units[k.unit], usualUnit(k.unit)} {
			if u.Better == "" {
				u.Better = v.Better
			}
			u.Exact = u.Exact || v.Exact
		}
		lines = append(lines, line{pkg: k.pkg, name: k.name, unit: k.unit, base: base.values[k], other: b, better: u.Better, exact: u.Exact})
	}
	for _, k := range other.order {
		if _, ok := base.values[k]; !ok && (len(units) == 0 || slices.Contains(units, k.unit)) {
			alone = append(alone, "only in the second: "+k.String())
		}
	}
	return lines, alone
}

// usualUnit says which direction is better for the units of package testing.
func usualUnit(unit string) benchtext.Unit {
	switch unit {
	case "sec/op", "B/op", "allocs/op":
		return benchtext.Unit{Better: "lower"}
	case "B/s":
		return benchtext.Unit{Better: "higher"}
	}
	return benchtext.Unit{}
}
