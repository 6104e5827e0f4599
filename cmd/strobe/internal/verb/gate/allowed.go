// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A charge is what a metric of a benchmark is allowed, and by which waiver that is more than its limit.
type charge struct {
	bound
	plain  bound   // without the waiver
	waiver *waiver // nil if there is none
}

// below returns the folder of a package below that of the rules, as a pattern has it.
func (m *measurement) below(pk *pkg) string {
	dir := pk.dirs[newSide]
	if dir == "" || m.rules.dir == "" {
		return pk.target
	}
	for _, file := range []string{m.rules.dir, resolved(m.rules.dir)} {
		if below, err := filepath.Rel(file, dir); err == nil && filepath.IsLocal(below) {
			if below == "." {
				return below
			}
			return "./" + filepath.ToSlash(below)
		}
	}
	return pk.path
}

// resolved returns a folder without symbolic links.
func resolved(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// charges returns the metrics of a benchmark that decide, by name. Of the limits the last of these counts: the usual one, rules for
// all benchmarks, flags for all, rules for some, flags for some. A waiver raises it.
func (m *measurement) charges(pk *pkg, name string) (all []charge) {
	below := m.below(pk)
	found := map[metric]bound{byTime: {byTime, fallback, false}}
	apply := func(general bool) {
		for i := range m.rules.limits {
			l := &m.rules.limits[i]
			if (l.packages == "" && l.bench == "") == general && l.has(pk.path, below, name) {
				for _, b := range l.bounds {
					found[b.metric] = b
				}
			}
		}
	}
	apply(true)
	if share, ok := m.flags.limitOf(""); ok {
		found[byTime] = bound{byTime, share, false}
	}
	given, _ := m.flags.limits() // which has been checked
	for _, b := range given {
		if _, has := found[b.metric]; !has || m.flags.gives(b.metric) {
			found[b.metric] = b
		}
	}
	apply(false)
	if share, ok := m.flags.limitOf(name); ok {
		found[byTime] = bound{byTime, share, false}
	}
	for k, b := range found {
		if len(m.flags.Metrics) > 0 && !m.flags.judges(k) && k != byTime {
			continue
		}
		all = append(all, m.waived(b, pk.path, below, name))
	}
	slices.SortFunc(all, func(a, b charge) int { return strings.Compare(string(a.metric), string(b.metric)) })
	return all
}

// waived returns a limit with the waiver that allows most.
func (m *measurement) waived(b bound, path, below, name string) charge {
	c := charge{bound: b, plain: b}
	for i := range m.rules.waivers {
		w := &m.rules.waivers[i]
		if w.ceiling.metric == b.metric && w.ceiling.falls == b.falls && w.ceiling.share > c.share && !w.expired(m.started) && w.has(path, below, name) {
			c.bound, c.waiver = w.ceiling, w
		}
	}
	return c
}

// expired reports whether the last day of a waiver has passed, everywhere on Earth.
func (w *waiver) expired(now time.Time) bool {
	return now.After(time.Date(w.expires.Year(), w.expires.Month(), w.expires.Day()+1, 12, 0, 0, 0, time.UTC))
}

// until is the last day of a waiver.
func (w *waiver) until() string { return w.expires.Format(time.DateOnly) }

// why is the reason for a waiver.
func (w *waiver) why() string {
	if w.link != "" {
		return w.reason + " (" + w.link + ")"
	}
	return w.reason
}

// where is the line of a rule.
func (r *rules) where(line int) string {
	if line > 0 {
		return fmt.Sprintf("%s:%d", r.name, line)
	}
	return r.name
}

// changes says how rules allow more, or something else, than those of the base do, a sentence each, and marks the waivers that are
// new or allow more.
func (r *rules) changes(base *rules) (all []string) {
	for i := range r.waivers {
		w := &r.waivers[i]
		old := slices.IndexFunc(base.waivers, func(x waiver) bool {
			return x.packages == w.packages && x.bench == w.bench && x.ceiling.metric == w.ceiling.metric
		})
		switch {
		case old < 0:
			w.fresh = "added"
		case base.waivers[old].ceiling.share < w.ceiling.share:
			w.fresh = "widened, from " + base.waivers[old].ceiling.allowed()
		case base.waivers[old].expires.Before(w.expires):
			w.fresh = "extended, from " + base.waivers[old].until()
		default:
			continue
		}
		all = append(all, fmt.Sprintf("%s: the waiver for %s of %s is %s: up to %s until %s, since %s", r.where(w.line), w.ceiling.metric, w.selection.String(), w.fresh,
			w.ceiling.allowed(), w.until(), w.why()))
	}
	before, after := base.allowances(), r.allowances()
	for _, a := range after {
		i := slices.IndexFunc(before, func(x allowance) bool { return x.of == a.of && x.metric == a.metric })
		switch {
		case i < 0:
			all = append(all, fmt.Sprintf("%s: a limit for %s is added: %s", r.where(a.line), a.of, a.bound))
		case before[i].bound != a.bound:
			all = append(all, fmt.Sprintf("%s: a limit for %s is changed from %s to %s", r.where(a.line), a.of, before[i].bound, a.bound))
		}
	}
	for _, a := range before {
		if !slices.ContainsFunc(after, func(x allowance) bool { return x.of == a.of && x.metric == a.metric }) {
			all = append(all, fmt.Sprintf("%s: the limit for %s is removed: %s", rulesName, a.of, a.bound))
		}
	}
	return all
}

// An allowance is a limit of a rule.
type allowance struct {
	line int
	of   string // which benchmarks
	bound
}

// allowances returns the limits of all rules; of those for the same benchmarks the last.
func (r *rules) allowances() (all []allowance) {
	for i := range r.limits {
		l := &r.limits[i]
		for _, b := range l.bounds {
			all = slices.DeleteFunc(all, func(x allowance) bool { return x.of == l.selection.String() && x.metric == b.metric })
			all = append(all, allowance{l.line, l.selection.String(), b})
		}
	}
	return all
}

// compareRules notes how the rules differ from those of the base, so that a change that allows itself more does not do so in silence. A
// base whose rules cannot be read has none.
func (m *measurement) compareRules() {
	base, err := findRules(m.checkout.tree.Folder())
	if err != nil {
		base = rules{}
	}
	m.altered = m.rules.changes(&base)
}
