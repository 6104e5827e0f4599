// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"context"
	"encoding/json"
	"go/token"
	"path/filepath"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument/shape"
)

// make chooses the functions and writes the files of the plan.
func (p *Plan) make(ctx context.Context, r Request, packages []*listed) error {
	var chosen []*listed
	for _, l := range packages {
		if wanted(l) {
			chosen = append(chosen, l)
		}
	}
	compiled, err := compile(ctx, r, chosen)
	if err != nil {
		return err
	}
	set, sources := token.NewFileSet(), make([][]*source, len(chosen))
	for i, l := range chosen {
		if sources[i], err = read(set, l); err != nil {
			return err
		}
		for _, s := range sources[i] {
			s.choose(l, compiled.inlined)
		}
	}
	look(set, r, chosen, sources, compiled.exports)
	replace := map[string]string{}
	for n, l := range chosen {
		files := sources[n]
		for _, s := range files {
			p.add(l, s)
		}
		for path, text := range rewrite(l, files, r.Attach && !l.DepOnly) {
			to := keep(filepath.Join(p.dir, "src"), n, path)
			if err := write(to, text); err != nil {
				return err
			}
			replace[path] = to
		}
	}
	if err := p.provide(ctx, r, replace); err != nil {
		return err
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	overlay := filepath.Join(p.dir, "overlay.json")
	p.Args = append(p.Args, "-overlay="+overlay)
	return write(overlay, text)
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
