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
	wishes   wishes
	chosen   []*listed // those with zones
}

// load finds out what a program consists of.
func (r Request) load(ctx context.Context) (b *building, err error) {
	b = &building{request: r}
	if b.settings, err = settingsOf(ctx, r); err != nil {
		return nil, err
	}
	if b.packages, err = list(ctx, r); err != nil {
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
		inside, err := filepath.Rel(b.settings.ModCache, l.Dir)
		l.inCache = err == nil && filepath.IsLocal(inside) && l.Module != nil && !l.Module.Main
		switch wanted := b.wants(l); {
		case !wanted && !(r.Attach && !l.DepOnly):
		case l.Standard:
			return nil, fmt.Errorf("package %s of the standard library cannot get zones: its packages cannot import others", l.path())
		case wanted && ofStrobe(l.path()):
			if len(r.Zones) > 0 {
				return nil, fmt.Errorf("package %s cannot get zones: zones are made of it", l.path())
			}
		default:
			b.chosen = append(b.chosen, l)
		}
	}
	return b, nil
}

// wants reports whether functions of a package may get zones.
func (b *building) wants(l *listed) bool {
	if len(b.wishes.zones) == 0 {
		return l.own()
	}
	return slices.ContainsFunc(b.wishes.zones, func(p *pattern) bool { return p.mayMatch(l) && !(l.Standard && strings.HasPrefix(p.text, "...")) })
}

// ofStrobe reports whether zones depend on a package.
func ofStrobe(path string) bool {
	return path == libraryPath || strings.HasPrefix(path, libraryPath+"/") || strings.HasPrefix(path, systemPath+"/")
}

// make chooses the functions and writes the files of the plan to a folder.
func (b *building) make(ctx context.Context, base, dir string) (*Plan, error) {
	p := &Plan{dir: dir, Targets: b.request.targets(), Args: slices.Clone(b.request.Flags)}
	compiled, err := compile(ctx, b.request, b.chosen)
	if err != nil {
		return nil, err
	}
	set, sources := token.NewFileSet(), make([][]*source, len(b.chosen))
	for i, l := range b.chosen {
		if sources[i], err = read(set, l, b.request.Closures); err != nil {
			return nil, err
		}
		for _, s := range sources[i] {
			s.choose(l, b.wishes, compiled.inlined)
		}
	}
	if err := b.wishes.unused(); err != nil {
		return nil, err
	}
	look(set, b.request, b.chosen, sources, compiled.exports)
	elsewhere := b.elsewhere(base)
	m, err := b.request.arrange(ctx, b.settings, base, dir, elsewhere)
	if err != nil {
		return nil, err
	}
	for n, l := range b.chosen {
		for _, s := range sources[n] {
			p.add(l, s)
		}
		for path, text := range rewrite(l, sources[n], b.request.Attach && !l.DepOnly) {
			// The changed copy has the same name, so that the go command finds out which file it stands for.
			to := filepath.Join("src", fmt.Sprint(n), filepath.Base(path))
			m.files[to] = text
			m.overlay[inBuild(elsewhere, l, path)] = filepath.Join(dir, to)
		}
	}
	if m.files["overlay.json"], err = json.Marshal(map[string]any{"Replace": m.overlay}); err != nil {
		return nil, err
	}
	p.Args = append(append(p.Args, m.args...), "-overlay="+filepath.Join(dir, "overlay.json"))
	p.Env = m.env
	if m.files["plan.json"], err = json.Marshal(p); err != nil {
		return nil, err
	}
	return p, writeFolder(dir, m.files)
}

// elsewhere returns the modules of chosen packages in the module cache.
func (b *building) elsewhere(base string) (all []moved) {
	for _, l := range b.chosen {
		if !l.inCache {
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
			z := Zone{Name: name, Package: l.path(), Position: at, Why: f.unit}
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
