// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/gate/flame"
)

// makeProfileDir makes the folder for profiles before anything is measured, and finds out whether it takes files.
func (f *Flags) makeProfileDir() error {
	if f.Profile == "" {
		return nil
	}
	_, before := os.Stat(f.Profile)
	err := os.MkdirAll(f.Profile, 0o777)
	if err == nil {
		if err = session.CanWrite(filepath.Join(f.Profile, "profile")); err != nil && before != nil {
			os.Remove(f.Profile)
		}
	}
	if err != nil {
		return session.Failure{Code: session.Unwritten, Err: fmt.Errorf("--profile: %w", err)}
	}
	return nil
}

// keep writes the profiles of both sides. Those of the base are scaled to the number of calls of the new side, so that a difference is
// that of as many calls.
func (e *explainer) keep(dir string) error {
	name := profileName(dir, e.benchmark)
	for _, kind := range []struct {
		name     string
		profiles [2]*profile.Profile
		scale    float64
	}{{"cpu", e.merged, float64(e.made[newSide]) / float64(max(1, e.made[oldSide]))}, {"alloc", e.counted, 1}} {
		if kind.profiles[oldSide] == nil || kind.profiles[newSide] == nil {
			continue
		}
		if kind.scale != 1 {
			kind.profiles[oldSide].Scale(kind.scale)
		}
		for side, suffix := range [2]string{"base", "new"} {
			file := name + "." + suffix + "." + kind.name + ".pprof"
			if err := session.WriteFile(file, func(w io.Writer) error { return kind.profiles[side].Write(w) }); err != nil {
				return err
			}
			e.files = append(e.files, file)
		}
	}
	return nil
}

// page writes the page with the flame graph of a benchmark, for which the sentence of its verdict is needed.
func (r *report) page(x *row) error {
	e := x.explained
	base, latest := r.m.sides()
	p := flame.Page{Title: x.title(), Base: base, New: latest, Sentence: x.sentence, Effort: "The profiles are of " + e.effort(), Tree: e.profiles.Tree(e.compared.Cost), Version: session.Version()}
	for _, t := range e.tables("function") {
		p.Tables = append(p.Tables, flame.Table{Title: t.name, Titles: t.titles, Rows: t.rows})
	}
	e.page = profileName(r.m.flags.Profile, x.benchmark) + ".html"
	return session.WriteFile(e.page, func(w io.Writer) error { return flame.Write(w, p) })
}

// writePages writes the pages of all that was profiled.
func (r *report) writePages() (err error) {
	for i := range r.rows {
		if x := &r.rows[i]; x.explained != nil && x.explained.profiles != nil && r.m.flags.Profile != "" {
			err = errors.Join(err, r.page(x))
		}
	}
	return err
}

// profileName returns the path that the files of a benchmark begin with.
func profileName(dir string, b *benchmark) string {
	return filepath.Join(dir, strings.NewReplacer("/", "_", `\`, "_", ":", "_").Replace(b.title()))
}
