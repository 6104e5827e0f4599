// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
)

// A rename is a benchmark, with all that run within it, that has another name on the base.
type rename struct {
	old, latest string // latest is empty if the benchmark was removed
	used        bool
}

// parseRenames reads the values of --base-name.
func parseRenames(values []string) (all []rename, err error) {
	for _, text := range values {
		old, latest, ok := strings.Cut(text, "=")
		r := rename{old: strings.TrimPrefix(old, "Benchmark"), latest: strings.TrimPrefix(latest, "Benchmark")}
		if !ok || r.old == "" || slices.ContainsFunc(all, func(x rename) bool { return x.old == r.old || r.latest != "" && x.latest == r.latest }) {
			return nil, fmt.Errorf("--base-name=%s: give OLD=NEW, or OLD= for a benchmark that was removed, and each name once", text)
		}
		all = append(all, r)
	}
	return all, nil
}

// within returns the rest of a name that is another one or runs within that.
func within(name, other string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(name, other)
	return rest, ok && other != "" && (rest == "" || rest[0] == '/')
}

// patternOn returns the pattern of the benchmarks to find on a side: on the base, also those that have another name there.
func (m *measurement) patternOn(side int) pattern {
	all := m.pattern
	for _, r := range m.renames {
		if side == oldSide {
			all = append(slices.Clip(all), strings.Split(exactly(r.old), "/"))
		}
	}
	return all
}

// baseName returns what a benchmark of the new side is called on the base.
func (m *measurement) baseName(name string) string {
	for i := range m.renames {
		if rest, ok := within(name, m.renames[i].latest); ok {
			return m.renames[i].old + rest
		}
	}
	return name
}

// removed reports whether a benchmark of the base is gone because the flags say so.
func (m *measurement) removed(name string) bool {
	for i := range m.renames {
		if _, ok := within(name, m.renames[i].old); ok && m.renames[i].latest == "" {
			m.renames[i].used = true
			return true
		}
	}
	return false
}

// pair finds the benchmarks of a package that both sides have.
func (m *measurement) pair(pk *pkg, found [3]*finding) {
	latest, own, like := found[newSide], found[oldSide], &finding{}
	if pk.flags != nil {
		own, like = found[ownSide], found[oldSide]
	}
	var added, vanished, paired []string
	for _, name := range latest.names {
		base := m.baseName(name)
		top, _, _ := strings.Cut(name, "/")
		b := &benchmark{pkg: pk, name: name, noisy: latest.noisy[top], concurrent: pk.parallel["Benchmark"+top]}
		old := own
		switch {
		case latest.brokenBy(name) != "":
			paired = append(paired, base)
			continue
		case base == name && slices.Contains(like.names, name):
			old = like
			b.rewritten = pk.rewritten(top)
			paired = append(paired, name)
		case own.brokenBy(base) != "":
			paired = append(paired, base)
			continue
		case slices.Contains(own.names, base):
			paired = append(paired, base)
			b.ownTests = pk.flags != nil
			if base != name {
				b.baseName = base
				m.use(name)
			} else {
				b.rewritten = pk.rewritten(top)
			}
		default:
			added = append(added, pk.path+"."+name)
			continue
		}
		b.once = max(old.cost[base], latest.cost[name])
		if pk.machine != nil {
			b.iterations = min(old.calls[base], latest.calls[name])
		}
		m.allow(b, old.also[base])
		m.all = append(m.all, b)
	}
	gone := 0
	for _, name := range own.names {
		if slices.Contains(paired, name) || own.brokenBy(name) != "" || latest.brokenBy(name) != "" {
			continue
		}
		vanished = append(vanished, pk.path+"."+name)
		if !m.removed(name) {
			gone++
		}
	}
	if len(added) > 0 && gone > 0 {
		m.renamed = append(m.renamed, fmt.Sprintf("%s: %s vanished and %s came, and the cost of a renamed one was not compared; --base-name OLD=NEW compares it, and OLD= says that one was removed",
			pk.path, layout.Plural(uint64(gone), "benchmark"), layout.Plural(uint64(len(added)), "other")))
	}
	m.added, m.vanished = append(m.added, added...), append(m.vanished, vanished...)
}

// use notes that a rename has found its benchmark.
func (m *measurement) use(name string) {
	for i := range m.renames {
		if _, ok := within(name, m.renames[i].latest); ok {
			m.renames[i].used = true
		}
	}
}

// unused returns an error for a rename that has found none.
func (m *measurement) unused() error {
	for _, r := range m.renames {
		if !r.used && r.latest == "" {
			return fmt.Errorf("--base-name=%s=: the base has no benchmark %s that is gone from the working tree", r.old, r.old)
		} else if !r.used {
			return fmt.Errorf("--base-name=%s=%s: no package has %s on the base and %s in the working tree", r.old, r.latest, r.old, r.latest)
		}
	}
	return nil
}
