// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
)

// workspace arranges the modules of a program that is built in a workspace, or of Go files outside any module: by another go.work, to
// which the library belongs.
func (m *modules) workspace(ctx context.Context, r Request, s settings, base, dir string, elsewhere []moved) error {
	has := s.Work != "" && r.hasLibrary(ctx)
	if has && len(elsewhere) == 0 {
		return nil
	}
	text, language := []byte("go "+libraryGo+"\n"), libraryGo
	if s.Work != "" {
		var err error
		if text, err = os.ReadFile(s.Work); err != nil {
			return err
		}
		language = "1.18" // as the go command takes it
	}
	work, err := modfile.ParseWork(s.Work, text, nil)
	if err != nil {
		return err
	}
	if work.Go != nil {
		language = work.Go.Version
	}
	if err := absolute(work, filepath.Dir(s.Work)); err != nil {
		return err
	}
	for _, e := range elsewhere {
		for _, old := range work.Replace {
			if old.Old.Path == e.Path {
				err = errors.Join(err, work.DropReplace(e.Path, old.Old.Version))
			}
		}
		if err = errors.Join(err, work.AddReplace(e.Path, "", e.to, "")); err != nil {
			return err
		}
	}
	if !has {
		l, err := libraryOf(s, language, base)
		if err != nil {
			return err
		}
		if err := errors.Join(l.write(m.overlay), work.AddUse(l.at, ""), work.AddReplace(systemPath, l.requires, l.sysAt, "")); err != nil {
			return err
		}
		m.args = append(m.args, l.args()...)
	}
	work.Cleanup()
	m.files["go.work"] = modfile.Format(work.Syntax)
	sums, err := os.ReadFile(s.Work + ".sum")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if s.Work != "" {
		m.files["go.work.sum"] = sums
	}
	m.env = append(m.env, "GOWORK="+filepath.Join(dir, "go.work"))
	return nil
}

// absolute makes the paths in a go.work that lies in a folder mean the same elsewhere.
func absolute(work *modfile.WorkFile, dir string) error {
	var errs []error
	for _, u := range append([]*modfile.Use(nil), work.Use...) {
		if !filepath.IsAbs(u.Path) {
			to := filepath.Join(dir, filepath.FromSlash(u.Path)) // u changes
			errs = append(errs, work.DropUse(u.Path), work.AddUse(to, ""))
		}
	}
	for _, q := range append([]*modfile.Replace(nil), work.Replace...) {
		if q.New.Version == "" && !filepath.IsAbs(q.New.Path) {
			old, to := q.Old, filepath.Join(dir, filepath.FromSlash(q.New.Path)) // q changes
			errs = append(errs, work.DropReplace(old.Path, old.Version), work.AddReplace(old.Path, old.Version, to, ""))
		}
	}
	return errors.Join(errs...)
}
