// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/worktree"
)

// prepare makes the work tree of the base, builds and finds the benchmarks.
func (m *measurement) prepare(s *session.Session) error {
	p := s.Progress()
	defer p.Clear()
	if m.flags.Rev == "" && !m.flags.Self {
		return errors.New("a revision to compare with is missing; give one such as main or HEAD~1, or --self")
	}
	var err error
	worktree.Sweep()
	dirs := [2]string{"", ""}
	if dirs[newSide], err = os.Getwd(); err != nil {
		return err
	}
	dirs[oldSide], m.dir = dirs[newSide], dirs[newSide]
	if m.rules, err = findRules(m.dir); err != nil {
		return err
	}
	if !m.flags.Self {
		if m.checkout, err = openCheckout(s.Ctx, m.flags.Rev); err != nil {
			return err
		}
		p.Show("checking out the base")
		if err := m.checkout.add(s.Ctx); err != nil {
			return err
		}
		dirs[oldSide] = m.checkout.tree.Folder()
		m.compareRules()
	}
	return m.prepareSides(s, dirs)
}

// prepareSides builds and finds the benchmarks of two folders.
func (m *measurement) prepareSides(s *session.Session, dirs [2]string) (err error) {
	p := s.Progress()
	defer p.Clear()
	if m.flags.Exact {
		if m.emulator, err = newEmulator(m.flags.Kernel, m.flags.Collector); err != nil {
			return err
		}
	}
	m.build = withLinkerFlag(m.build, noDebug)
	if m.emulator == nil && aligns(s.Ctx) {
		m.build = withLinkerFlag(m.build, aligned)
	}
	if m.temp, err = worktree.Scratch(); err != nil {
		return err
	}
	if err := m.list(s.Ctx, dirs); err != nil {
		return err
	}
	if err := m.uncut(s.Ctx); err != nil {
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
	if err := m.unreported(); err != nil {
		return err
	}
	if err := m.size(s, dirs); err != nil {
		return err
	}
	if err := m.unused(); err != nil || m.emulator != nil { // where functions lie does not change what they run
		return err
	}
	return m.link(s, dirs)
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
			pk.moved = pk.path != "" && pk.path != s.path
			pk.path, pk.dirs[side] = s.path, s.dir
			concurrent(s.files, pk.parallel)
			pk.tests[side] = readTestCode(s.files)
		}
	}
	if len(m.pkgs) == 0 {
		return fmt.Errorf("no package in %q has benchmarks%s", m.patterns, m.whyNone(ctx, dirs[newSide]))
	}
	slices.SortFunc(m.pkgs, func(a, b *pkg) int { return strings.Compare(a.path, b.path) })
	return nil
}

// whyNone returns why no package was found, empty if there is nothing to add.
func (m *measurement) whyNone(ctx context.Context, dir string) string {
	out, err := tool(ctx, dir, "go", "env", "GOMOD", "GOWORK")
	if found := strings.Fields(string(out)); err == nil && len(found) > 0 && found[0] == os.DevNull && (len(found) == 1 || found[1] == "off") {
		return "; this folder is in no module: run strobe gate in one that has a go.mod, or below it"
	}
	if c := m.complaints[newSide]; len(c) > 0 {
		return fmt.Sprintf("; go list says %q", c[0])
	}
	return ""
}

// compile builds the test binaries of both sides, and those in other layouts of packages that differ.
func (m *measurement) compile(s *session.Session, dirs [2]string) error {
	p := s.Progress()
	defer p.Clear()
	var changed []string
	if m.checkout != nil {
		var err error
		if changed, err = m.checkout.Changed(s.Ctx, m.checkout.base); err != nil {
			return err
		}
	}
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
		if len(pk.binaries[newSide]) > 0 && m.withNewTests(s.Ctx, pk, dirs[oldSide], m.binary(i, ownSide)) && pk.unbuilt { // only the tests of the base do not build
			m.broken, pk.unbuilt = m.broken[:len(m.broken)-1], false
		}
		pk.same = m.checkout != nil && pk.on(oldSide) && pk.on(newSide) && !pk.unbuilt && sameText(pk.binaries[oldSide][0], pk.binaries[newSide][0]) && !m.reads(s.Ctx, pk, changed)
		switch {
		case pk.same && pk.flags != nil:
			m.unchanged = append(m.unchanged, pk.path+" (but for its tests)")
		case pk.same:
			m.unchanged = append(m.unchanged, pk.path)
		}
	}
	return nil
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
	return build(ctx, dir, target, binary, m.buildFlags(), 0)
}

// exeSuffix is what the names of test binaries end in. Windows requires it, and other systems accept it.
const exeSuffix = ".exe"

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
	var found [3]*finding
	var own error // of the tests of the base
	for _, of := range []int{ownSide, oldSide, newSide} {
		if found[of] = (&finding{}); len(pk.binaries[of]) == 0 || pk.same {
			continue
		}
		side := of % ownSide
		program := process{binary: pk.binaries[of][0], dir: pk.dirs[side], machine: pk.machine, iterations: 1, processors: m.flags.CPU, timeout: m.flags.timeout()}
		if pk.machine != nil {
			program.iterations = 0 // as many as will be made
		}
		f, err := find(ctx, program, m.patternOn(side))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && of == ownSide { // the new tests may run with the code of the base
			own = err
			continue
		}
		if err != nil && own == nil && of == oldSide && len(pk.binaries[ownSide]) > 0 { // no test of the new side runs with the code of the base
			pk.withOwnTests()
			found[oldSide], found[ownSide] = found[ownSide], &finding{}
			continue
		}
		if err != nil {
			m.broken = append(m.broken, fault{name: pk.path, side: side, why: err.Error()})
			return nil
		}
		found[of] = f
	}
	m.faultsOf(pk, found)
	for _, f := range found {
		m.see(pk, f)
	}
	m.pair(pk, found)
	return nil
}

// faultsOf notes the benchmarks of a package that fail. On the base, one that only the new tests have is none that it could run.
func (m *measurement) faultsOf(pk *pkg, found [3]*finding) {
	base := found[oldSide].broken
	if pk.flags != nil {
		base = found[ownSide].broken
	}
	for side, broken := range []map[string]string{base, found[newSide].broken} {
		for _, top := range slices.Sorted(maps.Keys(broken)) {
			name := pk.path + "." + top
			if i := slices.IndexFunc(m.broken, func(x fault) bool { return x.name == name }); i >= 0 {
				m.broken[i].both = true
			} else if side == newSide || pk.flags == nil || found[oldSide].broken[top] != "" {
				m.broken = append(m.broken, fault{name: name, side: side, why: broken[top]})
			}
		}
	}
}
