// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument/shape"
)

// A building is a program that is to get zones.
type building struct {
	request  Request
	settings settings
	packages []*listed // all of the program
	compiled *compilation
	wishes   wishes
	chosen   []*listed // those with zones
	costly   []Costly  // zones that slowed an earlier run
}

// load finds out what a program consists of.
func (r Request) load(ctx context.Context) (b *building, err error) {
	b = &building{request: r}
	if b.settings, err = settingsOf(ctx, r); err != nil {
		return nil, err
	}
	if b.packages, b.compiled, err = r.list(ctx, b.settings.module()); err != nil {
		return nil, err
	}
	if b.wishes, err = r.wishes(here(r, b.packages)); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(b.packages, (*listed).own) { // the program is one of another module
		last := b.packages[len(b.packages)-1]
		for _, l := range b.packages {
			if l.Module != nil && last.Module != nil && l.Module.Path == last.Module.Path {
				l.adopted = true
			}
		}
	}
	for _, l := range b.packages {
		if l.Module != nil && l.Module.Path == systemPath {
			b.settings.system = l.Module.Version
		}
		inside, err := filepath.Rel(b.settings.ModCache, l.Dir)
		l.inCache = err == nil && filepath.IsLocal(inside) && l.Module != nil && !l.Module.Main
		if b.wants(l) || !l.DepOnly {
			b.chosen = append(b.chosen, l)
		}
	}
	return b, b.refuse(ctx)
}

// refuse finds out which of the chosen packages cannot have zones.
func (b *building) refuse(ctx context.Context) error {
	var standard map[string]string
	for _, l := range b.chosen {
		switch {
		case ofStrobe(l.path()):
			l.refused = "zones are made of its package"
		case !l.Standard:
		case strings.HasPrefix(l.path(), "vendor/") || slices.Contains(strings.Split(l.path(), "/"), "internal"):
			l.refused = "no other package can import its package of the standard library"
		case b.settings.downloaded():
			l.refused = "its package is part of a downloaded Go, whose files the go command does not replace; with an installed Go " + b.settings.Version + " it can"
		default:
			if standard == nil {
				var err error
				if standard, err = refusals(ctx, b.request, b.settings); err != nil {
					return err
				}
			}
			l.refused = standard[l.path()]
		}
	}
	return nil
}

// wants reports whether functions of a package may get zones.
func (b *building) wants(l *listed) bool {
	mayMatch := func(p *pattern) bool { return p.mayMatch(l) }
	return len(b.wishes.zones) == 0 && l.own() || slices.ContainsFunc(b.wishes.zones, mayMatch) || slices.ContainsFunc(b.wishes.units, mayMatch)
}

// ofStrobe reports whether zones depend on a package.
func ofStrobe(path string) bool {
	return path == libraryPath || strings.HasPrefix(path, libraryPath+"/") || strings.HasPrefix(path, systemPath+"/")
}

// make chooses the functions and writes the files of the plan to a folder.
func (b *building) make(ctx context.Context, base, dir string) (_ *Plan, err error) {
	p := &Plan{dir: dir, Fixed: b.fixed(), Targets: b.request.targets(), Args: b.flags()}
	if asked := b.request.remarks("", b.chosen); b.compiled == nil || !containsAll(b.compiled.asked, asked) {
		if _, b.compiled, err = b.request.compile(ctx, asked); err != nil {
			return nil, err
		}
	}
	set, sources, embedded := token.NewFileSet(), make([][]*source, len(b.chosen)), embeddedGo(b.packages)
	for i, l := range b.chosen {
		if sources[i], err = read(set, l, b.request.Closures, b.settings.joins(), embedded); err != nil {
			return nil, err
		}
		for _, s := range sources[i] {
			s.choose(l, b.wishes, b.compiled.inlined)
		}
	}
	if err := b.check(sources); err != nil {
		return nil, err
	}
	look(set, b.request, b.chosen, sources, b.compiled.exports)
	elsewhere := b.elsewhere(base)
	m, err := b.request.arrange(ctx, b.settings, base, dir, elsewhere)
	if err != nil {
		return nil, err
	}
	var hooks []hook
	for n, l := range b.chosen { // what is built comes after what it imports
		for _, s := range sources[n] {
			p.Costly = append(p.Costly, leaveOut(b.costly, l, s)...)
			p.add(l, s)
		}
		var changed map[string][]byte
		switch {
		case l.Standard:
			var h hook
			if changed, h = rewriteStandard(l, sources[n]); changed != nil {
				hooks = append(hooks, h)
			}
		case l.DepOnly:
			changed = rewrite(l, sources[n], false, nil)
		default:
			changed = rewrite(l, sources[n], b.request.Attach, hooks)
			hooks = nil
		}
		for path, text := range changed {
			// The changed copy has the same name, so that the go command finds out which file it stands for.
			to := filepath.Join("src", fmt.Sprint(n), filepath.Base(path))
			if _, err := os.Stat(path); err != nil && strings.HasSuffix(p.Targets[0], ".go") && !l.DepOnly {
				p.Targets = append(p.Targets, beside(p.Targets[0], path))
			}
			m.files[to] = text
			m.overlay[inBuild(elsewhere, l, path)] = filepath.Join(dir, to)
		}
	}
	if m.files["overlay.json"], err = json.Marshal(map[string]any{"Replace": m.overlay}); err != nil {
		return nil, err
	}
	p.Args = append(append(p.Args, m.args...), "-overlay="+filepath.Join(dir, "overlay.json"))
	if b.request.Test {
		p.Args = append(p.Args, "-vet=off") // it does not know that the library is written in a later version of Go
	}
	p.Env = m.env
	if m.files["plan.json"], err = json.Marshal(p); err != nil {
		return nil, err
	}
	return p, writeFolder(dir, m.files)
}

// check returns an error if a pattern has matched nothing, or if no function that is asked for can have a zone, or be a unit.
func (b *building) check(sources [][]*source) error {
	if err := b.wishes.unused(); err != nil {
		return err
	}
	for _, p := range b.wishes.units {
		if err := b.checkUnits(p, sources); err != nil {
			return err
		}
	}
	first := ""
	for i, l := range b.chosen {
		for _, s := range sources[i] {
			for _, f := range s.functions {
				if f.reason == "" || f.small() { // which may be a unit
					return nil
				}
				if first == "" && f.reason != isUnasked {
					first = show(l, f.name) + ": " + f.reason
				}
			}
		}
	}
	if first == "" || len(b.wishes.zones) == 0 {
		return nil
	}
	return fmt.Errorf("none of the functions that match %s can have a zone; the first is %s", strings.Join(b.request.Zones, ","), first)
}

// checkUnits returns an error if no function that matches a pattern can be a unit.
func (b *building) checkUnits(p *pattern, sources [][]*source) error {
	first := ""
	for i, l := range b.chosen {
		for _, s := range sources[i] {
			for _, f := range s.functions {
				if p.wishFor(l, f.name) == no {
					continue
				}
				if f.reason == "" {
					return nil
				}
				if first == "" {
					first = show(l, f.name) + ": " + f.reason
				}
			}
		}
	}
	return fmt.Errorf("none of the functions that match %s can be a unit; the first is %s", p.text, first)
}

// elsewhere returns the modules of chosen packages in the module cache.
func (b *building) elsewhere(base string) (all []moved) {
	for _, l := range b.chosen {
		if !l.inCache || l.refused != "" {
			continue
		}
		m := *l.Module
		if m.Replace != nil {
			m.Dir, m.GoMod, m.Version = m.Replace.Dir, m.Replace.GoMod, m.Replace.Version
		}
		if !slices.ContainsFunc(all, func(e moved) bool { return e.Path == m.Path }) {
			all = append(all, moved{m, cached(filepath.Join(base, "modules"), m.Path, m.Version)})
		}
	}
	return all
}

// inBuild returns where a file of a package is in the build.
func inBuild(elsewhere []moved, l *listed, path string) string {
	for _, e := range elsewhere {
		if l.Module != nil && l.Module.Path == e.Path && l.inCache {
			if inside, err := filepath.Rel(e.Dir, path); err == nil {
				return filepath.Join(e.to, inside)
			}
		}
	}
	return path
}

// add lists the functions of a file in the plan.
func (p *Plan) add(l *listed, s *source) {
	for _, f := range s.functions {
		name, at := show(l, f.name), where(f.position)
		if f.reason != "" {
			p.LeftOut = append(p.LeftOut, LeftOut{name, l.path(), at, f.reason})
		} else {
			z := Zone{Name: name, Package: l.path(), Position: at, Why: f.unit, Stays: f.named || f.unit != ""}
			if f.unit != "" {
				z.Kind = shape.Unit
			}
			p.Zones = append(p.Zones, z)
		}
		for _, w := range f.waits {
			p.Zones = append(p.Zones, Zone{Name: waiting(w, name), Package: l.path(), Position: where(s.set.Position(w.Pos)), Kind: shape.Wait, Why: w.Why})
		}
	}
}

// writeFolder writes the files of a folder, all or none.
func writeFolder(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp(filepath.Dir(dir), ".new-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch) // unless it was renamed
	for name, text := range files {
		if err := write(filepath.Join(scratch, name), text); err != nil {
			return err
		}
	}
	err = os.Rename(scratch, dir)
	if _, there := os.Stat(filepath.Join(dir, "plan.json")); there == nil {
		return nil // by this process or by another one, with the same content
	}
	return errors.Join(err, os.Chmod(dir, 0o777))
}
