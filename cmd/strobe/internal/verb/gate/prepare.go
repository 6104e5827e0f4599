// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// prepare makes the work tree of the base, builds and finds the benchmarks.
func (m *measurement) prepare(s *session.Session) error {
	p := s.Progress()
	defer p.Clear()
	var err error
	if m.flags.Exact {
		if m.emulator, err = newEmulator(m.flags.Kernel); err != nil {
			return err
		}
	}
	dirs := [2]string{"", ""}
	if dirs[newSide], err = os.Getwd(); err != nil {
		return err
	}
	dirs[oldSide] = dirs[newSide]
	if !m.flags.Self {
		if m.checkout, err = openCheckout(s.Ctx, m.flags.Rev); err != nil {
			return err
		}
		p.Show("checking out the base")
		if err := m.checkout.add(s.Ctx); err != nil {
			return err
		}
		dirs[oldSide] = m.checkout.folder()
	}
	if m.temp, err = os.MkdirTemp("", "strobe-gate-"); err != nil {
		return err
	}
	if err := m.list(s.Ctx, dirs); err != nil {
		return err
	}
	if err := m.compile(s, dirs); err != nil {
		return err
	}
	for _, pk := range m.pkgs {
		p.Show("finding the benchmarks of %s", pk.path)
		if err := m.match(s.Ctx, pk); err != nil {
			return err
		}
		if m.flags.Record != "" {
			pk.runner = (&recording{file: m.flags.Record}).run
		}
	}
	return nil
}

// list finds the packages of both sides that have benchmarks.
func (m *measurement) list(ctx context.Context, dirs [2]string) error {
	byPath := map[string]*pkg{}
	for side, dir := range dirs {
		found, err := packages(ctx, dir, m.build, m.patterns)
		if err != nil {
			return fmt.Errorf("%s: %w", sideNames[side], err)
		}
		for path, s := range found {
			if byPath[path] == nil {
				byPath[path] = &pkg{path: path, machine: m.emulator, parallel: map[string]bool{}}
				m.pkgs = append(m.pkgs, byPath[path])
			}
			byPath[path].dirs[side] = s.dir
			concurrent(s.files, byPath[path].parallel)
		}
	}
	if len(m.pkgs) == 0 {
		return fmt.Errorf("no package in %q has benchmarks", m.patterns)
	}
	slices.SortFunc(m.pkgs, func(a, b *pkg) int { return strings.Compare(a.path, b.path) })
	return nil
}

// compile builds the test binaries of both sides, and those in other layouts of packages that differ.
func (m *measurement) compile(s *session.Session, dirs [2]string) error {
	p := s.Progress()
	defer p.Clear()
	var changed []string
	if m.checkout != nil {
		var err error
		if changed, err = m.checkout.changed(s.Ctx); err != nil {
			return err
		}
	}
	var differ []*pkg
	for i, pk := range m.pkgs {
		for side, dir := range dirs {
			if !pk.on(side) {
				continue
			}
			p.Show("building %s of %s", pk.path, sideNames[side])
			binary := m.binary(i, side)
			if side == oldSide && m.flags.Self {
				pk.binaries[side] = []string{m.binary(i, newSide)}
				continue
			}
			err := m.buildOne(s.Ctx, dir, pk.path, binary)
			if s.Interrupted() {
				return s.Ctx.Err()
			}
			switch {
			case err == nil:
				pk.binaries[side] = []string{binary}
			case pk.unbuilt: // nor did the base
				m.broken[len(m.broken)-1].both = true
			default:
				m.broken = append(m.broken, fault{name: pk.path, side: side, why: "does not build: " + err.Error(), both: m.flags.Self})
				pk.unbuilt = true
			}
		}
		pk.same = !m.flags.Self && pk.on(oldSide) && pk.on(newSide) && !pk.unbuilt && !m.reads(pk, changed) && sameFile(pk.binaries[oldSide][0], pk.binaries[newSide][0])
		if pk.same {
			m.unchanged = append(m.unchanged, pk.path)
		} else if pk.on(oldSide) && pk.on(newSide) && !pk.unbuilt {
			differ = append(differ, pk)
		}
	}
	if len(differ) == 0 || m.emulator != nil { // where functions lie does not change what they run
		return nil
	}
	return m.link(s, dirs, differ)
}

// binary returns the file of a test program.
func (m *measurement) binary(i, side int) string {
	suffix := exeSuffix
	if m.emulator != nil { // which carries the folder of what is called so
		suffix = ""
	}
	return filepath.Join(m.temp, fmt.Sprintf("%d-%d.test%s", i, side, suffix))
}

// buildOne builds the test program of a package.
func (m *measurement) buildOne(ctx context.Context, dir, path, binary string) error {
	if m.emulator != nil {
		return m.emulator.build(ctx, dir, path, binary, m.build)
	}
	return build(ctx, dir, path, binary, m.build, 0)
}

// exeSuffix is what the names of test binaries end in. Windows wants it, others do not mind.
const exeSuffix = ".exe"

// sameFile reports whether two files have the same bytes.
func sameFile(a, b string) bool {
	x, err := os.ReadFile(a)
	if err != nil {
		return false
	}
	y, err := os.ReadFile(b)
	return err == nil && string(x) == string(y)
}

// reads reports whether one of the changed files may be read by the benchmarks of a package: one in its folder, or testdata,
// that is no Go file, whose changes the program shows.
func (m *measurement) reads(pk *pkg, changed []string) bool {
	below, err := filepath.Rel(m.checkout.top, pk.dirs[newSide])
	if err != nil {
		return true
	}
	below = filepath.ToSlash(below) + "/"
	return slices.ContainsFunc(changed, func(file string) bool {
		return !strings.HasSuffix(file, ".go") && (below == "./" || strings.HasPrefix(file, below)) || strings.Contains("/"+file, "/testdata/")
	})
}

// match finds the benchmarks of a package on both sides.
func (m *measurement) match(ctx context.Context, pk *pkg) error {
	if pk.unbuilt {
		return nil
	}
	var found [2]*finding
	for side := range sideNames {
		if found[side] = (&finding{}); !pk.on(side) || pk.same {
			continue
		}
		program := process{binary: pk.binaries[side][0], dir: pk.dirs[side], machine: pk.machine, iterations: 1, processors: m.flags.CPU, timeout: m.flags.timeout()}
		if pk.machine != nil {
			program.iterations = 0 // as many as will be made
		}
		f, err := find(ctx, program, m.pattern)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			m.broken = append(m.broken, fault{name: pk.path, side: side, why: err.Error()})
			return nil
		}
		found[side] = f
		for _, top := range slices.Sorted(maps.Keys(f.broken)) {
			name := pk.path + "." + top
			if i := slices.IndexFunc(m.broken, func(x fault) bool { return x.name == name }); i >= 0 {
				m.broken[i].both = true
			} else {
				m.broken = append(m.broken, fault{name: name, side: side, why: f.broken[top]})
			}
		}
	}
	old, latest := found[oldSide], found[newSide]
	for _, name := range latest.names {
		switch {
		case old.brokenBy(name) != "" || latest.brokenBy(name) != "":
		case slices.Contains(old.names, name):
			top, _, _ := strings.Cut(name, "/")
			b := &benchmark{pkg: pk, name: name, limit: m.flags.limitOf(name), noisy: latest.noisy[top], once: max(old.cost[name], latest.cost[name]),
				concurrent: pk.parallel["Benchmark"+top]}
			if pk.machine != nil {
				b.iterations = min(old.calls[name], latest.calls[name])
			}
			m.all = append(m.all, b)
		default:
			m.added = append(m.added, pk.path+"."+name)
		}
	}
	for _, name := range old.names {
		if !slices.Contains(latest.names, name) && latest.brokenBy(name) == "" && old.brokenBy(name) == "" {
			m.vanished = append(m.vanished, pk.path+"."+name)
		}
	}
	return nil
}
