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
	sweep()
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
		m.checkout.complete(s.Ctx)
		dirs[oldSide] = m.checkout.folder()
	}
	if m.temp, err = newScratch(); err != nil {
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
	return m.unused()
}

// list finds the packages of both sides that have benchmarks.
func (m *measurement) list(ctx context.Context, dirs [2]string) error {
	all := map[string]*pkg{}
	for side, dir := range dirs {
		found, complaints, err := packages(ctx, dir, m.build, m.patterns)
		if err != nil {
			return fmt.Errorf("%s: %w", sideNames[side], err)
		}
		m.complaints[side] = complaints
		for target, s := range found {
			pk := all[target]
			if pk == nil {
				pk = &pkg{target: target, machine: m.emulator, parallel: map[string]bool{}}
				all[target] = pk
				m.pkgs = append(m.pkgs, pk)
			}
			pk.path, pk.dirs[side] = s.path, s.dir
			concurrent(s.files, pk.parallel)
			pk.tests[side] = readTestCode(s.files)
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
			err := m.buildOne(s.Ctx, dir, pk.target, binary)
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
		pk.same = !m.flags.Self && pk.on(oldSide) && pk.on(newSide) && !pk.unbuilt && sameFile(pk.binaries[oldSide][0], pk.binaries[newSide][0]) && !m.reads(s.Ctx, pk, changed)
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
func (m *measurement) buildOne(ctx context.Context, dir, target, binary string) error {
	if m.emulator != nil {
		return m.emulator.build(ctx, dir, target, binary, m.build)
	}
	return build(ctx, dir, target, binary, m.build, 0)
}

// exeSuffix is what the names of test binaries end in. Windows requires it, and other systems accept it.
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

// match finds the benchmarks of a package on both sides.
func (m *measurement) match(ctx context.Context, pk *pkg) error {
	if pk.unbuilt {
		return nil
	}
	if pk.same && (len(m.flags.Require) > 0 || m.flags.MinCompared > 0) {
		program := process{binary: pk.binaries[newSide][0], dir: pk.dirs[newSide], machine: pk.machine, timeout: m.flags.timeout()}
		tops, err := program.list(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, top := range tops {
			if _, ok := m.pattern.within(top); ok && err == nil {
				m.same = append(m.same, top)
			}
		}
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
	m.pair(pk, found[oldSide], found[newSide])
	return nil
}
